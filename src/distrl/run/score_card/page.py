"""A score card as one HTML page that needs nothing else: no script, no font, no network.

Whatever comes from a card is text: it is escaped where it enters the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources

from distrl.collect.evaluation.factors import FactorRow
from distrl.collect.evaluation.statistics import Row
from distrl.run.score_card.card import ScoreCard


def make_page(card: ScoreCard) -> str:
    """The whole page."""
    conditions = card.conditions
    title = f"{conditions.policy} on {conditions.suite}/{conditions.split}"
    style = resources.files("distrl.run.report").joinpath("page.css").read_text("utf-8")
    sections = (
        _section("What was played", _facts(card)),
        _section("Splits, and the leak proof", _splits(card)),
        _section("How episodes ended", _endings(card)),
        _section("Robustness by factor", _factors(card.factors)),
        _section("By template", _templates(card)),
        _section("Play it again", _again(card)),
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)} - distrl score card</title>\n<style>\n{style}</style></head>\n"
        f"<body><main>\n<header><small>score card</small><h1>{escape(title)}</h1>"
        f"{_headline(card)}</header>\n{''.join(sections)}</main></body></html>\n"
    )


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>\n" if content else ""


def _headline(card: ScoreCard) -> str:
    overall = card.overall
    worst = min(
        (row for row in card.factors if row.kept is not None),
        key=lambda r: r.kept or 0,
        default=None,
    )
    cards = [
        (_share(overall.success), "success", f"95 %: {_interval(overall)}"),
        (str(overall.episodes), "episodes that count", f"{overall.faults} ended with a fault"),
        (_share(overall.side_effects), "with side effects", "changes that no task allowed"),
    ]
    if worst is not None:
        cards.append((_share(worst.kept), "of its success is kept", f"at worst: {worst.factor}"))
    return '<div class="cards">' + "".join(map(_card, cards)) + "</div>"


def _card(card: tuple[str, str, str]) -> str:
    number, words, small = map(escape, card)
    return f'<div class="card"><b>{number}</b><span>{words}</span><small>{small}</small></div>'


def _facts(card: ScoreCard) -> str:
    conditions = card.conditions
    chosen = "all of the split" if conditions.tasks is None else f"the first {conditions.tasks}"
    facts = [
        ("policy", conditions.policy),
        ("weights, SHA-256", card.weights or "none"),
        ("suite", conditions.suite),
        ("tasks of the suite, SHA-256", card.suite),
        ("split", conditions.split),
        ("tasks", chosen + (f" of {conditions.template}" if conditions.template else "")),
        ("seed of the policy's draws", str(conditions.seed)),
        ("nuisance rate", f"{conditions.nuisance_rate:g}"),
        ("layout", str(conditions.layout)),
        ("withheld", conditions.without),
    ]
    return _pairs(facts)


def _splits(card: ScoreCard) -> str:
    proof = card.leak_proof
    rows = [(escape(name), str(size)) for name, size in card.splits.items()]
    verdict = (
        '<span class="badge good">no leaks</span>'
        if proof.leaks == 0
        else f'<span class="badge bad">{proof.leaks} leaks</span>'
    )
    unknown = (
        f" Goals of {proof.unknown} templates are known only when they are played, and are not "
        "compared."
        if proof.unknown
        else ""
    )
    return (
        f'<div class="narrow">{_table(("split", "tasks"), rows)}</div>'
        f"<p class=note>{verdict} among {proof.pairs} pairs of splits: no goal, parameter, seed, "
        f"value or template of one is in another that promises to be new.{unknown} "
        "<code>distrl suites --check-leaks</code> looks again.</p>"
    )


def _endings(card: ScoreCard) -> str:
    total = sum(card.endings.values()) or 1
    rows = [
        (escape(name.replace("_", " ")), str(count), f"{count / total:.3f}")
        for name, count in sorted(card.endings.items(), key=lambda pair: -pair[1])
    ]
    return f'<div class="narrow">{_table(("ending", "episodes", "share"), rows)}</div>'


def _factors(rows: Sequence[FactorRow]) -> str:
    if not rows:
        return ""
    head = ("factor", "success", "95 % interval", "", "kept", "tasks", "")
    cells = [
        (
            escape(row.factor),
            _share(row.success),
            _interval(row),
            _bar(row),
            _share(row.kept),
            str(row.tasks),
            escape(row.setting),
        )
        for row in rows
    ]
    note = (
        "<p class=note>The same tasks on phones that differ in one thing. <i>kept</i> is success "
        "over that of the plain row.</p>"
    )
    return _table(head, cells, words_last=True) + note


def _bar(row: FactorRow) -> str:
    """Success and its interval on a line from 0 to 1."""
    if row.success is None or row.low is None or row.high is None:
        return ""
    low, at, high = (4 + 92 * min(1.0, max(0.0, x)) for x in (row.low, row.success, row.high))
    return (
        '<svg class="range" viewBox="0 0 100 16" aria-hidden="true">'
        '<path class="axis" d="M4 1V15M50 1V15M96 1V15"/>'
        f'<line class="new" x1="{low:.1f}" x2="{high:.1f}" y1="8" y2="8"/>'
        f'<circle class="new" cx="{at:.1f}" cy="8" r="2.5"/></svg>'
    )


def _templates(card: ScoreCard) -> str:
    table = _table(_ROW_HEAD, map(_row, card.templates))
    return f"<details><summary>{len(card.templates)} templates</summary>{table}</details>"


_ROW_HEAD = (
    *("template", "success", "95 % interval", "episodes"),
    *("false complete", "side effects", "steps", "oracle"),
)


def _row(row: Row) -> tuple[str, ...]:
    return (
        escape(row.template),
        _share(row.success),
        _interval(row),
        str(row.episodes),
        _share(row.false_complete),
        _share(row.side_effects),
        _share(row.mean_steps, ".1f"),
        _share(row.oracle_steps, ".1f"),
    )


def _again(card: ScoreCard) -> str:
    facts = [
        ("version", f"distrl {card.code.version}, {card.code.label}"),
        ("modules, digest", card.code.digest),
        ("machine", card.machine.label),
    ]
    commands = f"{card.command}\ndistrl eval --verify FILE"
    return (
        f"<pre>{escape(commands)}</pre>{_pairs(facts)}"
        "<p class=note>The first command makes this card; the second plays it again and names each "
        "figure that differs.</p>"
    )


def _pairs(facts: Iterable[tuple[str, str]]) -> str:
    rows = [(escape(name), f"<code>{escape(value)}</code>") for name, value in facts]
    return _table(("", ""), rows, words_last=True)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, words_last: bool = False) -> str:
    """A table whose cells are HTML already; all but the first column stand to the right."""
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    top = f"<thead><tr>{titles}</tr></thead>" if any(head) else ""
    kind = ' class="words"' if words_last else ""
    return f'<div class="scroll" tabindex="0"><table{kind}>{top}<tbody>{body}</tbody></table></div>'


def _interval(row: Row | FactorRow) -> str:
    if row.low is None or row.high is None:
        return "-"
    return f"{row.low:.2f} - {row.high:.2f}"


def _share(value: float | None, form: str = ".3f") -> str:
    return "-" if value is None else format(value, form)
