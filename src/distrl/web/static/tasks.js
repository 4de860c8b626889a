// Success per template, the hardest first.

import { get, runPath } from "./api.js";
import { h, number, percent, range, replace, spark, words } from "./dom.js";

export async function tasksPage(root, { run, go }) {
  const { templates } = await get(runPath(run, "tasks"));
  const search = h("input", { type: "search", placeholder: "Find a template", "aria-label": "Find a template" });
  const body = h("tbody");
  const open = (row) => go("episodes", [], { template: row.template });

  function list() {
    const wanted = search.value.toLowerCase();
    const rows = templates.filter((row) => `${row.template} ${row.example}`.toLowerCase().includes(wanted));
    replace(body, rows.map((row) => h("tr", { tabindex: 0, onclick: () => open(row) },
      h("td", {}, h("b", {}, words(row.template)), h("br"), h("small", {}, row.example)),
      h("td", { class: "number" }, percent(row.success)),
      h("td", {}, range(row.low, row.success, row.high)),
      h("td", { class: "narrow-hide" }, spark(row.trend)),
      h("td", { class: "number narrow-hide" }, change(row.change)),
      h("td", { class: "number" }, number(row.episodes)),
      h("td", { class: "number narrow-hide" }, number(row.steps)),
      h("td", { class: "number narrow-hide" }, row.faults ? String(row.faults) : ""))));
    if (!rows.length) replace(body, h("tr", {}, h("td", { colspan: 8, class: "empty" }, "no template was tried yet")));
  }

  search.addEventListener("input", list);
  list();
  replace(root,
    h("div", { class: "row spread" }, h("div", {}, h("h1", {}, "Tasks"), h("div", { class: "soft" }, "Success while collecting, the hardest first. Healthy: lines rise, and no template stays at 0.")), search),
    h("div", { class: "card scroll" }, h("table", {}, h("thead", {}, h("tr", {},
      h("th", {}, "template"), h("th", { class: "number" }, "success"), h("th", {}, "95 % interval"),
      h("th", { class: "narrow-hide" }, "trend"), h("th", { class: "number narrow-hide" }, "change"),
      h("th", { class: "number" }, "tried"), h("th", { class: "number narrow-hide" }, "steps"), h("th", { class: "number narrow-hide" }, "faults"))), body)));
  return {};
}

function change(value) {
  if (value === null) return "–";
  const points = Math.round(100 * value);
  return h("span", { class: points > 0 ? "good" : points < 0 ? "bad" : "" }, `${points > 0 ? "+" : ""}${points}`);
}
