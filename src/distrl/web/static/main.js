// The frame of the page: which run, which page, what the keys do, and news from the server.

import { get, runPath } from "./api.js";
import { h, number, percent, replace, stateChip } from "./dom.js";
import { duelPage } from "./duel.js";
import { episodesPage } from "./episodes.js";
import { devicePage, fleetPage } from "./fleet.js";
import { lagPage } from "./lag.js";
import { overviewPage } from "./overview.js";
import { playerPage } from "./player.js";
import { runsPage } from "./runs.js";
import { tasksPage } from "./tasks.js";

const PAGES = [
  ["overview", "Overview", overviewPage],
  ["fleet", "Fleet", fleetPage],
  ["tasks", "Tasks", tasksPage],
  ["episodes", "Episodes", episodesPage],
  ["lag", "Lag", lagPage],
  ["duel", "Duel", duelPage],
];
const RUNS = "runs";
const INNER = { episode: [playerPage, "episodes"], device: [devicePage, "fleet"] };

const top_ = document.getElementById("top");
const nav = document.getElementById("pages");
const content = document.getElementById("content");
const help = document.getElementById("help");

let known = { runs: [], control: false };
let here = null;
let last = null;
let page = null;
let news = null;
let turn = 0;

function parse() {
  const [path, search = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [run, name, ...rest] = path.split("/").map(decodeURIComponent);
  return { run, name: name || "overview", rest, query: Object.fromEntries(new URLSearchParams(search)) };
}

export function link(run, name, rest = [], query = {}) {
  const path = [run, name, ...rest].map(encodeURIComponent).join("/");
  const given = Object.entries(query).filter(([, v]) => v !== "" && v !== null && v !== undefined);
  const search = new URLSearchParams(given).toString();
  return `#/${path}${search ? `?${search}` : ""}`;
}

// The page of runs is the address without a page; a run may be called so, too: #/runs/overview.
const isAllRuns = () => /^#\/runs\/?(\?|$)/.test(location.hash);

async function show() {
  const mine = ++turn;
  const asked = parse();
  if (isAllRuns()) return showRuns(mine, asked);
  const listed = await find(asked.run);
  if (mine !== turn) return;
  if (!listed) return showMissing(asked.run);
  const run = await get(runPath(listed.run, "status"));
  if (mine !== turn) return;
  last = run.run;
  const inner = INNER[asked.name];
  const found = PAGES.find(([name]) => name === asked.name) ?? PAGES[0];
  here = { ...asked, run: run.run, name: inner ? asked.name : found[0] };
  page?.close?.();
  page = null;
  delete content.dataset.shown;
  listen(run.run);
  frame(run, inner ? inner[1] : found[0]);
  document.title = `${run.run} · ${inner ? asked.name : found[1]} · distrl`;
  const context = {
    run: run.run, rest: here.rest, query: here.query, control: known.control, runs: known.runs, link,
    go: (...to) => { location.hash = link(run.run, ...to); },
    restate: (query) => history.replaceState(null, "", link(run.run, here.name, here.rest, query)),
  };
  const root = h("div", { class: "stack" });
  replace(content, root);
  try {
    const made = await (inner ? inner[0] : found[2])(root, context);
    if (mine !== turn) return made?.close?.();
    page = made;
  } catch (error) {
    replace(root, h("div", { class: "card error" }, h("h2", {}, "This page cannot be shown"), h("p", {}, error.message),
      run.problems.map((problem) => h("p", { class: "bad" }, problem))));
  }
  // Whoever waits for a page, such as a test, can see that it is there.
  if (mine === turn) content.dataset.shown = location.hash;
}

async function showRuns(mine, asked) {
  here = { run: last ?? newest()?.run, name: null };
  page?.close?.();
  page = null;
  listen(null);
  delete content.dataset.shown;
  frameRuns();
  document.title = "runs · distrl";
  const root = h("div", { class: "stack" });
  replace(content, root);
  const context = {
    query: asked.query, link, known,
    learn: (answer) => { known = answer; if (mine === turn) frameRuns(); },
    restate: (query) => {
      if (mine !== turn) return;
      history.replaceState(null, "", runsLink(query));
      if (content.dataset.shown) content.dataset.shown = location.hash;
    },
  };
  try {
    const made = await runsPage(root, context);
    if (mine !== turn) return made?.close?.();
    page = made;
  } catch (error) {
    replace(root, h("div", { class: "card error" }, h("h2", {}, "This page cannot be shown"), h("p", {}, error.message)));
  }
  if (mine === turn) content.dataset.shown = location.hash;
}

function runsLink(query = {}) {
  const given = Object.entries(query).filter(([, v]) => v !== "" && v !== null && v !== undefined);
  const search = new URLSearchParams(given).toString();
  return `#/${RUNS}${search ? `?${search}` : ""}`;
}

// Runs come newest first.
const newest = () => known.runs.find((r) => !r.problems.length) ?? known.runs[0];

// The run of that name; without a name, the newest that can be read. Nothing when there is none.
async function find(name) {
  if (!name) return newest();
  const listed = known.runs.find((r) => r.run === name);
  if (listed) return listed;
  // It may have begun since the page was opened.
  known = await get("/api/runs", { wanted: name });
  return known.runs.find((r) => r.run === name);
}

function showMissing(name) {
  here = null;
  page?.close?.();
  page = null;
  news?.source.close();
  news = null;
  document.title = "no such run · distrl";
  replace(top_, brand());
  replace(nav);
  replace(content, h("div", { class: "card error" }, h("h1", {}, "There is no such run"),
    h("p", {}, known.missing || `there is no run named ${name}`), h("p", { class: "soft" }, "These are there:"),
    h("ul", {}, known.runs.map((r) => h("li", {}, h("a", { href: link(r.run, "overview") }, r.run))))));
  content.dataset.shown = location.hash;
}

const brand = () => h("a", { class: "brand", href: runsLink() }, h("img", { src: "/static/icon.svg", alt: "" }), "distrl");

function frame(status, current) {
  replace(top_, brand(), chooser(status.run, current), stateChip(status.state), facts(status));
  pages(status.run, current);
}

function frameRuns() {
  const count = (state) => known.runs.filter((r) => r.state === state).length;
  const fact = (value, name) => h("span", {}, h("b", {}, String(value)), ` ${name}`);
  replace(top_, brand(), chooser("", "overview"), h("div", { class: "facts", id: "facts" },
    fact(known.runs.length, "runs"), ["running", "finished", "stopped", "broken"].filter(count).map((state) => fact(count(state), state))));
  pages(here.run, RUNS);
}

function chooser(run, current) {
  const choose = (event) => { location.hash = event.target.value ? link(event.target.value, current) : runsLink(); };
  return h("select", { "aria-label": "Run", onchange: choose }, h("option", { value: "", selected: !run }, "all runs"),
    known.runs.map((r) => h("option", { value: r.run, selected: r.run === run }, r.problems.length ? `${r.run} (damaged)` : r.run)));
}

function pages(run, current) {
  const entry = (href, name, title, key) => h("a", { href, "aria-current": name === current ? "page" : null }, title, h("kbd", {}, String(key)));
  replace(nav, entry(runsLink(), RUNS, "Runs", 0), run ? PAGES.map(([name, title], i) => entry(link(run, name), name, title, i + 1)) : null,
    h("div", { class: "hint" }, h("kbd", {}, "?"), " shows all keys"));
}

function facts(status) {
  const fact = (value, name) => h("span", {}, h("b", {}, value), ` ${name}`);
  const minutes = status.budget_minutes && status.state === "running"
    ? `${number(status.minutes)} of ${number(status.budget_minutes)}` : number(status.minutes);
  return h("div", { class: "facts", id: "facts" },
    fact(percent(status.success), "of the last 200"), fact(number(status.episodes), "episodes"),
    fact(number(status.version), "version"), fact(minutes, "min"));
}

function listen(run) {
  if (news?.run === run) return;
  news?.source.close();
  news = null;
  if (!run) return;
  const source = new EventSource(runPath(run, "events"));
  source.addEventListener("status", (event) => {
    const status = JSON.parse(event.data);
    known.runs = known.runs.map((r) => (r.run === status.run ? { ...r, state: status.state, problems: status.problems } : r));
    document.getElementById("facts")?.replaceWith(facts(status));
    const chip = top_.querySelector(".chip");
    if (chip && chip.textContent !== status.state) chip.replaceWith(stateChip(status.state));
    page?.news?.(status);
  });
  news = { run, source };
}

const KEYS = [
  ["0", "all runs"], ["1 – 6", "the pages of a run"], ["j / k, ↓ / ↑", "next, previous row"], ["Enter", "open the row"],
  ["← / →", "step through an episode"], ["Space", "play, pause"], ["[ / ]", "earlier, later episode"],
  ["b", "branch here"], ["/", "search"], ["Esc", "back"], ["?", "these keys"],
];

function showHelp() {
  replace(help, h("h2", {}, "Keys"), h("table", {}, h("tbody", {}, KEYS.map(([key, what]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", {}, what))))),
    h("form", { method: "dialog", class: "row" }, h("button", { autofocus: true }, "Close")));
  help.showModal();
}

function moveRow(by) {
  const rows = [...content.querySelectorAll("tr[tabindex]")];
  if (!rows.length) return false;
  const at = rows.indexOf(document.activeElement);
  rows[Math.min(rows.length - 1, Math.max(0, at + by))].focus();
  return true;
}

addEventListener("keydown", (event) => {
  const typing = event.target.matches?.("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (typing) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (page?.key?.(event)) return event.preventDefault();
  const digit = Number(event.key);
  if (event.key === "0") location.hash = runsLink();
  else if (here?.run && digit >= 1 && digit <= PAGES.length) location.hash = link(here.run, PAGES[digit - 1][0]);
  else if (event.key === "?") showHelp();
  else if (event.key === "/") content.querySelector("input[type=search]")?.focus();
  else if (event.key === "Escape") history.back();
  else if (event.key === "j" || event.key === "ArrowDown") { if (!moveRow(1)) return; }
  else if (event.key === "k" || event.key === "ArrowUp") { if (!moveRow(-1)) return; }
  else if (event.key === "Enter" && event.target.matches?.("tr[tabindex]")) event.target.click();
  else return;
  event.preventDefault();
});

addEventListener("pagehide", () => news?.source.close());

// The token has become a cookie: it need not stay in the address and the history.
if (location.search) history.replaceState(null, "", `/${location.hash}`);
try {
  known = await get("/api/runs");
  // Listened to only now: on a busy machine the list of runs takes seconds, and whoever changes the
  // address meanwhile would be shown a page of a run that is not known yet.
  addEventListener("hashchange", () => show().catch(showFailure));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => show().catch(showFailure));
  await show();
} catch (error) {
  showFailure(error);
}

function showFailure(error) {
  replace(content, h("div", { class: "card error" }, h("h2", {}, "The dashboard does not answer"), h("p", {}, error.message)));
}
