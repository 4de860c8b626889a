// Two checkpoints of a run, side by side.

import { get, runPath } from "./api.js";
import { h, outcomeChip, phone, replace } from "./dom.js";

export async function duelPage(root, { run }) {
  const { checkpoints } = await get(runPath(run, "overview"));
  replace(root, h("div", {}, h("h1", {}, "Duel"), h("div", { class: "soft" }, "Two checkpoints of this run play the same tasks, from the same state.")), duel(run, checkpoints));
  return {};
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
