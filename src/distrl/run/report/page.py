"""The report as one HTML file that needs nothing else: no script, no font, no network.

Whatever comes from tasks, screens or settings is text: it is escaped where it enters the page.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from html import escape
from importlib import resources
from operator import getitem
from typing import Any

from distrl.collect.evaluation.statistics import Row
from distrl.config.load import keys
from distrl.config.run import RunConfig
from distrl.monitor.gauges import GAUGES, clock_time, is_healthy, show
from distrl.run.report.curve import Axis, History, draw_one
from distrl.run.report.film import film_strip
from distrl.run.report.story import Comparison, Story
from distrl.run.report.table import change, effort, share
from distrl.types import Episode

_FEW_ROWS = 12
"""Tables up to this long are shown at once; longer ones unfold."""


def make_page(story: Story, history: History) -> str:
    """The whole page."""
    sections = (
        _section("Before and after", _overall(story.comparisons)),
        _section("Learning curve", _curves(history)),
        _section("What healthy looks like", _health(story.config, history.gauges)),
        _section("Time and throughput", _timing(story, history.gauges)),
        _section("Per template", "".join(map(_templates, story.comparisons))),
        _section("Best episodes", _films(story.best)),
        _section("Worst episodes", _films(story.worst)),
        _section("Configuration", _configuration(story.config)),
        _section("Repeat it", f"<pre>{escape(story.repeat)}</pre>" if story.repeat else ""),
    )
    style = resources.files(__package__).joinpath("page.css").read_text("utf-8")
    title = escape(story.name)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n"
        f"<title>{title} - distrl</title>\n<style>\n{style}</style></head>\n"
        f"<body><main>\n<header><h1>{title}</h1>{_headline(story)}</header>\n"
        f"{''.join(sections)}</main></body></html>\n"
    )


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>\n" if content else ""


def _headline(story: Story) -> str:
    first = story.comparisons[0] if story.comparisons else None
    before = first.before.overall if first and first.before else None
    after = first.after.overall if first else None
    cards = []
    if first is not None and after is not None and after.success is not None:
        where = f"success on {first.name}"
        interval = f"95 %: {after.low:.2f} - {after.high:.2f}"
        if before is not None and before.success is not None:
            cards.append((f"{before.success:.2f} → {after.success:.2f}", where, interval))
        else:
            cards.append((f"{after.success:.2f}", where, interval))
    totals = story.totals
    rate = f"{totals.steps / totals.seconds:,.0f} steps/s" if totals.seconds > 0 else ""
    cards += [
        (clock_time(totals.seconds), "of training", f"{totals.updates:,} updates"),
        (f"{totals.episodes:,}", "episodes", rate),
    ]
    return '<div class="cards">' + "".join(map(_card, cards)) + "</div>"


def _card(card: tuple[str, str, str]) -> str:
    number, words, small = map(escape, card)
    return f'<div class="card"><b>{number}</b><span>{words}</span><small>{small}</small></div>'


def _overall(comparisons: Sequence[Comparison]) -> str:
    head = ("tasks", "before", "after", "points", "", "false complete", "side effects", "episodes")
    rows = []
    for comparison in comparisons:
        before = comparison.before.overall if comparison.before else None
        after = comparison.after.overall
        shares = (_number(after.false_complete), _number(after.side_effects))
        rows.append((escape(comparison.name), *_pair(before, after), *shares, str(after.episodes)))
    faults = [fault for comparison in comparisons for fault in comparison.after.faults]
    told = "".join(f"<li>{escape(fault)}</li>" for fault in faults)
    lost = f"<p>Episodes that do not count:</p><ul>{told}</ul>" if faults else ""
    note = "<p class=note>Intervals are 95 % Wilson intervals.</p>"
    return (_table(head, rows) + note + lost) if rows else ""


def _templates(comparison: Comparison) -> str:
    head = ("template", "before", "after", "points", "", "steps", "oracle", "episodes")
    rows = [
        (
            escape(after.template),
            *_pair(before, after),
            _number(after.mean_steps, ".1f"),
            _number(after.oracle_steps, ".1f"),
            str(after.episodes),
        )
        for before, after in comparison.rows
    ]
    return _unfold(f"{comparison.name}: {len(rows)} templates", _table(head, rows), len(rows))


def _pair(before: Row | None, after: Row) -> tuple[str, str, str, str]:
    return _share(before), _share(after), change(before, after), _ranges(before, after)


def _share(row: Row | None) -> str:
    success, _, interval = share(row).partition(" ")
    return f"{success} <small>{interval}</small>"


def _ranges(before: Row | None, after: Row) -> str:
    """Both intervals as bars from 0 to 1."""
    bars = ['<path class="axis" d="M4 1V15M50 1V15M96 1V15"/>']
    for row, name, y in ((before, "old", 5), (after, "new", 11)):
        if row is not None and row.success is not None:
            low, high, at = (4 + 92 * (value or 0.0) for value in (row.low, row.high, row.success))
            bars.append(
                f'<line class="{name}" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>'
                f'<circle class="{name}" cx="{at:.1f}" cy="{y}" r="2.5"/>'
            )
    return f'<svg class="range" viewBox="0 0 100 16" aria-hidden="true">{"".join(bars)}</svg>'


def _curves(history: History) -> str:
    pictures = []
    for axis in Axis:
        light, dark = (_data_url(draw_one(history, axis, dark=dark)) for dark in (False, True))
        pictures.append(
            f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
            f'<img src="{light}" alt="success over {axis}"></picture>'
        )
    return f'<div class="curves">{"".join(pictures)}</div>'


def _health(config: RunConfig, gauges: Mapping[str, float]) -> str:
    rows = []
    for gauge in GAUGES:
        if gauge.healthy and gauge.name in gauges:
            value = gauges[gauge.name]
            verdict = {True: '<span class="badge good">fine</span>', None: ""}.get(
                is_healthy(gauge.name, value, config), '<span class="badge bad">look</span>'
            )
            words = f"{escape(gauge.words)}<br><code>{escape(gauge.name)}</code>"
            rows.append((words, show(gauge.name, value), verdict, escape(gauge.healthy)))
    return _table(("number", "this run", "", "healthy"), rows, words_last=True) if rows else ""


def _timing(story: Story, gauges: Mapping[str, float]) -> str:
    totals = story.totals
    rows = [(escape(name), clock_time(seconds)) for name, seconds in totals.phases.items()]
    if totals.phases:
        rows.append(("in all", clock_time(sum(totals.phases.values()))))
    if totals.seconds > 0:
        rows += [
            ("episodes per minute", f"{60 * totals.episodes / totals.seconds:,.1f}"),
            ("steps per second", f"{totals.steps / totals.seconds:,.1f}"),
            ("updates per second", f"{totals.updates / totals.seconds:,.2f}"),
        ]
    if totals.episodes:
        rows.append(("steps per episode", f"{totals.steps / totals.episodes:.1f}"))
    if "collect/utilisation" in gauges:
        busy = show("collect/utilisation", gauges["collect/utilisation"])
        rows.append(("devices busy", busy))
    return f'<p>{escape(effort(story))}.</p><div class="narrow">{_table(("", ""), rows)}</div>'


def _films(episodes: Iterable[Episode]) -> str:
    return "".join(map(film_strip, episodes))


def _configuration(config: RunConfig) -> str:
    values, defaults = (
        {key: _value(tree, key) for key, _ in keys()}
        for tree in (config.model_dump(mode="json"), RunConfig().model_dump(mode="json"))
    )
    rows = [
        (f"<code>{escape(key)}</code>", _setting(values[key]), escape(words))
        for key, words in keys()
    ]
    changed = [
        row for row, (key, _) in zip(rows, keys(), strict=True) if values[key] != defaults[key]
    ]
    head = ("key", "value", "")
    first = (
        "<p>Different from the defaults:</p>" + _table(head, changed, words_last=True)
        if changed
        else "<p>All settings are the defaults.</p>"
    )
    return first + _unfold("All settings", _table(head, rows, words_last=True), len(rows))


def _value(tree: Mapping[str, Any], key: str) -> Any:
    """What stands under a dotted key."""
    return reduce(getitem, key.split("."), tree)


def _setting(value: object) -> str:
    return escape(value if isinstance(value, str) else json.dumps(value))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], *, words_last: bool = False) -> str:
    """A table whose cells are HTML already; all but the first column stand to the right."""
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    top = f"<thead><tr>{titles}</tr></thead>" if any(head) else ""
    kind = ' class="words"' if words_last else ""
    return f'<div class="scroll" tabindex="0"><table{kind}>{top}<tbody>{body}</tbody></table></div>'


def _unfold(title: str, content: str, rows: int) -> str:
    state = " open" if rows <= _FEW_ROWS else ""
    return f"<details{state}><summary>{escape(title)}</summary>{content}</details>"


def _number(value: float | None, form: str = ".3f") -> str:
    return "-" if value is None else format(value, form)


def _data_url(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"
