// Histograms of lag, ratio and priority; a bar is a filter.

import { get, runPath } from "./api.js";
import { histogram } from "./charts.js";
import { h, number, replace } from "./dom.js";

const AGAIN = 2500;

export async function lagPage(root, { run, go }) {
  const plots = h("div", { class: "grid charts" });
  const state = h("span", { class: "soft", "aria-live": "polite" });
  replace(root, h("div", { class: "row spread" }, h("div", {}, h("h1", {}, "Lag microscope"), h("div", { class: "soft" }, "How old, how surprising and how wanted the stored episodes are. Click a bar to see its episodes.")), state), plots);
  const shown = new Map();
  let timer = null, closed = false;

  async function draw() {
    const data = await get(runPath(run, "lag"));
    if (closed) return;
    replace(state, data.measuring ? `measuring ratios: ${data.measured} episodes so far` : data.measured ? `ratios of the newest ${data.measured} episodes` : "");
    for (const chart of data.charts) {
      if (!shown.has(chart.id)) {
        const plot = h("div", { class: "plot" });
        const list = h("details", {}, h("summary", { class: "soft" }, "As a list"));
        shown.set(chart.id, { plot, list });
        plots.append(h("section", { class: "card chart", id: `histogram-${chart.id}` }, h("h2", {}, chart.title), plot, h("p", { class: "healthy" }, chart.healthy), list));
      }
      const { plot, list } = shown.get(chart.id);
      const pick = (bar) => go("episodes", [], { [`${chart.id}_low`]: bar.low, [`${chart.id}_high`]: bar.high });
      await histogram(plot, chart.bars, { format: number, onPick: pick, missing: data.measuring ? "being measured…" : "nothing was recorded yet" });
      replace(list, h("summary", { class: "soft" }, "As a list"), h("div", { class: "row" }, chart.bars.filter((bar) => bar.count).map((bar) =>
        h("button", { class: "small", onclick: () => pick(bar) }, `${number(bar.low)}–${number(bar.high)}: ${bar.count}`))));
    }
    if (data.measuring) timer = setTimeout(draw, AGAIN);
  }

  await draw();
  return { close: () => { closed = true; clearTimeout(timer); } };
}
