// All episodes, by what somebody looks for.

import { get, runPath } from "./api.js";
import { h, number, outcomeChip, replace, words } from "./dom.js";

const PAGE = 50;
// Lag is measured at two moments; the list knows the one at which an episode was stored.
const NAMES = { lag: "lag on arrival" };
const RANGES = ["version", "reward", "steps", "lag", "priority", "ratio"];
const ORDERS = ["newest", "oldest", "longest", "reward", "lag", "priority"];

export async function episodesPage(root, { run, query, go, restate }) {
  const wanted = { ...query };
  const body = h("tbody");
  const count = h("span", { class: "soft", "aria-live": "polite" });
  const pager = h("div", { class: "row" });
  const note = h("p", { class: "soft", id: "range-note" });
  const selects = {};
  let timer = null, last = null, turn = 0;

  const later = (name, value) => {
    wanted[name] = value;
    delete wanted.offset;
    clearTimeout(timer);
    timer = setTimeout(load, 150);
  };
  const search = h("input", { type: "search", placeholder: "Goal, template, task or episode", "aria-label": "Search", value: wanted.text ?? "", oninput: (e) => later("text", e.target.value) });
  for (const name of ["outcome", "template", "device"]) {
    selects[name] = h("select", { "aria-label": name, onchange: (e) => later(name, e.target.value) });
  }
  const order = h("select", { "aria-label": "order", onchange: (e) => later("order", e.target.value) },
    ORDERS.map((name) => h("option", { value: name, selected: name === (wanted.order ?? "newest") }, { newest: "newest first", oldest: "oldest first", longest: "longest first" }[name] ?? `highest ${NAMES[name] ?? name}`)));
  const pairs = RANGES.map((name) => h("div", { class: "pair" }, h("span", {}, NAMES[name] ?? name),
    ...["low", "high"].map((end) => h("input", { type: "number", step: "any", placeholder: end === "low" ? "from" : "to", "aria-label": `${name} ${end === "low" ? "from" : "to"}`, value: wanted[`${name}_${end}`] ?? "", oninput: (e) => later(`${name}_${end}`, e.target.value) }))));
  const more = h("details", { open: RANGES.some((n) => wanted[`${n}_low`] || wanted[`${n}_high`]) }, h("summary", {}, "Ranges"), h("div", { class: "filters", id: "ranges" }, pairs), note);
  const reset = h("button", { class: "small", onclick: () => go("episodes") }, "Clear filters");

  replace(root,
    h("div", { class: "row spread" }, h("h1", {}, "Episodes"), h("div", { class: "row" }, count, reset)),
    h("div", { class: "card stack" }, h("div", { class: "filters" }, search, selects.outcome, selects.template, selects.device, order), more),
    h("div", { class: "card scroll" }, h("table", { id: "episodes" }, h("thead", {}, h("tr", {},
      h("th", {}, "goal"), h("th", {}, "outcome"), h("th", { class: "narrow-hide" }, "template"), h("th", { class: "number" }, "steps"),
      h("th", { class: "number narrow-hide" }, "reward"), h("th", { class: "number narrow-hide" }, "version"), h("th", { class: "number narrow-hide", title: "versions published since the episode's oldest decision when it arrived in the store" }, NAMES.lag),
      h("th", { class: "number narrow-hide" }, "priority"), h("th", { class: "narrow-hide" }, "device"))), body)),
    pager);

  function options(name, choices) {
    const current = wanted[name] ?? "";
    const names = Object.entries(choices).sort((a, b) => b[1] - a[1]);
    if (current && !choices[current]) names.unshift([current, 0]);
    replace(selects[name], h("option", { value: "" }, `any ${name}`),
      names.map(([value, n]) => h("option", { value, selected: value === current }, `${words(value)} (${n.toLocaleString("en")})`)));
  }

  async function load() {
    const mine = ++turn;
    restate(wanted);
    let data;
    try {
      data = await get(runPath(run, "episodes"), { ...wanted, limit: PAGE });
    } catch (error) {
      if (mine === turn) replace(count, error.message);
      return;
    }
    if (mine !== turn) return;
    last = data;
    replace(count, `${data.total.toLocaleString("en")} episodes`);
    replace(note, data.note);
    for (const name of Object.keys(selects)) options(name, data.choices[name]);
    replace(body, data.rows.length ? data.rows.map(line) : h("tr", {}, h("td", { colspan: 9, class: "empty" }, "no episode fits these filters")));
    const at = data.offset;
    const turnTo = (offset) => { wanted.offset = Math.max(0, offset); load(); };
    replace(pager,
      h("button", { disabled: at === 0, onclick: () => turnTo(at - PAGE) }, "Previous"),
      h("span", { class: "soft" }, data.total ? `${(at + 1).toLocaleString("en")} to ${Math.min(at + PAGE, data.total).toLocaleString("en")}` : ""),
      h("button", { disabled: at + PAGE >= data.total, onclick: () => turnTo(at + PAGE) }, "Next"));
  }

  function line(row) {
    const versions = row.first_version === row.last_version ? number(row.last_version) : `${number(row.first_version)}–${number(row.last_version)}`;
    return h("tr", { tabindex: 0, onclick: () => go("episode", [row.id]) },
      h("td", { class: "goal", title: row.goal }, row.goal || row.task), h("td", {}, outcomeChip(row.outcome)),
      h("td", { class: "narrow-hide" }, words(row.template)), h("td", { class: "number" }, String(row.steps)),
      h("td", { class: "number narrow-hide" }, number(row.reward)), h("td", { class: "number narrow-hide" }, versions),
      h("td", { class: "number narrow-hide" }, String(row.lag)), h("td", { class: "number narrow-hide" }, number(row.priority)),
      h("td", { class: "narrow-hide" }, row.device));
  }

  await load();
  return {
    news: (status) => {
      const idle = !wanted.offset && !body.contains(document.activeElement);
      if (idle && last && status.episodes !== last.seen) { last.seen = status.episodes; load(); }
    },
    close: () => clearTimeout(timer),
  };
}
