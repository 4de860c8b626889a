// Two runs, or two checkpoints of one, side by side.

import { get, runPath } from "./api.js";
import { lines } from "./charts.js";
import { h, outcomeChip, percent, phone, range, replace, words } from "./dom.js";

export async function comparePage(root, { run, runs, query, restate }) {
  const wanted = { left: query.left ?? run, right: query.right ?? (runs.find((r) => r.run !== run && !r.problems.length)?.run ?? run) };
  const result = h("div", { class: "stack" });
  const choose = (side) => h("select", { "aria-label": side === "left" ? "First run" : "Second run", onchange: (e) => { wanted[side] = e.target.value; draw(); } },
    runs.map((r) => h("option", { value: r.run, selected: r.run === wanted[side] }, r.run)));
  const { checkpoints } = await get(runPath(run, "overview"));
  replace(root, h("h1", {}, "Compare"), h("div", { class: "card row" }, choose("left"), h("span", { class: "soft" }, "with"), choose("right")), result, duel(run, checkpoints));

  async function draw() {
    restate(wanted);
    let data;
    try {
      data = await get("/api/compare", wanted);
    } catch (error) {
      return replace(result, h("div", { class: "card error" }, h("p", {}, error.message)));
    }
    const plots = h("div", { class: "grid charts" });
    replace(result, plots, templates(data), settings(data));
    for (const id of ["success-time", "success-episodes", "throughput", "entropy"]) {
      const [a, b] = [data.left, data.right].map((side) => side.charts.find((chart) => chart.id === id));
      const series = [...a.series.slice(0, 1), ...b.series.slice(0, 1)];
      const names = [a.series.length ? data.left.run : null, b.series.length ? data.right.run : null].filter(Boolean);
      const plot = h("div", { class: "plot" });
      plots.append(h("section", { class: "card chart" }, h("h2", {}, a.title), plot, h("p", { class: "healthy" }, a.healthy)));
      await lines(plot, { ...a, series }, { names });
    }
  }

  await draw();
  return {};
}

function templates(data) {
  const cell = (side, second) => [h("td", { class: "number" }, percent(side.success)), h("td", { class: "narrow-hide" }, range(side.low, side.success, side.high, second))];
  return h("div", { class: "card scroll" }, h("h2", {}, "Success per template"), data.templates.length
    ? h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "template"), h("th", { class: "number" }, data.left.run), h("th", { class: "narrow-hide" }), h("th", { class: "number" }, data.right.run), h("th", { class: "narrow-hide" }), h("th", { class: "number" }, "difference"))),
      h("tbody", {}, data.templates.map((row) => h("tr", {}, h("td", {}, words(row.template)), ...cell(row.left, false), ...cell(row.right, true),
        h("td", { class: "number" }, h("span", { class: row.apart ? (row.difference > 0 ? "good" : "bad") : "soft", title: row.apart ? "the intervals do not touch" : "the intervals overlap" }, `${row.difference > 0 ? "+" : ""}${Math.round(100 * row.difference)}`))))))
    : h("div", { class: "empty" }, "the two have no template in common"));
}

function settings(data) {
  return h("div", { class: "card scroll" }, h("h2", {}, "Settings that differ"), data.settings.length
    ? h("table", {}, h("tbody", {}, data.settings.map((row) => h("tr", {}, h("td", {}, h("code", {}, row.name)), h("td", {}, row.left), h("td", {}, row.right)))))
    : h("p", { class: "soft" }, "None."));
}

function duel(run, checkpoints) {
  const names = checkpoints.map((checkpoint) => checkpoint.name);
  const pick = (index, label) => h("select", { "aria-label": label }, names.map((name, i) => h("option", { value: name, selected: i === index }, name)));
  const left = pick(0, "First checkpoint"), right = pick(names.length - 1, "Second checkpoint");
  const rows = h("div", { class: "stack" });
  const start = h("button", { class: "main", disabled: names.length === 0, onclick: play }, "Play four tasks");
  async function play() {
    start.disabled = true;
    replace(rows, h("p", { class: "soft" }, "Both play the same tasks, from the same state…"));
    try {
      const data = await get(runPath(run, "duel"), { left: left.value, right: right.value, tasks: 4 });
      replace(rows, data.rows.map((row) => h("div", {}, h("h2", {}, row.goal), h("div", { class: "pair-of" }, row.played.map((played) => h("div", { class: "row" },
        h("div", { style: "width: 84px" }, phone(played.screen, null, "how it ended")), h("div", {}, outcomeChip(played.outcome), h("div", { class: "soft" }, `${played.steps.length} steps: ${played.steps.join(", ")}`))))))));
    } catch (error) {
      replace(rows, h("p", { class: "bad" }, error.message));
    }
    start.disabled = false;
  }
  return h("div", { class: "card stack", id: "duel" }, h("h2", {}, `Two checkpoints of ${run}`), names.length
    ? h("div", { class: "row" }, left, h("span", { class: "soft" }, "against"), right, start) : h("p", { class: "soft" }, "There is no checkpoint yet."), rows);
}
