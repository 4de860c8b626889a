// The fleet wall, and one device of it in somebody's hands.

import { get, post, runPath } from "./api.js";
import { h, outcomeChip, overlay, phone, replace, spoken, words } from "./dom.js";

const EVERY = 1000, ENDED = 15000, CLOSE = 350, FAR = 0.04;

export async function fleetPage(root, context) {
  const { run } = context;
  const wall = h("div", { class: "grid wall" });
  const note = h("div", { class: "soft" });
  replace(root, h("div", {}, h("h1", {}, "Fleet"), note), wall);
  let cards = new Map(), ended = null, asked = 0;

  async function draw() {
    // What has ended does not change: it is asked for again now and then, in case the run goes on.
    if (ended && Date.now() - asked < ENDED) return;
    asked = Date.now();
    const fleet = await get(runPath(run, "fleet"));
    if (!fleet.live) return drawLast(fleet.last);
    if (ended) wall.replaceChildren();
    ended = null;
    replace(note, fleet.devices.length && fleet.fresh ? "Healthy: all devices act, none is quarantined or retired. The red mark is the last touch."
      : fleet.devices.length ? "The run has trained and evaluates now: these are the last screens of its devices."
      : "The run shows its devices as soon as it trains.");
    for (const device of fleet.devices) {
      if (!cards.has(device.device)) {
        const card = deviceCard(context, device.device, fleet.control);
        cards.set(device.device, card);
        wall.append(card.element);
      }
      cards.get(device.device).show(device);
    }
  }

  function drawLast(last) {
    const now = JSON.stringify(last);
    if (now === ended) return;
    ended = now;
    cards = new Map();
    replace(note, last.length ? "This run is not running. These are the last screens: the end of each device's newest episode."
      : "This run is not running, and has stored no episode.");
    replace(wall, last.map((device) => lastCard(context, device)));
  }

  const stop = repeat(draw, EVERY);
  await draw();
  return { close: stop };
}

function lastCard({ run, link }, device) {
  const source = device.screen === null ? null : runPath(run, "episodes", device.episode, "screens", device.screen);
  return h("article", { class: "card device last", id: `device-${device.device}` },
    h("div", { class: "row spread" }, h("b", {}, device.device), outcomeChip(device.outcome)),
    h("a", { href: link(run, "episode", [device.episode]), "aria-label": `The newest episode of ${device.device}` }, phone(source, null, `Last screen of ${device.device}`)),
    h("div", { class: "goal" }, device.goal || "no goal was stored"), h("small", {}, `${device.steps} steps`));
}

function repeat(work, every) {
  let closed = false;
  (async () => {
    while (!closed) {
      await new Promise((done) => setTimeout(done, every));
      if (closed || document.hidden) continue;
      try { await work(); } catch { /* the next turn tries again */ }
    }
  })();
  return () => { closed = true; };
}

const STATES = { leased: "acting", free: "waiting", quarantined: "quarantined", retired: "retired" };
const stateOf = (device) => (device.taken ? "in your hands" : STATES[device.state] ?? device.state);
const kindOf = (device) => (device.taken || device.state === "leased" ? "on" : device.state === "free" ? "" : "bad");

function deviceCard({ run, go }, name, control) {
  const state = h("span"), goal = h("div", { class: "goal" }), foot = h("small"), cause = h("div", { class: "cause" });
  const picture = h("a", { href: "#", "aria-label": `Look at ${name}`, onclick: (event) => { event.preventDefault(); go("device", [name]); } });
  const buttons = h("div", { class: "row" });
  let shown = -1, wanted = null;
  const ask = (what) => post(runPath(run, "fleet", name), { do: what });
  return {
    element: h("article", { class: "card device", id: `device-${name}` }, h("div", { class: "row spread" }, h("b", {}, name), state), picture, goal, foot, cause, buttons),
    show: (device) => {
      replace(state, h("span", { class: `chip ${kindOf(device)}` }, stateOf(device)));
      replace(goal, device.goal ?? "no task yet");
      replace(foot, device.step_limit ? `step ${device.step} of ${device.step_limit}${device.outcome ? `, ${words(device.outcome)}` : ""}` : "");
      replace(cause, device.cause ?? "");
      if (device.screen !== shown || !picture.firstChild) {
        shown = device.screen;
        const source = device.screen ? `${runPath(run, "fleet", name, "screen")}?v=${device.screen}` : null;
        replace(picture, phone(source, device.action, `Screen of ${name}`));
      }
      const out = device.state === "quarantined" || device.state === "retired";
      if (control && wanted !== out) {
        wanted = out;
        replace(buttons, h("button", { class: "small", onclick: () => ask(out ? "release" : "quarantine") }, out ? "Release" : "Quarantine"));
      }
    },
  };
}

export async function devicePage(root, { run, rest, control, go }) {
  const name = rest[0];
  const screen = h("div", { class: "screen" });
  const image = h("img", { alt: `Screen of ${name}`, draggable: "false" });
  const marks = h("div"), goal = h("h1"), state = h("div", { class: "row" }), hands = h("div", { class: "stack" }), said = h("p", { class: "soft", "aria-live": "polite" });
  replace(screen, image, marks);
  replace(root, h("div", { class: "grid player" }, h("div", { class: "card" }, screen),
    h("div", { class: "card stack" }, goal, state, hands, said, h("button", { class: "small", onclick: () => go("fleet") }, "Back to the wall"))));
  let shown = -1, now = null, mode = null;

  const ask = async (what, action = "") => {
    try { await post(runPath(run, "fleet", name), { do: what, action }); replace(said, what === "act" ? action : ""); }
    catch (error) { replace(said, error.message); }
  };

  function controls() {
    const next = !control ? "none" : now.taken ? "taken" : "free";
    if (next === mode) return;
    mode = next;
    if (mode === "none") return replace(hands, h("p", { class: "soft" }, "Start with --allow-control to take this device over."));
    if (mode === "free") return replace(hands, h("button", { class: "main", id: "take", onclick: () => ask("take") }, "Take over"), h("p", { class: "soft" }, "The policy pauses on this device at its next step. Your steps are stored as a person's."));
    const text = h("input", { placeholder: "Text to type", "aria-label": "Text to type" });
    const say = (kind) => () => { if (text.value) ask("act", `${kind}(${JSON.stringify(text.value)})`); text.value = ""; };
    text.addEventListener("keydown", (event) => { if (event.key === "Enter") say("type")(); });
    replace(hands, h("p", {}, "Click to tap, hold to press long, drag to swipe; with Shift: tap twice, or take hold and move."),
      h("div", { class: "row" }, text, h("button", { onclick: say("type") }, "Type"), h("button", { onclick: say("open_app") }, "Open app"), h("button", { onclick: say("answer") }, "Answer")),
      h("div", { class: "row" }, ...[["back", "press(back)"], ["home", "press(home)"], ["recents", "press(recents)"], ["enter", "press(enter)"], ["wait", "wait()"], ["done", "complete()"], ["impossible", "infeasible()"]].map(([label, action]) => h("button", { onclick: () => ask("act", action) }, label))),
      h("button", { class: "main", id: "give", onclick: () => ask("give") }, "Give it back"));
  }

  let down = null;
  const point = (event) => {
    const box = screen.getBoundingClientRect();
    const inside = (v) => Math.min(1, Math.max(0, v)).toFixed(3);
    return [inside((event.clientX - box.left) / box.width), inside((event.clientY - box.top) / box.height)];
  };
  screen.addEventListener("pointerdown", (event) => { if (now?.taken) { down = { at: point(event), since: Date.now() }; screen.setPointerCapture(event.pointerId); } });
  screen.addEventListener("pointerup", (event) => {
    if (!down || !now?.taken) return;
    const [x, y] = down.at, [x2, y2] = point(event);
    const moved = Math.hypot(x2 - x, y2 - y) > FAR;
    const held = Date.now() - down.since > 600;
    down = null;
    const [move, tap] = event.shiftKey ? ["drag", "double_tap"] : ["swipe", held ? "long_press" : "tap"];
    ask("act", moved ? `${move}(${x}, ${y}, ${x2}, ${y2})` : `${tap}(${x}, ${y})`);
  });

  async function draw() {
    const fleet = await get(runPath(run, "fleet"));
    now = fleet.devices.find((device) => device.device === name);
    if (!now) { replace(goal, fleet.live ? `There is no device named ${name}` : "This run is not running"); return; }
    replace(goal, now.goal ?? "no task yet");
    replace(state, h("span", { class: `chip ${kindOf(now)}` }, stateOf(now)), h("span", { class: "soft" }, `${name}, step ${now.step ?? 0} of ${now.step_limit ?? "–"}`),
      now.taken ? h("span", { class: "soft" }, now.waits ? "it waits for you" : "one moment") : null);
    screen.classList.toggle("active", Boolean(now.taken));
    if (now.screen !== shown && now.screen) {
      shown = now.screen;
      image.src = `${runPath(run, "fleet", name, "screen")}?v=${now.screen}`;
    }
    replace(marks, overlay(now.action), spoken(now.action));
    controls();
  }

  const stop = repeat(draw, CLOSE);
  await draw();
  return { close: stop };
}
