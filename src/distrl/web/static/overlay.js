// Learning curves of what was picked, and what differs between them.

import { get } from "./api.js";
import { curves, dashOf, shade } from "./charts.js";
import { h, percent, range, replace, words } from "./dom.js";

const AXES = [["minutes", "Time"], ["episodes", "Episodes"], ["updates", "Updates"]];

export function overlayCard({ drop, over }) {
  const picked = h("div", { class: "picks" });
  const success = h("div", { class: "plot large" });
  const more = { throughput: h("div", { class: "plot" }), entropy: h("div", { class: "plot" }) };
  const others = h("details", { ontoggle: () => { if (others.open && drawn) drawMore(); } }, h("summary", {}, "Throughput and entropy"),
    h("div", { class: "grid charts" }, Object.entries(more).map(([id, plot]) => h("section", { class: "chart", id: `overlay-${id}` }, h("h3", {}, id === "throughput" ? "Steps per second" : "Entropy"), plot))));
  const settings = h("div", { id: "differences" });
  const templates = h("details", { id: "templates", ontoggle: () => { if (templates.open) drawTemplates(); } }, h("summary", {}, "Success per template"));
  const axes = h("div", { class: "segments", role: "group", "aria-label": "Drawn over" });
  const element = h("section", { class: "card chart", id: "overlay" },
    h("div", { class: "row spread" }, h("h2", {}, "Learning curves"), axes), picked, success,
    h("p", { class: "healthy" }, "Lines are success while collecting; points are greedy evaluations, with whiskers for their 95 % intervals. Of seeds the mean is drawn, in a band from the lowest to the highest."),
    others);
  const beneath = h("section", { class: "card", id: "beneath", hidden: true }, settings, templates);
  let drawn = null, mine = 0, chosen = [], closed = false;

  function choose(now) {
    replace(axes, AXES.map(([name, title]) => h("button", { class: "small", "aria-pressed": String(name === now), onclick: () => over(name) }, title)));
  }

  const chart = (id) => drawn.charts.find((each) => each.id === id);

  // The settings, templates and further charts only show what was picked last.
  async function draw(picks, now) {
    const turn = ++mine;
    chosen = picks;
    choose(now);
    if (!picks.length) {
      drawn = { over: now, picks: [], charts: ["success", "throughput", "entropy"].map((id) => ({ id, percent: false, curves: [] })), settings: [] };
    } else {
      try {
        const answer = await get("/api/overlay", { pick: picks, over: now });
        if (turn !== mine || closed) return;
        drawn = answer;
      } catch (error) {
        if (turn !== mine || closed) return;
        drawn = null;
        replace(picked, picks.map((id, i) => chip(id, id, i)), h("p", { class: "bad" }, error.message));
        return;
      }
    }
    const used = chart("success").curves.map((curve) => curve.used);
    replace(picked, drawn.picks.length ? drawn.picks.map((pick, i) => chip(pick.id, pick.name, i, { ...pick, used: used[i] })) : h("span", { class: "soft" }, "Tick a run in the table."));
    replace(settings, differences(drawn));
    beneath.hidden = drawn.picks.length < 2;
    if (templates.open && !beneath.hidden) drawTemplates();
    await curves(success, chart("success"), drawn.over);
    if (others.open) await drawMore();
  }

  async function drawMore() {
    for (const [id, plot] of Object.entries(more)) await curves(plot, chart(id), drawn.over);
  }

  async function drawTemplates() {
    const turn = mine;
    const said = h("div", { class: "soft" }, "Reading episodes…");
    const summary = templates.querySelector("summary");
    replace(templates, summary, said);
    try {
      const { rows } = await get("/api/overlay/templates", { pick: chosen });
      if (turn === mine && !closed) replace(templates, summary, templateTable(rows, drawn.picks));
    } catch (error) {
      replace(said, error.message);
    }
  }

  function chip(id, name, i, pick = null) {
    return h("span", { class: "pick", title: pick?.problems.length ? pick.problems.join("; ") : null }, swatch(i), name, pick?.runs > 1 ? h("small", { title: "seeds that did not come half as far as the longest are left out of the mean" }, pick.used === pick.runs ? `${pick.runs} runs` : `${pick.used} of ${pick.runs} runs`) : null,
      pick?.problems.length ? h("small", { class: "bad" }, " damaged") : null,
      h("button", { class: "drop", "aria-label": `Leave out ${name}`, onclick: () => drop(id) }, "×"));
  }

  return { element, beneath, draw, close: () => { closed = true; } };
}

const swatch = (i) => h("i", { class: `swatch ${dashOf(i)}`, style: `--shade: ${shade(i)}` });

function differences({ picks, settings, compared }) {
  if (picks.length < 2) return null;
  const without = picks.filter((pick) => !compared.includes(pick.id)).map((pick) => pick.name);
  const head = [h("h3", {}, "Settings that differ"), without.length ? h("p", { class: "soft" }, `Left out, since settings cannot be read: ${without.join(", ")}.`) : null];
  if (!settings.length) return [...head, compared.length < 2 ? null : h("p", { class: "soft" }, "None.")];
  return [...head, h("div", { class: "scroll settings" }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", {}, "setting"), picks.map((pick, i) => compared.includes(pick.id) ? h("th", {}, swatch(i), pick.name) : null))),
    h("tbody", {}, settings.map((row) => h("tr", {}, h("td", {}, h("code", {}, row.name)), row.values.map((value) => h("td", { title: value }, value)))))))];
}

function templateTable(rows, picks) {
  if (!rows.length) return h("p", { class: "soft" }, "They have no template in common.");
  return h("div", { class: "scroll settings" }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", {}, "template"), picks.map((pick, i) => h("th", {}, swatch(i), pick.name)), h("th", { class: "number" }, "apart by"))),
    h("tbody", {}, rows.map((row) => h("tr", {}, h("td", {}, words(row.template)),
      row.cells.map((cell) => cell === null ? h("td", { class: "soft" }, "–") : h("td", { title: `${cell.episodes} episodes` }, h("div", { class: "row best" }, percent(cell.success), range(cell.low, cell.success, cell.high)))),
      h("td", { class: "number" }, h("span", { class: row.apart ? "" : "soft", title: row.apart ? "the intervals of the lowest and the highest do not meet" : "the intervals meet" }, `${Math.round(100 * row.difference)}${row.apart ? "" : " ~"}`)))))));
}
