// Elements without markup: text is always text, so nothing a phone shows can become part of the page.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined));
  return element;
}

export const number = (value, digits = 3) =>
  value === null || value === undefined || !Number.isFinite(value)
    ? "–"
    : Math.abs(value) >= 100
      ? Math.round(value).toLocaleString("en")
      : String(Number(value.toPrecision(digits)));

export const percent = (value) =>
  value === null || value === undefined ? "–" : `${Math.round(100 * value)} %`;

// How long ago something was, in the largest unit that fits; the exact moment belongs in a title.
export function ago(seconds, now = Date.now() / 1000) {
  if (seconds === null || seconds === undefined) return "–";
  const passed = Math.max(0, now - seconds);
  const unit = [["d", 86400], ["h", 3600], ["min", 60]].find(([, size]) => passed >= size);
  return unit ? `${Math.floor(passed / unit[1])} ${unit[0]} ago` : "just now";
}

export const words = (name) => String(name).replaceAll("_", " ");

export function outcomeChip(outcome) {
  const kind = outcome === "succeeded" ? "good" : "bad";
  return h("span", { class: `chip ${kind}` }, words(outcome));
}

export function stateChip(state) {
  const kind = { running: "on", finished: "good", stopped: "", broken: "bad" }[state] ?? "";
  return h("span", { class: `chip ${kind}` }, state);
}

// An interval inside [0, 1] with its middle.
export function range(low, value, high, second = false) {
  if (value === null) return h("span", { class: "soft" }, "–");
  const x = (share) => 4 + 124 * share;
  const label = `${percent(value)}, 95 % interval ${percent(low)} to ${percent(high)}`;
  return svg("svg", { class: second ? "range second" : "range", viewBox: "0 0 132 18", role: "img", "aria-label": label },
    svg("line", { class: "axis", x1: 4, x2: 128, y1: 9, y2: 9 }),
    svg("line", { class: "reach", x1: x(low), x2: x(high), y1: 9, y2: 9 }),
    svg("circle", { class: "dot", cx: x(value), cy: 9, r: 4 }));
}

export function spark(values) {
  if (values.length < 2) return h("span", { class: "soft" }, "–");
  const path = values.map((v, i) =>
    `${i ? "L" : "M"}${(2 + (92 * i) / (values.length - 1)).toFixed(1)} ${(21 - 18 * v).toFixed(1)}`);
  return svg("svg", { class: "spark", viewBox: "0 0 96 24", role: "img", "aria-label": `from ${percent(values[0])} to ${percent(values.at(-1))}` },
    svg("path", { d: path.join("") }));
}

// What was done, drawn where it hit.
export function overlay(action) {
  const drawing = svg("svg", { viewBox: "0 0 180 400", preserveAspectRatio: "none", "aria-hidden": "true" });
  if (!action) return drawing;
  const [x, y] = [180 * action.x, 400 * action.y];
  const both = (tag, attributes) => ["halo", "finger"].map((layer) => svg(tag, { ...attributes, class: layer }));
  if (action.kind === "tap") drawing.append(...both("circle", { cx: x, cy: y, r: 12 }));
  if (action.kind === "long_press" || action.kind === "double_tap")
    drawing.append(...both("circle", { cx: x, cy: y, r: 9 }), ...both("circle", { cx: x, cy: y, r: 16 }));
  if (action.kind === "swipe" || action.kind === "drag") {
    const [x2, y2] = [180 * action.x2, 400 * action.y2];
    const angle = Math.atan2(y2 - y, x2 - x);
    const barb = (turn) => `M${x2 - 14 * Math.cos(angle + turn)} ${y2 - 14 * Math.sin(angle + turn)}L${x2} ${y2}`;
    drawing.append(...both("path", { d: `M${x} ${y}L${x2} ${y2}${barb(0.6)}${barb(-0.6)}` }));
  }
  return drawing;
}

// Actions that leave no mark on the screen are said in words.
export function spoken(action) {
  if (!action) return null;
  const said = { type: `type “${action.text}”`, answer: `answer “${action.text}”`, open_app: `open “${action.text}”`, press: `press ${action.key}` }[action.kind];
  const plain = ["wait", "complete", "infeasible"].includes(action.kind) ? action.kind : null;
  const text = said ?? plain;
  return text ? h("div", { class: "words" }, text) : null;
}

export function phone(source, action, alt) {
  return h("div", { class: "screen" },
    source ? h("img", { src: source, alt, loading: "lazy", draggable: "false" }) : h("div", { class: "blank" }, "no screen yet"),
    overlay(action), spoken(action));
}
