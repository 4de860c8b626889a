// What stands around the device: goal, what happens now, who plays, history, demonstrations, tasks.

import { h, svg, replace, percent, words } from "/static/dom.js";
import { get } from "/static/api.js";

const FEW = 3;
const RECIPES_SUITE = "general"; // what `distrl train` trains on unless it is told otherwise
const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const PACES = [["0.5×", 2], ["1×", 1], ["2×", 0.5], ["4×", 0.25], ["max", 0]];

export const RESTART = ["M5 12a7 7 0 1 0 2.5-5.4", "M5 4v4h4"], FORWARD = ["M5 5l9 7-9 7z", "M19 5v14"];

export function goalView(root, { ask }) {
  const restart = h("button", { id: "restart", onclick: () => ask({ do: "restart" }) }, icon(...RESTART), "Restart");
  const forward = h("button", { id: "forward", onclick: () => ask({ do: "next" }) }, icon(...FORWARD), "Next task");
  const about = h("div", { class: "about" }), goal = h("h1"), dots = h("div", { class: "dots", "aria-hidden": "true" }), left = h("span");
  const meter = h("div", { class: "meter" }, dots, left);
  replace(root, h("div", {}, about, goal, meter), h("div", { class: "jump" }, restart, forward));
  // The device takes what a goal of several lines leaves, so that the keys below it stay in sight.
  new ResizeObserver(() => document.body.style.setProperty("--goal", `${root.offsetHeight}px`)).observe(root);
  let shown = "";
  return (now) => {
    const used = now.history.length, rest = now.step_limit - used;
    const key = JSON.stringify([now.task, now.goal, used, now.step_limit]);
    if (key === shown) return;
    shown = key;
    replace(about, h("span", {}, now.task), h("span", {}, "·"), h("span", {}, words(now.template)));
    replace(goal, now.goal);
    meter.classList.toggle("few", rest <= FEW);
    const bits = Math.min(now.step_limit, 30);
    replace(dots, Array.from({ length: bits }, (_, i) => h("i", { class: i >= (bits * rest) / now.step_limit ? "used" : "" })));
    replace(left, h("b", {}, `${rest}`), ` of ${now.step_limit} steps left`);
  };
}

function bars(deed) {
  const row = (label, share, kind) => [h("span", {}, label), h("div", { class: `bar ${kind}` }, h("i", { style: `width: ${100 * share}%` })), h("b", {}, percent(share))];
  const rows = [
    deed.probability === null ? null : row("sure of it", deed.probability, ""),
    deed.value === null ? null : row("sees success at", deed.value, "value"),
  ].filter(Boolean);
  return rows.length ? h("div", { class: "bars" }, rows) : null;
}

export function nowView(root, { ask }) {
  const button = (label, wish, kind = "", id = null) => h("button", { class: kind, id, onclick: () => ask(wish) }, label);
  const again = () => button("Start over", { do: "restart" }, "main", "again");

  function ended(now) {
    const end = now.ending;
    const effects = end.side_effects.length;
    const keep = !end.can_be_kept ? null : end.kept
      ? h("button", { disabled: true, id: "keep" }, "✓ Kept as demonstration")
      : button("Keep as demonstration", { do: "keep" }, end.success ? "main" : "", "keep");
    return h("div", { class: `card ${end.success ? "good" : "bad"}`, id: "verdict" },
      h("h2", {}, h("span", { class: "sign", "aria-hidden": "true" }, end.success ? "✓" : "✗"), end.headline),
      h("p", { class: "strong" }, end.reason),
      end.fault ? h("p", {}, end.fault) : null,
      !end.can_be_kept ? null : effects
        ? [h("p", { class: "bad" }, `${count(effects, "side effect")}: lasting changes that the task did not ask for`), h("ul", {}, end.side_effects.map((path) => h("li", {}, h("code", {}, path))))]
        : h("p", {}, `No side effects, ${count(now.history.length, "step")}.`),
      end.can_be_kept && now.split !== "train" ? h("p", {}, `Tasks of ${now.split} measure what was learned: train on others.`) : null,
      h("div", { class: "row" }, end.success ? null : now.phase === "broken" ? again() : button("Try again", { do: "restart" }, "main"), keep, button("Next task", { do: "next" }, end.kept ? "main" : "", "next")));
  }

  function body(now) {
    if (now.ending) return ended(now);
    const notice = now.notice ? h("p", { class: "bad", id: "notice" }, now.notice) : null;
    if (now.phase === "broken")
      return h("div", { class: "card bad", id: "verdict" }, h("h2", {}, h("span", { class: "sign", "aria-hidden": "true" }, "!"), "The device failed"), notice, h("div", { class: "row" }, again()));
    const deed = now.proposal;
    if (now.policy && !now.taken) {
      const head = now.running ? `${now.policy} plays` : `${now.policy} waits`;
      const about = deed && deed.who !== "you" ? `${now.phase === "acting" ? "Now:" : "Next:"} ${deed.words}` : now.phase === "opening" ? "The task is being set up." : "It looks at the screen.";
      return h("div", { class: "card agent" }, h("h2", {}, head), h("p", { class: "strong", id: "about-to" }, about), deed && deed.who !== "you" ? bars(deed) : null, notice,
        h("p", { class: "hint" }, "Touch the screen to take over."),
        h("div", { class: "row narrow-only" }, now.running ? button("Pause", { do: "pause" }, "main") : button("Play", { do: "run" }, "main"), button("Step", { do: "step" }), button("Take over", { do: "take" })));
    }
    return h("div", { class: "card turn" }, h("h2", {}, now.phase === "opening" ? "One moment" : "Your turn"), notice,
      now.phase === "opening" ? h("p", {}, "The task is being set up.") : [
        now.taken ? h("p", { class: "strong" }, `You took over from ${now.policy}.`) : null,
        h("p", { class: "hint" }, "Click to tap, hold to press long, drag to swipe, scroll, type. When the goal is reached, say Done."),
        now.taken ? h("div", { class: "row" }, button(`Give back to ${now.policy}`, { do: "give" }, "main", "give")) : null]);
  }

  let shown = "";
  return (now) => {
    const key = JSON.stringify([now.ending, now.phase === "broken", now.phase === "opening", now.proposal, now.policy, now.taken, now.running, now.notice, now.phase === "acting" && now.policy]);
    if (key === shown) return;
    shown = key;
    replace(root, body(now));
  };
}

export function whoView(root, { ask, scene }) {
  const select = h("select", { id: "policy", "aria-label": "Who plays", onchange: () => ask({ do: "policy", policy: select.value }) },
    h("option", { value: "" }, "You"), scene.policies.map((name) => h("option", { value: name }, name)));
  const run = h("button", { id: "run", class: "main" }), step = h("button", { id: "step", onclick: () => ask({ do: "step" }) }, "Step");
  const hand = h("button", { id: "hand" });
  const paces = PACES.map(([label, seconds]) => h("button", { "data-pace": seconds, onclick: () => ask({ do: "pace", seconds }) }, label));
  const controls = h("div", { class: "who" }, h("div", { class: "row" }, run, step, hand), h("div", { class: "segments", role: "group", "aria-label": "Speed" }, paces));
  run.addEventListener("click", () => ask({ do: run.dataset.do }));
  hand.addEventListener("click", () => ask({ do: hand.dataset.do }));
  root.append(h("div", { class: "card" }, h("h2", {}, "Who plays"), h("div", { class: "who" }, select, controls)));
  return (now) => {
    select.value = now.policy;
    controls.hidden = !now.policy;
    run.dataset.do = now.running ? "pause" : "run";
    replace(run, now.running ? "Pause" : "Play");
    run.hidden = now.taken; // the policy goes on by "Give back" alone
    hand.dataset.do = now.taken ? "give" : "take";
    replace(hand, now.taken ? "Give back" : "Take over");
    const over = Boolean(now.ending) || now.phase === "broken";
    step.disabled = hand.disabled = over;
    run.className = over ? "" : "main";
    for (const pace of paces) pace.setAttribute("aria-pressed", Number(pace.dataset.pace) === now.pace);
  };
}

export function historyView(root) {
  const list = h("ol"), legend = h("span", { class: "legend" });
  root.append(h("div", { class: "card", id: "history" }, h("h2", {}, "What happened", legend), list));
  let shown = "";
  return (now) => {
    const key = `${now.task} ${now.history.length} ${now.screen}`;
    if (key === shown) return;
    shown = key;
    replace(legend, now.history.length ? count(now.history.length, "step") : "");
    if (!now.history.length) { replace(list, h("p", { class: "none" }, "Nothing yet.")); return; }
    replace(list, now.history.map((deed, i) => h("li", { class: deed.who === "you" ? "you" : "agent" },
      h("span", { class: "n" }, `${i + 1}`), h("i", { "aria-hidden": "true" }),
      h("span", {}, deed.words, deed.refused ? h("small", { class: "bad" }, ` · refused: ${deed.refused}`) : null),
      h("small", { title: deed.who }, deed.probability === null ? deed.who : percent(deed.probability)))));
    list.scrollTop = list.scrollHeight;
  };
}

export function keptView(root, { scene }) {
  const body = h("div"), total = h("span");
  const suite = scene.suite === RECIPES_SUITE ? "" : ` tasks.suite=${scene.suite}`;
  root.append(h("div", { class: "card", id: "kept" }, h("h2", {}, "Demonstrations", total), body));
  let shown = "";
  return (now) => {
    const key = JSON.stringify([now.kept_count, now.kept[0]]);
    if (key === shown) return;
    shown = key;
    replace(total, now.kept_count ? `${now.kept_count} kept` : "");
    replace(body, !now.kept_count
      ? h("p", { class: "none" }, "Keep episodes that end well, and train a policy on them.")
      : [h("ul", {}, now.kept.map((one) => h("li", {}, h("span", {}, one.task), h("small", { class: one.outcome === "succeeded" ? "good" : "bad" }, words(one.outcome))))),
        h("code", {}, `distrl train warm_start.episodes=${scene.demonstrations}${suite}`)]);
  };
}

export function tasksView(root, { ask, scene }) {
  const splits = Object.keys(scene.splits);
  let split = null, listed = 0, current = null, template = "";
  const verdicts = new Map();
  const buttons = splits.map((name) => h("button", { title: `${scene.splits[name]} tasks`, onclick: () => { split = name; select.value = template = ""; load(); } }, name));
  const search = h("input", { type: "search", id: "search", placeholder: "Search goals", "aria-label": "Search goals" });
  const select = h("select", { id: "template", "aria-label": "Template", onchange: () => { template = select.value; load(); } });
  const list = h("div", { id: "list" });
  replace(root, h("div", { class: "tools" }, h("div", { class: "segments", role: "group", "aria-label": "Split" }, buttons), search, select), list);
  let soon = null;
  search.addEventListener("input", () => { clearTimeout(soon); soon = setTimeout(load, 150); });

  async function load() {
    const turn = ++listed;
    const found = await get("/api/tasks", { split, text: search.value, template });
    if (turn !== listed) return; // a newer question is being answered
    for (const button of buttons) button.setAttribute("aria-pressed", button.textContent === split);
    const kinds = Object.entries(found.templates);
    replace(select, h("option", { value: "" }, `All ${kinds.length} templates`), kinds.map(([name, tasks]) => h("option", { value: name }, `${words(name)} (${tasks})`)));
    select.value = template;
    replace(list, found.tasks.map((task) => h("button", { "data-task": task.id, onclick: () => { ask({ do: "start", task: task.id }); scrollTo(0, 0); } },
      h("span", {}, task.goal), h("small", {}, words(task.template)), h("span", { class: "mark" }))),
      found.count === 0 ? h("p", { class: "more" }, "No goal has these words.") : null,
      found.count > found.tasks.length ? h("p", { class: "more" }, `${found.count - found.tasks.length} more: search, or choose a template.`) : null);
    paint(true);
  }

  function paint(scroll = false) {
    for (const row of list.querySelectorAll("button")) {
      const chosen = row.dataset.task === current;
      row.toggleAttribute("aria-current", chosen);
      const verdict = verdicts.get(row.dataset.task);
      const mark = row.querySelector(".mark");
      mark.className = `mark ${verdict === undefined ? "" : verdict ? "good" : "bad"}`;
      replace(mark, verdict === undefined ? "" : verdict ? "✓" : "✗");
      if (verdict !== undefined) mark.title = verdict ? "solved" : "not solved";
      // By the list alone: the page must not jump on a phone.
      if (chosen && scroll) list.scrollTop = Math.max(0, row.offsetTop - list.offsetTop - list.clientHeight / 3);
    }
  }

  return (now) => {
    if (now.ending && now.ending.can_be_kept) verdicts.set(now.task, now.ending.success);
    const moved = now.task !== current;
    current = now.task;
    if (split === null || (moved && now.split !== split)) { split = splits.includes(now.split) ? now.split : splits[0]; select.value = template = ""; load(); }
    else paint(moved);
  };
}

export function icon(...paths) {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, paths.map((d) => svg("path", { d })));
}
