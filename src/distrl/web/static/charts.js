// Charts in the page's own colours. Plotly is loaded when the first chart is drawn.

import { h, replace } from "./dom.js";

let loading = null;

function plotly() {
  loading ??= new Promise((done, failed) => {
    const script = h("script", { src: "/static/plotly.min.js" });
    script.onload = () => done(window.Plotly);
    script.onerror = () => failed(new Error("the plotting library could not be loaded"));
    document.head.append(script);
  });
  return loading;
}

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const CONFIG = { displayModeBar: false, responsive: true };

function layout(extra) {
  const axis = { gridcolor: color("--line"), linecolor: color("--line"), zeroline: false, tickfont: { size: 11 }, automargin: true, fixedrange: true };
  const { xaxis, yaxis, ...rest } = extra;
  return {
    margin: { l: 44, r: 12, t: 8, b: 34 }, height: 220, autosize: true,
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: "system-ui, sans-serif", size: 12, color: color("--soft") },
    hoverlabel: { bgcolor: color("--paper"), bordercolor: color("--line"), font: { color: color("--ink") } },
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, font: { size: 11 } },
    hovermode: "x unified",
    xaxis: { ...axis, ...xaxis }, yaxis: { ...axis, ...yaxis },
    ...rest,
  };
}

export async function lines(element, chart) {
  const drawn = chart.series.filter((series) => series.y.length);
  if (!drawn.length) return nothing(element);
  const library = await plotly();
  if (!element.isConnected) return;
  clear(element);
  const traces = drawn.map((series, i) => {
    const shade = color(`--c${i % 4}`);
    const points = series.low !== null;
    return {
      x: series.x, y: series.y, name: series.name, type: "scatter",
      mode: points ? "markers" : series.y.length === 1 ? "markers" : "lines",
      line: { color: shade, width: 1.8 }, marker: { color: shade, size: 8 },
      error_y: points ? {
        type: "data", symmetric: false, color: shade, thickness: 1.2, width: 4,
        array: series.y.map((y, k) => Math.max(0, (series.high[k] ?? y) - y)),
        arrayminus: series.y.map((y, k) => Math.max(0, y - (series.low[k] ?? y))),
      } : undefined,
    };
  });
  const over = chart.over === "minutes" ? "minutes" : "episodes";
  await library.react(element, traces, layout({
    showlegend: traces.length > 1,
    margin: { l: 44, r: 12, t: traces.length > 1 ? 26 : 8, b: 34 },
    xaxis: { title: { text: over, font: { size: 11 }, standoff: 4 }, rangemode: "tozero" },
    yaxis: chart.percent ? { range: [-0.03, 1.03], tickformat: ".0%" } : { rangemode: "tozero" },
  }), CONFIG);
}

const SHADES = 8;
export const shade = (i) => `var(--c${i % SHADES})`;
const DASHES = ["solid", "dash", "dot", "dashdot"];
export const dashOf = (i) => DASHES[Math.floor(i / SHADES) % DASHES.length];

// Curves of several runs: a line each, a band where it is a mean of seeds, points for evaluations.
export async function curves(element, chart, over) {
  const all = chart.curves.flatMap((curve) => [curve.line, ...curve.points]);
  if (!all.some((curve) => curve.x.length)) return nothing(element, `nothing was recorded over ${over}`);
  const library = await plotly();
  if (!element.isConnected) return;
  clear(element);
  const traces = chart.curves.flatMap((curve, i) => [...band(curve.line, color(`--c${i % SHADES}`)), lineOf(curve, i), ...curve.points.map((points) => dots(points, curve, i))]);
  await library.react(element, traces.filter((trace) => trace.x.length), layout({
    height: element.clientHeight || 220, showlegend: false, hovermode: "closest",
    xaxis: { title: { text: over, font: { size: 11 }, standoff: 4 }, rangemode: "tozero" },
    yaxis: chart.percent ? { range: [-0.03, 1.03], tickformat: ".0%" } : { rangemode: "tozero" },
  }), CONFIG);
}

function band(line, ink) {
  if (!line.low) return [];
  const edge = { x: line.x, type: "scatter", mode: "lines", line: { width: 0 }, hoverinfo: "skip" };
  return [{ ...edge, y: line.low }, { ...edge, y: line.high, fill: "tonexty", fillcolor: `${ink}30` }];
}

function lineOf(curve, i) {
  return {
    x: curve.line.x, y: curve.line.y, name: curve.name, type: "scatter", mode: curve.line.x.length === 1 ? "markers" : "lines",
    line: { color: color(`--c${i % SHADES}`), width: 2, dash: dashOf(i) }, marker: { color: color(`--c${i % SHADES}`), size: 6 },
  };
}

function dots(points, curve, i) {
  const ink = color(`--c${i % SHADES}`);
  return {
    x: points.x, y: points.y, name: `${curve.name}, greedy`, type: "scatter", mode: "markers", cliponaxis: false,
    marker: { color: ink, size: 9, line: { color: color("--paper"), width: 1.5 } },
    error_y: curve.points.length === 1 && points.low ? {
      type: "data", symmetric: false, color: ink, thickness: 1.4, width: 5,
      array: points.y.map((y, k) => Math.max(0, (points.high[k] ?? y) - y)),
      arrayminus: points.y.map((y, k) => Math.max(0, y - (points.low[k] ?? y))),
    } : undefined,
  };
}

export async function histogram(element, bars, { onPick, format, missing }) {
  if (!bars.length) return nothing(element, missing);
  const library = await plotly();
  if (!element.isConnected) return;
  clear(element);
  const names = bars.map((bar) => (bar.low === bar.high ? format(bar.low) : `${format(bar.low)} to ${format(bar.high)}`));
  const trace = {
    type: "bar", x: bars.map((bar) => (bar.low + bar.high) / 2), y: bars.map((bar) => bar.count),
    width: bars.map((bar, i) => bars.length > 1 ? 0.92 * ((bars[i + 1]?.low ?? 2 * bar.low - bars[i - 1].low) - bar.low) : 1),
    customdata: names, hovertemplate: "%{customdata}: %{y} episodes<extra></extra>",
    marker: { color: color("--c0") },
  };
  if (bars.length > 2) trace.x[bars.length - 1] = trace.x[bars.length - 2] + (bars[1].low - bars[0].low);
  await library.react(element, [trace], layout({ hovermode: "closest", bargap: 0.08, yaxis: { rangemode: "tozero" } }), CONFIG);
  element.removeAllListeners?.("plotly_click");
  element.on("plotly_click", (event) => onPick(bars[event.points[0].pointNumber]));
}

function clear(element) {
  if (element.querySelector(":scope > .empty")) element.replaceChildren();
}

function nothing(element, missing = "nothing was recorded yet") {
  if (window.Plotly && element.data) window.Plotly.purge(element);
  replace(element, h("div", { class: "empty" }, missing));
}
