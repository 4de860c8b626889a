// All runs: a table in which seeds are one row, curves laid over one another, and the best per suite.

import { get } from "./api.js";
import { shade } from "./charts.js";
import { ago, h, number, percent, range, replace, stateChip } from "./dom.js";
import { overlayCard } from "./overlay.js";

const EVERY = 5000;
const BETWEEN = "/"; // no run's name contains it

// What a column sorts by: its words, and the value of a row.
const SORTS = {
  started: ["started", (row) => row.started], run: ["run", (row) => row.name], recipe: ["recipe", (row) => row.line.recipe],
  seed: ["seed", (row) => row.seeds[0]], suite: ["suite", (row) => place(row.line)], algorithm: ["algorithm", (row) => row.line.algorithm],
  policy: ["policy", (row) => row.line.policy], engine: ["engine", (row) => row.line.engine], state: ["state", (row) => Object.keys(row.states)[0]],
  minutes: ["minutes", (row) => row.minutes], episodes: ["episodes", (row) => row.episodes], updates: ["updates", (row) => row.updates],
  before: ["success before", (row) => row.before?.mean], after: ["success after", (row) => row.after?.mean],
  side_effects: ["side effects", (row) => row.side_effects], false_complete: ["false completions", (row) => row.false_complete],
};
const COLUMNS = [
  { sorts: ["run", "recipe", "seed"] }, { sorts: ["suite", "algorithm", "policy", "engine"], wide: true }, { sorts: ["state", "started"], wide: true },
  { sorts: ["minutes"], number: true, wide: true }, { sorts: ["episodes", "updates"], number: true, wide: true },
  { sorts: ["before"], number: true, wide: true }, { sorts: ["after"] },
  { sorts: ["side_effects"], number: true, wide: true }, { sorts: ["false_complete"], number: true, wide: true },
];
const TEXTS = new Set(["run", "recipe", "suite", "algorithm", "policy", "engine", "state"]);

const place = (line) => (line.suite ? `${line.suite}/${line.split ?? "?"}` : null);

export async function runsPage(root, { query, link, learn, restate }) {
  let data = await get("/api/runs"), told = "";
  const wanted = {
    text: query.text ?? "", suite: query.suite ?? "", state: query.state ?? "",
    sort: SORTS[query.sort] ? query.sort : "started", up: query.up === "1", over: query.over ?? "minutes",
  };
  let picks = query.pick ? query.pick.split(BETWEEN) : firstPick(data);
  const open = new Set();
  const overlay = overlayCard({ drop: (id) => pick(id, false), over: (over) => { wanted.over = over; remember(); overlay.draw(picks, wanted.over); } });
  const bests = h("section", { class: "card", id: "bests" });
  const head = h("tr"), body = h("tbody");
  const search = h("input", { type: "search", placeholder: "Find a run, recipe or suite", "aria-label": "Find a run", value: wanted.text, oninput: () => change({ text: search.value }) });
  const choices = { suite: h("select", { "aria-label": "Suite", onchange: (e) => change({ suite: e.target.value }) }), state: h("select", { "aria-label": "State", onchange: (e) => change({ state: e.target.value }) }) };
  const sorting = h("select", { "aria-label": "Sort by", onchange: (e) => change({ sort: e.target.value, up: TEXTS.has(e.target.value) }) },
    Object.entries(SORTS).map(([key, [words]]) => h("option", { value: key }, `sorted by ${words}`)));
  const table = h("section", { class: "card", id: "runs" }, h("div", { class: "filters runs-filters" }, search, choices.suite, choices.state, sorting),
    h("div", { class: "scroll" }, h("table", { class: "runs" }, h("thead", {}, head), body)));
  replace(root, h("div", {}, h("h1", {}, "Runs"), h("div", { class: "soft" }, "The newest first; runs that differ by their seed alone are one row. Tick any number to lay their curves over one another.")),
    h("div", { class: "runs-page" }, overlay.element, bests, overlay.beneath, table));

  function remember() {
    restate({ ...wanted, up: wanted.up ? "1" : "", sort: wanted.sort === "started" ? "" : wanted.sort, over: wanted.over === "minutes" ? "" : wanted.over, pick: picks.join(BETWEEN) });
  }

  function change(what) {
    Object.assign(wanted, what);
    remember();
    list();
  }

  function pick(id, on) {
    picks = on ? [...picks.filter((other) => other !== id), id] : picks.filter((other) => other !== id);
    remember();
    list();
    overlay.draw(picks, wanted.over);
  }

  function list() {
    const lines = new Map(data.runs.map((line) => [line.run, line]));
    const rows = data.groups.map((group) => ({ ...group, line: lines.get(group.runs[0]) }))
      .filter((row) => row.runs.some((name) => fits(lines.get(name), wanted)));
    const focused = document.activeElement?.dataset?.row;
    options(choices.suite, "every suite", new Set(data.runs.map(place).filter(Boolean)), wanted.suite);
    options(choices.state, "every state", new Set(data.runs.map((line) => line.state)), wanted.state);
    sorting.value = wanted.sort;
    heads();
    replace(body, sorted(rows, wanted).map((row) => [
      drawn(row, { group: row.runs.length > 1 }),
      open.has(row.id) ? sorted(row.runs.map((name) => single(lines.get(name))), { sort: "seed", up: true }).map((one) => drawn(one, { inside: true })) : null,
    ]));
    if (!rows.length) replace(body, h("tr", {}, h("td", { colspan: COLUMNS.length + 1, class: "empty" }, "no run is like this")));
    if (focused) body.querySelector(`tr[data-row="${CSS.escape(focused)}"]`)?.focus();
  }

  function heads() {
    const button = (key) => h("button", { class: "sort", "aria-pressed": wanted.sort === key ? "true" : null,
      onclick: () => change({ sort: key, up: wanted.sort === key ? !wanted.up : TEXTS.has(key) }) }, SORTS[key][0], wanted.sort === key ? (wanted.up ? " ↑" : " ↓") : "");
    replace(head, h("th", {}, h("span", { class: "hidden" }, "lay over")), COLUMNS.map((column) => h("th", {
      class: [column.number ? "number" : "", column.wide ? "narrow-hide" : ""].join(" ").trim() || null,
      "aria-sort": column.sorts.includes(wanted.sort) ? (wanted.up ? "ascending" : "descending") : null,
    }, column.sorts.map((key, i) => [i ? h("span", { class: "soft" }, " · ") : null, button(key)]))));
  }

  function drawn(row, { group = false, inside = false } = {}) {
    const at = picks.indexOf(row.id);
    const unfold = () => { open.has(row.id) ? open.delete(row.id) : open.add(row.id); list(); };
    const tick = h("input", { type: "checkbox", checked: at >= 0, "aria-label": `Lay over: ${row.name}`, style: at >= 0 ? `accent-color: ${shade(at)}` : null,
      onclick: (event) => event.stopPropagation(), onchange: (event) => pick(row.id, event.target.checked) });
    const broken = row.line.problems.length > 0 && !group;
    const name = group
      ? h("button", { class: "fold", "aria-expanded": String(open.has(row.id)), onclick: (event) => { event.stopPropagation(); unfold(); } }, h("span", { "aria-hidden": "true" }, open.has(row.id) ? "▾" : "▸"), " ", row.name)
      : h("a", { href: link(row.id, "overview"), onclick: (event) => event.stopPropagation() }, row.name);
    const go = group ? unfold : () => { location.hash = link(row.id, "overview"); };
    const made = [h("tr", { tabindex: 0, "data-row": row.id, class: [inside ? "inside" : "", broken ? "broken" : ""].join(" ").trim() || null, onclick: go },
      h("td", { class: "tick" }, tick),
      h("td", { class: "name" }, name, h("small", {}, under(row, group)), h("div", { class: "narrow-only" }, states(row), " ", h("small", {}, place(row.line) ?? ""))),
      h("td", { class: "narrow-hide" }, place(row.line) ?? "–", h("small", {}, [row.line.algorithm, row.line.policy, row.line.engine].filter(Boolean).join(", "))),
      h("td", { class: "narrow-hide" }, states(row), h("small", { title: row.started ? new Date(1000 * row.started).toLocaleString() : null }, ago(row.started))),
      h("td", { class: "number narrow-hide" }, number(row.minutes), running(row) && row.line.budget_minutes ? h("small", {}, `of ${number(row.line.budget_minutes)}`) : null),
      h("td", { class: "number narrow-hide" }, whole(row.episodes), row.updates === null ? null : h("small", {}, `${whole(row.updates)} updates`)),
      h("td", { class: "number narrow-hide", title: row.before ? interval(row.before) : null }, percent(row.before?.mean), row.before ? h("small", {}, between(row.before.low, row.before.high)) : null),
      h("td", { class: "after" }, after(row)),
      h("td", { class: "number narrow-hide" }, percent(row.side_effects)), h("td", { class: "number narrow-hide" }, percent(row.false_complete)))];
    if (broken) made.push(h("tr", { class: "reason" }, h("td"), h("td", { colspan: COLUMNS.length, class: "bad" }, row.line.problems.map((problem) => h("div", {}, problem)))));
    return made;
  }

  function showBests() {
    replace(bests, h("h2", {}, "Best per suite"), data.bests.length ? data.bests.map((suite) => h("div", { class: "suite" },
      h("div", { class: "row spread" }, h("h3", {}, `${suite.suite}/${suite.split}`), suite.tied ? h("small", {}, `${suite.tied + 1} cannot be told apart`) : null),
      h("ol", {}, suite.rows.map((row, i) => h("li", { class: i === 0 || row.tied ? "first" : null },
        h("div", { class: "row spread" }, h("a", { href: link(row.run, "overview"), title: row.success.runs > 1 ? `its best seed, ${row.run}` : null }, row.name),
          row.tied ? h("span", { class: "chip", title: "its interval, or what its seeds got, meets that of the first" }, "tied") : null),
        h("div", { class: "row best" }, h("b", {}, percent(row.success.mean)), range(row.success.low, row.success.mean, row.success.high), h("small", {}, between(row.success.low, row.success.high))),
        h("small", { title: row.weights }, [row.success.runs > 1 ? spreadOf(row.success) : null, row.evaluated ? `${row.evaluated} tasks` : null, [row.checkpoint, row.weights?.slice(0, 8)].filter(Boolean).join(" ")].filter(Boolean).map((each) => h("span", {}, each)))))),
      suite.more ? h("small", {}, `and ${suite.more} more`) : null)) : h("div", { class: "empty" }, "No run was evaluated yet. A run evaluates its last weights when it ends."),
      data.bests.length ? h("p", { class: "healthy" }, "Greedy success of the last weights, with its 95 % interval. Of seeds it is the mean, over the tasks of one evaluation: seeds play the same tasks again.") : null);
  }

  function showAll() {
    list();
    showBests();
  }

  async function refresh() {
    const answer = await get("/api/runs");
    const now = JSON.stringify(answer);
    if (now === told) return;
    told = now;
    data = answer;
    learn(data);
    showAll();
    const moving = new Set(data.groups.filter((group) => group.states.running).flatMap((group) => [group.id, ...group.runs]));
    if (picks.some((id) => moving.has(id))) await overlay.draw(picks, wanted.over);
  }

  learn(data);
  told = JSON.stringify(data);
  remember();
  showAll();
  await overlay.draw(picks, wanted.over);
  const timer = setInterval(() => { if (!document.hidden) refresh().catch(() => { /* the next one tries again */ }); }, EVERY);
  return { close: () => { clearInterval(timer); overlay.close(); } };
}

// The newest run that can be read is shown from the start.
function firstPick(data) {
  const sound = new Set(data.runs.filter((line) => !line.problems.length).map((line) => line.run));
  const first = data.groups.find((group) => group.runs.some((name) => sound.has(name)));
  return first ? [first.id] : [];
}

function fits(line, wanted) {
  const text = [line.run, line.recipe, place(line), line.algorithm, line.policy, line.engine, `seed ${line.seed}`, ...line.problems].join(" ").toLowerCase();
  return text.includes(wanted.text.toLowerCase()) && (!wanted.suite || place(line) === wanted.suite) && (!wanted.state || line.state === wanted.state);
}

// What is not known comes last, whichever way.
function sorted(rows, { sort, up }) {
  const value = SORTS[sort][1];
  const way = up ? 1 : -1;
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a) ?? null, value(b) ?? null];
    if (x === null || y === null) return (x === null) - (y === null);
    return way * (typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y);
  });
}

function options(select, all, names, chosen) {
  replace(select, h("option", { value: "" }, all), [...names].sort().map((name) => h("option", { value: name, selected: name === chosen }, name)));
  select.value = chosen;
}

// A run of a group, as a row of its own.
function single(line) {
  const spread = (stage) => (line[stage] === null ? null : { mean: line[stage], low: line[`${stage}_low`], high: line[`${stage}_high`], lowest: line[stage], highest: line[stage], runs: 1 });
  return { ...line, id: line.run, name: line.run, runs: [line.run], seeds: line.seed === null ? [] : [line.seed], states: { [line.state]: 1 }, before: spread("before"), after: spread("after"), line };
}

function under(row, group) {
  const seeds = row.seeds.length ? `seed${row.seeds.length > 1 ? "s" : ""} ${few(row.seeds)}` : null;
  return [group ? `${row.runs.length} runs` : null, row.line.recipe, seeds].filter(Boolean).join(" · ");
}

const few = (seeds) => (seeds.length > 6 ? `${seeds.slice(0, 5).join(", ")}, … ${seeds.at(-1)}` : seeds.join(", "));
const whole = (value) => (value === null ? "–" : Math.round(value).toLocaleString("en"));
const running = (row) => Boolean(row.states.running);
const between = (low, high) => `${Math.round(100 * low)} to ${Math.round(100 * high)}`;
const interval = (spread) => `95 % interval ${between(spread.low, spread.high)} %`;
const spreadOf = (spread) => `${spread.runs} runs: ${between(spread.lowest, spread.highest)} %`;

function states(row) {
  const each = Object.entries(row.states);
  return h("span", { class: "states" }, each.map(([state, count]) => {
    const chip = stateChip(state);
    if (count > 1 || each.length > 1) chip.prepend(`${count} `);
    return chip;
  }));
}

function after(row) {
  if (!row.after) return row.collecting === null ? h("span", { class: "soft" }, "–") : h("span", { class: "soft" }, percent(row.collecting), h("small", {}, "so far, while collecting"));
  return [h("div", { class: "row best", title: interval(row.after) }, h("b", {}, percent(row.after.mean)), range(row.after.low, row.after.mean, row.after.high), h("small", {}, between(row.after.low, row.after.high))),
    row.after.runs > 1 ? h("small", {}, spreadOf(row.after)) : null];
}
