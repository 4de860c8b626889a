// The device's screen: what is seen on it, and what fingers, wheel and keyboard do to it.

import { h, svg, replace } from "/static/dom.js";

const FAR = 12; // pixels that a finger moves before it is a swipe
const HOLD = 520; // milliseconds until a touch is held
const QUIET = 1000; // milliseconds after the last letter until the text is typed
const SCROLL = 70, REST = 380; // wheel travel for one swipe, and the pause after it
const REACH = 0.4;

const fixed = (value) => Math.min(1, Math.max(0, value)).toFixed(3);

// Where an action hits, in a drawing as wide as 180.
export function marks(action, tall, kind) {
  const drawing = svg("svg", { viewBox: `0 0 180 ${180 * tall}`, class: kind, "aria-hidden": "true" });
  const [x, y] = [180 * action.x, 180 * tall * action.y];
  const both = (tag, shape) => ["halo", "ink"].map((layer) => svg(tag, { ...shape, class: `ring ${layer}` }));
  const touch = ["tap", "long_press", "double_tap"].includes(action.kind);
  if (touch && kind === "next") drawing.append(svg("circle", { cx: x, cy: y, r: 16, class: "pulse" }));
  if (touch) drawing.append(...both("circle", { cx: x, cy: y, r: 9 }));
  if (touch && action.kind !== "tap") drawing.append(...both("circle", { cx: x, cy: y, r: 15 }));
  if (action.kind === "swipe" || action.kind === "drag") {
    const [x2, y2] = [180 * action.x2, 180 * tall * action.y2];
    const angle = Math.atan2(y2 - y, x2 - x);
    const barb = (turn) => `M${x2 - 11 * Math.cos(angle + turn)} ${y2 - 11 * Math.sin(angle + turn)}L${x2} ${y2}`;
    drawing.append(...both("path", { d: `M${x} ${y}L${x2} ${y2}${barb(0.6)}${barb(-0.6)}` }));
  }
  return drawing;
}

const PLACELESS = ["type", "press", "wait", "complete", "infeasible", "answer", "open_app"];

export function deviceView(root, { act, scene, state }) {
  const image = h("img", { alt: "Screen of the device", draggable: "false" });
  const blank = h("div", { class: "blank" }, "One moment");
  const layer = h("div"), trail = h("div"), busy = h("div", { class: "busy", hidden: true }), said = h("div");
  const glass = h("div", { class: "glass" }, image, blank, layer, trail, busy, said);
  const frame = h("div", { class: "frame", id: "frame", tabindex: "0", role: "application", "aria-label": "Device: click to tap, hold, drag to swipe, type" }, glass);
  const text = h("input", { id: "typing", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "send", "aria-label": "Text to type on the device" });
  const type = h("button", { id: "send", onclick: () => flush() }, "Type");
  const typing = h("div", { class: "typing" }, text, type);
  replace(root, frame, typing);
  image.hidden = true;
  let loading = 0, late = null, drawn = "";

  // Text is gathered, for every action costs a step.
  let quiet = null;
  function flush() {
    clearTimeout(quiet);
    const value = text.value;
    text.value = "";
    if (value) act(`type(${JSON.stringify(value)})`);
  }
  const touch = (action) => { flush(); act(action); };
  text.addEventListener("input", (event) => {
    clearTimeout(quiet);
    if (!event.isComposing) quiet = setTimeout(flush, QUIET);
  });
  text.addEventListener("compositionend", () => { clearTimeout(quiet); quiet = setTimeout(flush, QUIET); });
  document.addEventListener("keydown", (event) => {
    const inside = event.target === text;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
    if (!inside && event.target.closest("input, select, textarea")) return;
    if (!inside && event.target.closest("button, a") && ["Enter", " "].includes(event.key)) return;
    const now = state();
    if (!now || now.phase === "ended" || now.phase === "broken") return;
    if (event.key === "Escape") { event.preventDefault(); touch("press(back)"); }
    else if (event.key === "Enter") { event.preventDefault(); if (text.value) flush(); else act("press(enter)"); }
    else if (event.key === "Backspace" && !text.value) {
      event.preventDefault();
      if (now.backspace) act(`tap(${now.backspace.map(fixed).join(", ")})`);
    } else if (event.key.length === 1 && now.keyboard && !inside) text.focus(); // the letter lands in it
  });

  // Fingers and the mouse.
  let down = null;
  const place = (event) => {
    const box = glass.getBoundingClientRect();
    return [fixed((event.clientX - box.left) / box.width), fixed((event.clientY - box.top) / box.height)];
  };
  const draw = (action) => replace(trail, action ? marks(action, tall(), "hand") : null);
  const tall = () => { const now = state(); return now ? now.height / now.width : 2.2; };
  const point = ([x, y]) => ({ kind: "tap", x: Number(x), y: Number(y) });
  glass.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || down) return;
    event.preventDefault();
    frame.focus({ preventScroll: true });
    glass.setPointerCapture(event.pointerId);
    const at = place(event);
    down = { id: event.pointerId, at, x: event.clientX, y: event.clientY, moved: false, held: false };
    down.timer = setTimeout(() => { if (down && !down.moved) { down.held = true; draw({ ...point(at), kind: "long_press" }); touch(`long_press(${at.join(", ")})`); } }, HOLD);
    draw(point(at));
  });
  glass.addEventListener("pointermove", (event) => {
    if (!down || down.id !== event.pointerId || down.held) return;
    if (!down.moved && Math.hypot(event.clientX - down.x, event.clientY - down.y) > FAR) { down.moved = true; clearTimeout(down.timer); }
    if (down.moved) { const [x2, y2] = place(event); draw({ ...point(down.at), kind: "swipe", x2: Number(x2), y2: Number(y2) }); }
  });
  glass.addEventListener("pointerup", (event) => {
    if (!down || down.id !== event.pointerId) return;
    clearTimeout(down.timer);
    const { at, moved, held } = down;
    down = null;
    setTimeout(() => { if (!down) draw(null); }, 260);
    if (held) return;
    // With Shift a finger takes hold of things, or taps twice: a second click could not take the first one back.
    const [move, tap] = event.shiftKey ? ["drag", "double_tap"] : ["swipe", "tap"];
    touch(moved ? `${move}(${at.join(", ")}, ${place(event).join(", ")})` : `${tap}(${at.join(", ")})`);
  });
  glass.addEventListener("pointercancel", () => { if (down) clearTimeout(down.timer); down = null; draw(null); });
  glass.addEventListener("contextmenu", (event) => event.preventDefault());

  let travel = [0, 0], rested = 0;
  glass.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.timeStamp - rested < REST) return;
    travel = [travel[0] + event.deltaX, travel[1] + event.deltaY];
    const sideways = Math.abs(travel[0]) > Math.abs(travel[1]);
    const way = sideways ? travel[0] : travel[1];
    if (Math.abs(way) < SCROLL) return;
    rested = event.timeStamp;
    travel = [0, 0];
    const [x, y] = place(event).map(Number);
    // The finger starts under the pointer, where it has room to move.
    const room = (v) => (way > 0 ? Math.max(v, 0.5) : Math.min(v, 0.5));
    const from = sideways ? [room(x), y] : [x, room(y)];
    const to = from.map((v, i) => (i === (sideways ? 0 : 1) ? v - Math.sign(way) * REACH : v));
    touch(`swipe(${[...from, ...to].map(fixed).join(", ")})`);
  }, { passive: false });

  function showScreen(now) {
    if (!now.screen || now.screen === loading) return;
    loading = now.screen;
    const next = new Image();
    next.src = `/api/screens/${now.screen}?of=${scene.session}`; // a browser may keep it
    next.decode().then(() => {
      if (loading !== now.screen) return;
      image.src = next.src; image.hidden = false; blank.hidden = true;
      frame.dataset.screen = now.screen;
    }).catch(() => { /* a newer one is on its way */ });
  }

  function showBusy(now) {
    const working = { opening: "setting the task up", loading: "thinking", acting: "busy" }[now.phase];
    const words = now.pending > 1 ? `busy, ${now.pending} waiting` : working;
    clearTimeout(late);
    if (!words) { busy.hidden = true; return; }
    replace(busy, words);
    // Fast devices would only make it flicker.
    if (busy.hidden) late = setTimeout(() => { busy.hidden = false; }, 300);
  }

  return (now, phone) => {
    frame.className = `frame ${phone ? "phone" : "page"}${now.phase === "ended" || now.phase === "broken" ? " over" : ""}`;
    frame.style.setProperty("--ratio", now.width / now.height);
    showScreen(now);
    showBusy(now);
    const last = now.history.at(-1);
    const deed = now.proposal ?? (now.ending ? null : last);
    const key = JSON.stringify([now.proposal, now.history.length, now.ending?.outcome, now.width, now.height]);
    if (key !== drawn) {
      drawn = key;
      replace(layer, deed ? marks(deed.action, now.height / now.width, now.proposal && deed.who !== "you" ? "next" : "done") : null);
      const placeless = now.proposal && now.proposal.who !== "you" && PLACELESS.includes(deed.action.kind);
      if (now.ending) replace(said, h("div", { class: `bubble seal ${now.ending.success ? "good" : "bad"}` }, `${now.ending.success ? "✓" : "✗"} ${now.ending.headline}`));
      else replace(said, placeless ? h("div", { class: "bubble" }, deed.words) : null);
    }
    typing.classList.toggle("on", now.keyboard && (!now.policy || now.taken));
    text.placeholder = now.keyboard ? "Type: a text field is focused" : "Tap a text field, then type";
  };
}
