// Where a run is, how well it does, and whether it is healthy.

import { get, runPath } from "./api.js";
import { lines } from "./charts.js";
import { h, number, percent, replace } from "./dom.js";

const EVERY = 4000;

export async function overviewPage(root, { run }) {
  const head = h("div", { class: "card" });
  const alerts = h("div", { class: "alerts" });
  const plots = h("div", { class: "grid charts" });
  const gauges = h("div", { class: "card" });
  replace(root, alerts, head, plots, gauges);
  const shown = new Map();

  async function draw() {
    const data = await get(runPath(run, "overview"));
    replace(alerts, problems(data), data.alerts.map((alert) => h("div", { class: "alert" }, h("b", {}, alert.title), " ", alert.text)));
    replace(head, figures(data));
    for (const chart of data.charts) {
      if (!shown.has(chart.id)) {
        const plot = h("div", { class: "plot" });
        plots.append(h("section", { class: "card chart", id: `chart-${chart.id}` }, h("h2", {}, chart.title), plot, h("p", { class: "healthy" }, chart.healthy)));
        shown.set(chart.id, plot);
      }
    }
    replace(gauges, h("h2", {}, "All gauges"), gaugeGrid(data.gauges));
    await Promise.all(data.charts.map((chart) => lines(shown.get(chart.id), chart)));
  }

  await draw();
  let last = Date.now(), busy = false;
  return {
    news: async () => {
      if (busy || Date.now() - last < EVERY) return;
      busy = true;
      try { await draw(); } catch { /* the next news tries again */ }
      last = Date.now();
      busy = false;
    },
  };
}

// What cannot be read of this run, and what this version does not understand of it.
function problems(data) {
  const damaged = data.problems.map((problem) => h("div", { class: "alert problem" }, h("b", {}, "Part of this run cannot be read."), " ", problem));
  if (!data.unknown_settings.length) return damaged;
  return [damaged, h("div", { class: "alert note", id: "unknown-settings" }, h("b", {}, "Settings that this version does not know, and leaves out:"), " ",
    data.unknown_settings.map((row, i) => [i ? ", " : "", h("code", {}, `${row.name}: ${row.value}`)]))];
}

function figures(data) {
  const { before, after } = data.evaluations;
  const evaluated = (stage) => (stage ? `${percent(stage.overall.success)}` : "–");
  const reach = (stage) => (stage && stage.overall.low !== null ? ` (${percent(stage.overall.low)} to ${percent(stage.overall.high)})` : "");
  const figure = (value, name) => h("div", { class: "figure" }, h("b", {}, value), h("span", {}, name));
  return [
    h("h1", {}, data.run),
    h("p", { class: "soft" }, `${data.algorithm ?? "unknown algorithm"} on ${data.suite ?? "an unknown suite"}, ${data.state}`),
    h("div", { class: "figures" },
      figure(evaluated(before), `greedy before${reach(before)}`),
      figure(evaluated(after), `greedy after${reach(after)}`),
      figure(percent(data.success), "of the last 200 episodes"),
      figure(number(data.episodes), "episodes"), figure(number(data.steps), "steps"),
      figure(number(data.updates), "updates"), figure(number(data.minutes), "minutes of training")),
  ];
}

function gaugeGrid(rows) {
  if (!rows.length) return h("div", { class: "empty" }, "nothing was recorded yet");
  return h("div", { class: "grid gauges" }, rows.map((row) =>
    h("div", { class: `gauge ${row.ok === true ? "ok" : row.ok === false ? "ill" : ""}`, title: row.healthy }, h("span", {}, row.words), h("b", {}, row.value))));
}
