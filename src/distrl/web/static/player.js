// One episode, step by step, and what else could have happened.

import { get, runPath } from "./api.js";
import { h, number, outcomeChip, phone, replace, words } from "./dom.js";

const PLAY_MS = 900;
// On a narrow screen two of them have room; the card above the table has all four of each step.
const COLUMNS = [["value", "number"], ["advantage", "number narrow-hide"], ["ratio", "number"], ["log-prob", "number narrow-hide"]];

export async function playerPage(root, { run, rest, query, go, link }) {
  const id = rest[0];
  const path = (...more) => runPath(run, "episodes", id, ...more);
  const episode = await get(path());
  const count = episode.steps.length + (episode.final ? 1 : 0);
  const screenOf = (place) => (place < count ? path("screens", place) : null);
  let at = Math.min(Math.max(0, Number(query.step ?? 0)), Math.max(0, count - 1));
  let insight = null, timer = null, branching = false;

  const stage = h("div"), details = h("div", { class: "details" }), table = h("tbody");
  const strip = h("div", { class: "strip", "aria-label": "All screens" });
  const position = h("span", { class: "soft", "aria-live": "polite" });
  const play = h("button", { onclick: () => toggle() }, "Play");
  const source = h("p", { class: "soft" }, "Asking the newest checkpoint what it thinks of this…");
  const fork = branchPanel();

  replace(root,
    h("div", { class: "card" },
      h("div", { class: "row spread" }, h("h1", {}, episode.task.goal), outcomeChip(episode.outcome)),
      h("div", { class: "row soft" },
        h("span", {}, words(episode.task.template)), h("span", {}, episode.task.id), h("span", {}, episode.device), h("span", {}, `policy lag on arrival ${episode.lag}`),
        h("span", { id: "priority" }, `priority ${number(episode.priority)}`), h("code", {}, id)),
      episode.fault ? h("p", { class: "bad" }, episode.fault) : null,
      episode.doubt ? h("p", { class: "bad" }, episode.doubt) : null,
      h("div", { class: "row" },
        h("button", { class: "small", disabled: !episode.before, onclick: () => go("episode", [episode.before]) }, "← earlier"),
        h("button", { class: "small", disabled: !episode.after, onclick: () => go("episode", [episode.after]) }, "later →"),
        h("a", { href: link(run, "episodes", [], { template: episode.task.template }) }, "others like it"))),
    h("div", { class: "grid player" },
      h("div", { class: "card stack" }, stage, h("div", { class: "row spread" },
        h("button", { "aria-label": "Step back", onclick: () => to(at - 1) }, "←"), play,
        h("button", { "aria-label": "Step forward", onclick: () => to(at + 1) }, "→"), position)),
      h("div", { class: "stack" },
        h("div", { class: "card" }, h("h2", {}, "This step"), details, source),
        h("div", { class: "card steps scroll" }, h("table", { id: "steps" }, h("thead", {}, h("tr", {}, h("th", {}, "#"), h("th", {}, "action"),
          ...COLUMNS.map(([name, kind]) => h("th", { class: kind }, name)))), table)),
        verdicts(episode))),
    h("div", { class: "card" }, h("h2", {}, "All screens"), strip),
    fork.element);

  function draw() {
    const step = episode.steps[at];
    const shown = phone(count ? screenOf(at) : null, step?.action, step ? `Screen before step ${at + 1}` : "Screen at the end");
    if (branching && step) fork.arm(shown.firstChild.parentElement);
    replace(stage, shown);
    replace(position, at < episode.steps.length ? `step ${at + 1} of ${episode.steps.length}` : "the end");
    replace(details, step ? facts(step, insight?.steps?.[at]) : h("div", { class: "detail" }, h("span", {}, "ended with"), h("b", {}, words(episode.outcome))));
    replace(table, episode.steps.map((s, i) => {
      const seen = insight?.steps?.[i];
      return h("tr", { tabindex: 0, "aria-current": i === at ? "step" : null, onclick: () => to(i) },
        h("td", {}, String(i + 1)), h("td", {}, s.words, s.human ? h("span", { class: "chip on" }, "human") : null,
          Object.keys(s.penalties).length ? h("small", { class: "bad" }, ` ${Object.keys(s.penalties).join(", ")}`) : null),
        ...[seen?.value, seen?.advantage, seen?.ratio, s.log_prob].map((v, k) => h("td", { class: COLUMNS[k][1] }, number(v))));
    }));
    [...strip.children].forEach((button, i) => (i === at ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current")));
    const current = strip.children[at];
    if (current) strip.scrollTo({ left: current.offsetLeft - strip.clientWidth / 2 });
    fork.moved();
  }

  function to(place) {
    at = Math.min(count - 1, Math.max(0, place));
    if (at === count - 1) stop();
    draw();
  }
  const stop = () => { clearInterval(timer); timer = null; play.textContent = "Play"; };
  function toggle() {
    if (timer) return stop();
    if (at === count - 1) at = -1;
    play.textContent = "Pause";
    timer = setInterval(() => to(at + 1), PLAY_MS);
    to(at + 1);
  }

  function branchPanel() {
    const action = h("input", { placeholder: "tap(0.50, 0.25), press(back), type(\"hello\")", "aria-label": "Another action", size: 32 });
    const then = h("select", { "aria-label": "Who goes on" },
      [["run", "this run's policy"], ["scripted", "the oracle"], ["random", "chance"], ["none", "nobody"]].map(([value, name]) => h("option", { value }, name)));
    const where = h("b"), outcome = h("div");
    const pick = h("button", { "aria-pressed": "false", onclick: () => { branching = !branching; pick.setAttribute("aria-pressed", String(branching)); pick.textContent = branching ? "Click on the screen above" : "Choose on the screen"; draw(); } }, "Choose on the screen");
    const start = h("button", { class: "main", onclick: run_ }, "Show the other future");
    async function run_() {
      start.disabled = true;
      replace(outcome, h("p", { class: "soft" }, "Replaying the episode on a fresh phone…"));
      const step = at;
      try {
        const forked = await get(path("branch"), { step, action: action.value, then: then.value });
        replace(outcome, futures(forked, step));
      } catch (error) {
        replace(outcome, h("p", { class: "bad" }, error.message));
      }
      start.disabled = false;
    }
    function futures(forked, step) {
      const there = episode.steps.slice(step).map((s, i) => figure(screenOf(step + i), s.action, s.words));
      if (episode.final) there.push(figure(screenOf(count - 1), null, words(episode.outcome)));
      const fresh = forked.branch.steps.slice(step).map((s, i) => figure(forked.branch.screens[i], s.action, s.words));
      if (forked.branch.final) fresh.push(figure(forked.branch.screens.at(-1), null, words(forked.branch.outcome)));
      const exact = forked.exact ? "The replay showed the same screens up to here." : `The replay differed from step ${forked.differs_at + 1} on: the phone has changed since.`;
      return h("div", { class: "stack", id: "futures" }, h("p", { class: forked.exact ? "soft" : "bad" }, exact),
        h("div", {}, h("h2", {}, "What happened ", outcomeChip(episode.outcome)), h("div", { class: "strip" }, there)),
        h("div", {}, h("h2", {}, "What would have happened ", outcomeChip(forked.branch.outcome)), h("div", { class: "strip" }, fresh)));
    }
    const figure = (src, act, text) => h("figure", {}, phone(src, act, text), h("figcaption", {}, text));
    return {
      element: h("div", { class: "card stack", id: "branch" }, h("h2", {}, "Branch"), h("p", { class: "soft" }, "Go back to a step, do something else there, and see both futures."),
        h("div", { class: "row" }, where, action, pick, h("label", { class: "row" }, "then", then), start), outcome),
      moved: () => {
        const possible = at < episode.steps.length;
        where.textContent = possible ? `At step ${at + 1}:` : "Choose a step first";
        start.disabled = !possible;
      },
      arm: (screen) => {
        screen.classList.add("active");
        screen.addEventListener("click", (event) => {
          const box = screen.getBoundingClientRect();
          action.value = `tap(${((event.clientX - box.left) / box.width).toFixed(3)}, ${((event.clientY - box.top) / box.height).toFixed(3)})`;
        });
      },
      focus: () => action.focus(),
    };
  }

  replace(strip, Array.from({ length: count }, (_, i) => h("button", { "aria-label": i < episode.steps.length ? `Step ${i + 1}` : "The end", onclick: () => to(i) }, phone(screenOf(i), episode.steps[i]?.action, ""))));
  draw();
  get(path("insight")).then((found) => {
    insight = found;
    replace(source, found.checkpoint ? `Value, advantage and ratio: checkpoint ${found.checkpoint}.` : "There is no checkpoint yet that could say more.");
    draw();
  }).catch((error) => replace(source, `Nothing more is known: ${error.message}`));
  return {
    close: stop,
    key: (event) => {
      if (event.key === "ArrowRight") to(at + 1);
      else if (event.key === "ArrowLeft") to(at - 1);
      else if (event.key === " " && !event.target.matches("button")) toggle();
      else if (event.key === "[" && episode.before) go("episode", [episode.before]);
      else if (event.key === "]" && episode.after) go("episode", [episode.after]);
      else if (event.key === "b") fork.focus();
      else return false;
      return true;
    },
  };
}

function facts(step, seen) {
  const detail = (name, value) => h("div", { class: "detail" }, h("span", {}, name), h("b", {}, value));
  return [
    detail("action", step.words), detail("log-prob, acting", number(step.log_prob)), detail("log-prob, now", number(seen?.log_pi)),
    detail("ratio", number(seen?.ratio)), detail("value", number(seen?.value)), detail("advantage", number(seen?.advantage)),
    detail("entropy", number(step.entropy)), detail("reward", number(step.reward)),
    detail("penalties", Object.entries(step.penalties).map(([name, v]) => `${name} ${number(v)}`).join(", ") || "none"),
    detail("version", step.human ? `${step.version}, a person` : String(step.version)), detail("app", step.app),
    detail("decided in", `${number(step.decide_ms)} ms`), detail("carried out in", `${number(step.device_ms)} ms`),
  ];
}

function verdicts(episode) {
  return h("div", { class: "card scroll verdicts" }, h("h2", {}, "Verdicts"), episode.verdicts.length
    ? h("table", {}, h("tbody", {}, episode.verdicts.map((verdict) => h("tr", {}, h("td", {}, verdict.judge),
      h("td", {}, verdict.success === null ? h("span", { class: "chip" }, "no answer") : h("span", { class: `chip ${verdict.success ? "good" : "bad"}` }, verdict.success ? "success" : "no success")),
      h("td", {}, words(verdict.reason)), h("td", {}, verdict.side_effects.length ? `also changed: ${verdict.side_effects.join(", ")}` : "")))))
    : h("p", { class: "soft" }, "Nobody judged this episode."));
}
