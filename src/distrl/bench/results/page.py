"""How results are told: a page of Markdown, made of nothing but the rows that there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from statistics import fmean

from distrl.bench.results.plan import GROUPS, Without
from distrl.bench.results.published import Column
from distrl.bench.results.record import Result, any_quick
from distrl.bench.telling import markdown, number
from distrl.collect.evaluation.statistics import SOLVED, Row

_HEAD = """# Results

Every figure on this page comes from the files in [results](results), one per row, which
`distrl results run` and `distrl bench` make; `distrl results write` makes the page from them.

Policies are evaluated greedily on the embedded phone, and on web pages in Chromium. `test` has new
tasks of the templates that are trained on, `unseen` has templates that are never trained on.
Success is followed by its 95 % Wilson interval over the tasks; a mean over seeds is followed by the
lowest and the highest.
"""

_QUICK = """
**Some of these rows were made with `--quick`: they show that everything works, and their figures
mean nothing.**
"""

_ABOUT = {group.name: group.about for group in GROUPS}

Cell = Callable[[Result], str]
Mean = Callable[[Sequence[Result]], str]


def render(
    results: Sequence[Result],
    experiments: str = "",
    published: Mapping[str, Sequence[Column]] | None = None,
) -> str:
    """The page. What there is no row for is not on it; `experiments` are sections of it.

    What others have `published` for a suite stands beside the figures of its templates.
    """
    parts = [_HEAD]
    if any_quick(results):
        parts.append(_QUICK)
    for suite, rows in _by(results, lambda result: result.suite):
        parts.append(_suite(suite, rows, (published or {}).get(suite, ())))
    if experiments:
        parts.append(experiments)
    if results:
        parts.append(_made(results))
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _suite(suite: str, results: Sequence[Result], published: Sequence[Column]) -> str:
    """All tables of one suite."""
    groups = [rows for _, rows in _by(results, lambda result: result.group)]
    abouts = [f"- **{rows[0].group}**: {_about(rows[0])}" for rows in groups]
    played = _played(results)
    success = _table(
        groups,
        [
            ("test", _success("test"), _mean_success("test")),
            ("unseen", _success("unseen"), _mean_success("unseen")),
        ],
    )
    endings = _table(
        groups,
        [
            ("false completions", _share("false_complete"), _mean("false_complete")),
            ("side effects", _share("side_effects"), _mean("side_effects")),
            ("steps", _number("mean_steps"), _mean("mean_steps", digits=1)),
            ("steps of the oracle", _number("oracle_steps"), _mean("oracle_steps", digits=1)),
        ],
    )
    return "\n".join(
        [
            f"\n## {suite}\n",
            *abouts,
            f"\n### Success\n\n{played}\n",
            success,
            *(line for result in results for line in _templates(result, published)),
            "\n### How episodes end\n",
            "Shares of the episodes on test that were declared complete and were not, and that "
            "changed\nsomething for good that the task did not allow; mean steps of an episode.\n",
            endings,
            *(_senses(groups) if any(r.figures("test", "pixels") for r in results) else ()),
            "\n### What it took\n",
            "Minutes of learning, and with the warm start and the run's own evaluations; the rest "
            "is\ncounted while learning.\n",
            _effort(groups),
        ]
    )


def _templates(result: Result, published: Sequence[Column]) -> tuple[str, ...]:
    """The section on every template of a row that keeps them."""
    if not result.templates:
        return ()
    solved = sum((row.success or 0.0) >= SOLVED for row in result.templates)
    rows = [
        (
            row.template,
            _interval(row),
            str(row.episodes),
            number(row.mean_steps, ".1f"),
            *(number(column.success.get(row.template), ".2f") for column in published),
        )
        for row in result.templates
    ]
    head = ("task", "success", "episodes", "steps", *(column.name for column in published))
    return (
        f"\n### Every task of {result.name}\n",
        f"Solved, at {SOLVED:.2f} or more: **{solved} of {len(result.templates)}**.",
        "Beside it stands what others report, made in other ways:\n" if published else "",
        *(f"- **{c.name}**: {c.about} Source: {c.source}." for c in published),
        "",
        markdown(head, rows),
    )


def _senses(groups: Sequence[Sequence[Result]]) -> tuple[str, ...]:
    """The section on policies that see and read, and were deprived of one of it."""
    return (
        "\n### What the policy looks at\n",
        "Success on test when the policy is deprived of the screen, or of the elements, after "
        "training:\n`distrl eval --without pixels` and `--without elements`.\n",
        _table(
            groups,
            [
                ("as trained", _success("test"), _mean_success("test")),
                ("without pixels", _success("test", "pixels"), _mean_success("test", "pixels")),
                (
                    "without elements",
                    _success("test", "elements"),
                    _mean_success("test", "elements"),
                ),
            ],
        ),
    )


def _about(result: Result) -> str:
    changed = [] if result.quick else [s for s in result.settings if not s.startswith("seed=")]
    said = f"{_ABOUT.get(result.group, '')} Recipe `{result.recipe}`"
    if changed:
        said += f" with {', '.join(f'`{setting}`' for setting in changed)}"
    return f"{said}; `distrl results run --only {result.group}`.".lstrip()


def _played(results: Sequence[Result]) -> str:
    """How many tasks there were."""
    counts = []
    for split in ("test", "unseen"):
        found = [row.episodes for result in results if (row := result.figures(split))]
        if found:
            least, most = min(found), max(found)
            number = f"{most}" if least == most else f"{least} to {most}"
            counts.append(f"{number} tasks of {split}")
    return f"Played: {' and '.join(counts)}." if counts else "Nothing was played."


def _table(groups: Sequence[Sequence[Result]], columns: Sequence[tuple[str, Cell, Mean]]) -> str:
    """A row per seed, and one for their mean where there are several."""
    head = ("policy", "seed", *(name for name, _, _ in columns))
    rows: list[Sequence[str]] = []
    for results in groups:
        rows += [
            (result.group, str(result.seed), *(cell(result) for _, cell, _ in columns))
            for result in results
        ]
        if len(results) > 1:
            means = (f"**{text}**" if (text := mean(results)) else "" for _, _, mean in columns)
            rows.append((f"**{results[0].group}**", "**mean**", *means))
    return markdown(head, rows)


def _effort(groups: Iterable[Sequence[Result]]) -> str:
    rows = [
        (
            result.group,
            str(result.seed),
            f"{result.effort.minutes:.1f}",
            number(result.effort.minutes_in_all, ".1f"),
            number(result.effort.episodes, ",d"),
            number(result.effort.steps, ",d"),
            f"{result.effort.updates:,d}",
        )
        for results in groups
        for result in results
    ]
    head = ("policy", "seed", "minutes", "in all", "episodes", "steps", "updates")
    return markdown(head, rows)


def _made(results: Sequence[Result]) -> str:
    """Which command, code and machine each row is from."""
    machines = list(dict.fromkeys(result.machine.label for result in results))
    numbers = {machine: str(number) for number, machine in enumerate(machines, 1)}
    rows = [
        (
            f"[{result.name}](results/{result.name}.json)",
            f"`{result.command}`",
            result.code.label,
            numbers[result.machine.label],
        )
        for result in results
    ]
    return "\n".join(
        [
            "\n## How the rows were made\n",
            markdown(("row", "command", "code", "machine"), rows),
            "",
            *(f"Machine {number}: {machine}." for machine, number in numbers.items()),
            "",
        ]
    )


def _success(split: str, without: Without = "nothing") -> Cell:
    def cell(result: Result) -> str:
        row = result.figures(split, without)
        return "" if row is None else _interval(row)

    return cell


def _interval(row: Row) -> str:
    if row.success is None:
        return ""
    return f"{row.success:.3f} ({row.low:.2f} to {row.high:.2f})"


def _mean_success(split: str, without: Without = "nothing") -> Mean:
    return lambda results: _spread(
        [row.success for result in results if (row := result.figures(split, without))]
    )


def _share(figure: str) -> Cell:
    return lambda result: number(_of(result.figures("test"), figure), ".3f")


def _number(figure: str) -> Cell:
    return lambda result: number(_of(result.figures("test"), figure), ".1f")


def _mean(figure: str, *, digits: int = 3) -> Mean:
    return lambda results: _spread(
        [_of(result.figures("test"), figure) for result in results], digits=digits
    )


def _of(row: Row | None, figure: str) -> float | None:
    value: float | None = getattr(row, figure, None)
    return value


def _spread(values: Sequence[float | None], *, digits: int = 3) -> str:
    """Mean, lowest and highest of those that were measured."""
    known = [value for value in values if value is not None]
    if not known:
        return ""
    mean, low, high = (f"{value:.{digits}f}" for value in (fmean(known), min(known), max(known)))
    return f"{mean} ({low} to {high})"


def _by(results: Sequence[Result], key: Callable[[Result], str]) -> list[tuple[str, list[Result]]]:
    """Results with the same key together, in their order."""
    order = list(dict.fromkeys(map(key, results)))
    ranked = sorted(results, key=lambda result: order.index(key(result)))
    return [(name, list(rows)) for name, rows in groupby(ranked, key)]
