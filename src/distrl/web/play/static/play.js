// The page of `distrl play`: every snapshot of the session is drawn, every wish is sent in order.

import { h, replace } from "/static/dom.js";
import { get, post } from "/static/api.js";
import { deviceView } from "/static/device.js";
import { FORWARD, RESTART, goalView, historyView, icon, keptView, nowView, tasksView, whoView } from "/static/panels.js";

const PHONES = ["phone", "android"];
const at = (id) => document.getElementById(id);
let now = null;

// One after another: a tap must not overtake the text that was typed before it.
let line = Promise.resolve();
function ask(wish) {
  line = line.then(() => post("/api/do", wish)).catch((error) => toast(error.message));
  return line;
}
const act = (action) => {
  if (!now || now.ending || now.phase === "broken") return;
  ask({ do: "act", action });
};

let fading = null;
function toast(message) {
  document.querySelector(".toast")?.remove();
  const shown = h("div", { class: "toast", role: "status" }, message);
  document.body.append(shown);
  clearTimeout(fading);
  fading = setTimeout(() => shown.remove(), 3500);
}

const ICONS = {
  back: ["M15 5l-8 7 8 7z"],
  home: ["M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14z"],
  enter: ["M20 6v7H5", "M9 9l-4 4 4 4"],
  wait: ["M7 3h10", "M7 21h10", "M8 3c0 5 8 6 8 9s-8 4-8 9", "M16 3c0 5-8 6-8 9s8 4 8 9"],
  recents: ["M5 5h14v14H5z"],
  answer: ["M4 5h16v11H11l-5 4v-4H4z"],
  done: ["M5 13l5 5L20 6"],
  never: ["M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z", "M6.5 6.5l11 11"],
};

// What the goal asks, answered in words.
function askAnswer() {
  const dialog = at("answering"), said = h("input", { id: "answer", autocomplete: "off", "aria-label": "Your answer" });
  const send = () => { const words = said.value.trim(); if (words) { dialog.close(); act(`answer(${JSON.stringify(words)})`); } };
  said.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing) { event.preventDefault(); send(); } });
  replace(dialog, h("h2", {}, "Your answer"), h("p", {}, "It ends the task: only then it is compared."), said, h("p", {}),
    h("button", { class: "main", id: "answer-send", onclick: send }, "Answer"), h("button", { onclick: () => dialog.close() }, "Cancel"));
  dialog.showModal();
}

function keys() {
  const key = (id, label, wish, kind = "") => h("button", { id: `key-${id}`, class: kind, title: label, onclick: wish }, icon(...ICONS[id]), label);
  const sends = (action) => () => act(action);
  const row = [
    key("back", "Back", sends("press(back)")), key("home", "Home", sends("press(home)")), key("recents", "Recents", sends("press(recents)"), "seldom"),
    key("enter", "Enter", sends("press(enter)"), "seldom"), key("wait", "Wait", sends("wait()"), "seldom"),
    key("answer", "Answer", askAnswer), key("done", "Done", sends("complete()"), "yes"), key("never", "Cannot be done", sends("infeasible()")),
  ];
  const view = h("div", { class: "keys" }, row);
  return [view, (state) => {
    const over = Boolean(state.ending) || state.phase === "broken";
    for (const button of row) button.disabled = over;
  }];
}

const HELP = [
  ["Click", "tap"], ["Hold", "long press"], ["Drag, wheel", "swipe"], ["Shift and click", "double tap"], ["Shift and drag", "take hold of a thing and move it"], ["Letters", "typed into the focused field, as one step when you pause"],
  ["Enter", "type what is gathered; else the Enter key"], ["Backspace", "the last letter"], ["Esc", "Back"], ["Done", "say that the goal is reached: only then it is checked"], ["Answer", "the same for a goal that asks something"],
];

const LIST = ["M8 6h12", "M8 12h12", "M8 18h12", "M4 6h0", "M4 12h0", "M4 18h0"];
const small = (label, paths, wish) => h("button", { class: "round narrow-only", "aria-label": label, onclick: wish }, icon(...paths));

function top(scene) {
  const help = at("help");
  replace(help, h("h2", {}, "How to play"), h("table", {}, HELP.map(([what, means]) => h("tr", {}, h("td", {}, h("kbd", {}, what)), h("td", {}, means)))),
    h("p", {}), h("button", { class: "main", onclick: () => help.close() }, "Close"));
  const status = h("span", { class: "chip", id: "status" });
  replace(at("top"), h("span", { class: "brand" }, h("img", { src: "/static/icon.svg", alt: "" }), "distrl play"), h("span", { class: "where" }, scene.suite),
    h("span", { class: "end" }, status, small("Restart", RESTART, () => ask({ do: "restart" })), small("Next task", FORWARD, () => ask({ do: "next" })), small("Tasks", LIST, () => at("tasks").scrollIntoView({ behavior: "smooth" })), h("button", { class: "round", "aria-label": "How to play", onclick: () => help.showModal() }, "?")));
  return (state) => {
    const over = Boolean(state.ending) || state.phase === "broken";
    const agent = state.policy && !state.taken;
    const words = over ? (state.ending?.headline ?? "The device failed") : agent ? (state.running ? `${state.policy} plays` : "paused") : state.phase === "opening" ? "one moment" : "your turn";
    status.className = `chip ${over ? (state.ending?.success ? "good" : "bad") : agent && !state.running ? "" : "on"}`;
    if (status.textContent !== words) replace(status, words);
  };
}

async function main() {
  history.replaceState(null, "", "/"); // the cookie is enough from now on, and a token is no address
  const scene = await get("/api/scene");
  const context = { ask, act, scene, state: () => now };
  const device = deviceView(at("device"), context);
  const [row, showKeys] = keys();
  at("device").append(row);
  const phone = PHONES.includes(scene.device);
  const views = [top(scene), goalView(at("goal"), context), nowView(at("now"), context), whoView(at("side"), context), historyView(at("side")), keptView(at("side"), context), tasksView(at("tasks"), context), showKeys, (state) => device(state, phone)];

  const events = new EventSource("/api/events");
  let lost = false;
  events.addEventListener("snapshot", (event) => {
    now = JSON.parse(event.data);
    lost = false;
    document.body.dataset.phase = now.phase;
    for (const view of views) view(now);
  });
  events.onerror = () => {
    if (!lost) toast("The connection is lost. Is distrl play still running?");
    lost = true;
  };
  window.addEventListener("pagehide", () => events.close());
}

main().catch((error) => toast(error.message));
