"""How methods and modes are told: what came out, which claims held, and what did not hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from distrl.bench.experiments.table import (
    BASELINE,
    EPISODES,
    METHODS,
    MORE,
    OURS,
    STEPS,
    SUITES,
    TWO_BY_TWO,
    folder_name,
)
from distrl.bench.telling import (
    QUICK,
    Row,
    held,
    hours,
    interval,
    made,
    markdown,
    number,
)
from distrl.config import load_run_config
from distrl.run.virtual.cost import Cost, CostModel, measured_cost

CLAIMS = (
    ("success_ratio_general", 1.20, "success on general, relative to sync DigiRL at equal time"),
    ("success_ratio_shopping", 1.14, "success on shopping, relative to sync DigiRL at equal time"),
    ("time_ratio_general", 3.0, "times faster to sync DigiRL's final success on general"),
)
"""What the paper says of its own devices, and what is looked for here."""
TIMES_FASTER = 3.0
"""The paper's figure for the way to the same success; it names no suite for which it would fail."""


def table_section(figures: Mapping[str, Any]) -> str:
    """Methods and modes, side by side."""
    rows: Sequence[Row] = figures["rows"]
    abouts = {m.name: m.about for m in (*METHODS, *MORE)}
    shown = dict.fromkeys(row["method"] for row in rows)
    cost = CostModel(figures.get("cost", CostModel.POINTER))
    large = cost is CostModel.LARGE_MODEL
    return "\n".join(
        [
            f"## Methods and modes{', with the cost of a large model' if large else ''}\n",
            *(_large_model(figures) if large else ()),
            "All methods start from the same weights, act on the same kind of phones with the "
            "timing of an\nemulator fleet, and differ in nothing but what their name says, on the "
            "virtual engine. The time\nis the one in which asynchronous collection makes "
            f"{EPISODES:,} episodes in a full run: here\n{_budgets(rows)}.\nSuccess is the mean "
            "of the last three checkpoints and over seeds, followed by its 95 % Wilson\ninterval "
            "over the tasks, which all seeds share, and by the worst and the best seed. When a "
            f"success is\nreached is known by checkpoints, {figures['checkpoints']} in the time: "
            "ratios of times are as coarse.\n",
            *([QUICK + "\n"] if figures["quick"] else []),
            *(f"- **{name}**: {abouts[name]}" for name in shown if abouts.get(name)),
            "",
            *_by_suite(rows, f"results/{folder_name(cost)}"),
            "### What held\n",
            _claims(figures),
            "",
            *_interactions(figures),
            *_newest(figures),
            *_two_by_two(figures),
            *_not_held(figures),
            *(() if large else ("### What it takes to make\n", _budget(measured_cost()), "")),
            made(figures),
        ]
    )


def _large_model(figures: Mapping[str, Any]) -> Iterable[str]:
    yield (
        "The same comparison, but learning from a step takes "
        f"{figures['learn_seconds']:g} s and a decision {figures['decide_seconds']:g} s of virtual "
        "time, as\nwith a vision-language model of some billion parameters on a server of GPUs "
        "(published figures;\n`run/virtual/cost.py` says which). The network that learns is the "
        "pointer in both tables: what is\ncompared is who waits for whom when learning is dear.\n"
    )


def _budget(cost: Cost) -> str:
    """The arithmetic of a full asynchronous run on general, from what a step costs."""
    config = load_run_config("comparison")
    steps = EPISODES * STEPS["general"]
    played = steps * (cost.decide_seconds + cost.play_seconds) / 60
    learned = steps * config.learner.replay_ratio * cost.learn_seconds / 60
    return (
        f"{EPISODES:,} episodes of {STEPS['general']} steps on {config.collect.devices} devices "
        f"are {steps:,.0f} steps. To play and decide one\ntakes "
        f"{1000 * (cost.decide_seconds + cost.play_seconds):.1f} ms of a core, to learn from one "
        f"{1000 * cost.learn_seconds:.1f} ms, and each is learned from\n"
        f"{config.learner.replay_ratio:g} times: {played:.1f} + {learned:.1f} minutes, and the "
        f"evaluations. A synchronous run collects and learns\nless in the same time. Measured by "
        f"`{cost.command}` ({cost.code.label})."
    )


def _by_suite(rows: Sequence[Row], folder: str) -> Iterable[str]:
    for suite in dict.fromkeys(row["suite"] for row in rows):
        mine = [row for row in rows if row["suite"] == suite]
        yield f"### {suite}\n"
        yield f"![Success on {suite} by time and by interactions]({folder}/{suite}.png)\n"
        yield (
            f"{mine[0]['seeds']} seeds, {mine[0]['tasks']} tasks of test and "
            f"{mine[0]['unseen_tasks']} of unseen; the start succeeds at "
            f"{mine[0]['start']:.3f} of test.\n"
        )
        yield markdown(
            ("method", "test", "seeds", "unseen", f"hours to {BASELINE.name}'s final", "steps to"),
            [
                (
                    row["method"],
                    interval(row, "test"),
                    f"{row['test_lowest']:.3f} to {row['test_highest']:.3f}",
                    interval(row, "unseen"),
                    _reached(row, row["seconds_to_reach"] / 3600, ".1f"),
                    _reached(row, row["steps_to_reach"], ",.0f"),
                )
                for row in mine
            ],
        )
        yield ""
        yield markdown(
            (
                *("method", "episodes", "per minute", "device busy", "learner busy", "updates"),
                *("lag, versions", "minutes of a core"),
            ),
            [
                (
                    row["method"],
                    f"{row['episodes']:,.0f}",
                    f"{row['episodes_per_minute']:.1f}",
                    f"{row['device_utilisation']:.3f}",
                    f"{row['learner_utilisation']:.3f}",
                    f"{row['updates']:,.0f}",
                    f"{row['trained_lag']:.1f}",
                    f"{row['cpu_minutes']:.1f}",
                )
                for row in mine
            ],
        )
        yield ""


def _reached(row: Row, value: float, form: str) -> str:
    """A figure, marked where some seeds did not get there."""
    text = format(value, form)
    if row["reached"] == row["seeds"]:
        return text
    return f"{text} ({row['reached']} of {row['seeds']} seeds)"


def _budgets(rows: Sequence[Row]) -> str:
    """How long the runs of every suite last."""
    seconds = {row["suite"]: row["seconds"] for row in rows}
    return " and ".join(f"{hours(s)} on {suite}" for suite, s in seconds.items())


def _claims(figures: Mapping[str, Any]) -> str:
    rows = [
        (about, f"{wanted:.2f}", *_with_seeds(figures, key, ".2f"), held(figures[key], wanted))
        for key, wanted, about in CLAIMS
    ]
    return markdown(("claim", "wanted", "here", "seeds", "held"), rows)


def _with_seeds(figures: Mapping[str, Any], key: str, form: str) -> tuple[str, str]:
    """A figure, and its worst and best seed."""
    if figures[key] is None:
        return "", ""
    low, high = figures[f"{key}_lowest"], figures[f"{key}_highest"]
    return format(figures[key], form), f"{low:{form}} to {high:{form}}"


def _interactions(figures: Mapping[str, Any]) -> Iterable[str]:
    for suite in SUITES:
        here, seeds = _with_seeds(figures, f"interaction_ratio_{suite}", ".2f")
        if here:
            yield (
                f"Interactions to the same success on {suite}: {BASELINE.name} needs {here} "
                f"({seeds}) times as many steps as\n{OURS.name}.\n"
            )


def _newest(figures: Mapping[str, Any]) -> Iterable[str]:
    """What averaging the weights that are evaluated does to the headline."""
    averaging = (
        "Evaluated are averaged weights, which follow update by update and so hold a method with "
        "few updates\nback more"
    )
    if "success_ratio_general_newest" not in figures:
        yield f"{averaging}; by how much was not measured here.\n"
        return
    success, time = (
        f"{number(figures[f'{name}_newest'], '.2f')} times (averaged: "
        f"{number(figures[name], '.2f')})"
        for name in ("success_ratio_general", "time_ratio_general")
    )
    yield (
        f"{averaging}. With the newest weights in their place, on both sides: success on general "
        f"is\n{success} that of sync DigiRL, whose final success is reached\n{time} faster.\n"
    )


def _two_by_two(figures: Mapping[str, Any]) -> Iterable[str]:
    """What the mode and what the algorithm earned on general."""
    if not all(key in figures for key in TWO_BY_TWO):
        return
    told = (" (".join(_with_seeds(figures, key, "+.3f")) + ")" for key in TWO_BY_TWO)
    a_ride, digirl, free, bound = told
    yield (
        f"The two by two, with the worst and the best seed: going asynchronous adds\n{a_ride} to "
        f"A-RIDE and {digirl} to DigiRL;\nA-RIDE in place of DigiRL adds {free} when collecting "
        f"is asynchronous\nand {bound} when it is not.\n"
    )


def _not_held(figures: Mapping[str, Any]) -> Iterable[str]:
    """What a reader of the claims alone would not know, as far as the figures say it."""
    lines = [*_missed(figures), *_bought(figures), *_beaten_on_unseen(figures["rows"])]
    if lines:
        yield "### What did not hold\n"
        yield "\n".join(f"- {line}" for line in lines)
        yield ""


def _missed(figures: Mapping[str, Any]) -> Iterable[str]:
    """Bars that are not reached, by the mean or by a seed, and on a suite that has none."""
    claimed = {key for key, _, _ in CLAIMS}
    more = tuple(
        (key, TIMES_FASTER, f"times faster to sync DigiRL's final success on {suite}")
        for suite in SUITES
        if (key := f"time_ratio_{suite}") not in claimed
    )
    newest = tuple(
        (f"{key}_newest", wanted, f"{about}, both evaluated with their newest weights")
        for key, wanted, about in CLAIMS
    )
    for key, wanted, about in (*CLAIMS, *more, *newest):
        value = figures.get(key)
        if value is None:
            continue
        here, seeds = _with_seeds(figures, key, ".2f")
        if value < wanted:
            yield f"{about}: {here} ({seeds}), not {wanted:.2f}."
        elif figures[f"{key}_lowest"] < wanted:
            yield f"{about}: {here} in the mean, but not with every seed ({seeds})."


def _bought(figures: Mapping[str, Any]) -> Iterable[str]:
    """Where more steps, and not better use of them, made the difference."""
    steps = {(row["suite"], row["method"]): row["steps"] for row in figures["rows"]}
    for suite in SUITES:
        needed = figures[f"interaction_ratio_{suite}"]
        if needed is not None and needed < 1:
            more = steps[suite, OURS.name] / steps[suite, BASELINE.name]
            yield (
                f"on {suite}, the gain is throughput and not data efficiency: {OURS.name} makes "
                f"{more:.1f} times the steps in the time, and needs {1 / needed:.2f} times the "
                f"steps of {BASELINE.name} for the same success."
            )


def _beaten_on_unseen(rows: Sequence[Row]) -> Iterable[str]:
    for ours in (row for row in rows if row["method"] == OURS.name and row["unseen"] is not None):
        for row in rows:
            if row["suite"] == ours["suite"] and (row["unseen"] or 0.0) > ours["unseen"]:
                yield (
                    f"on unseen templates of {row['suite']}, {row['method']} is above {OURS.name}: "
                    f"{interval(row, 'unseen')} against {interval(ours, 'unseen')}."
                )
