"""How the experiments are told: sections of the results page, from the figures that were written.

    FOLDER/tune/summary.json                                        distrl bench tune --out ...
    FOLDER/table/summary.json       and the pictures beside it      distrl bench table --out ...
    FOLDER/ablation/summary.json                                    distrl bench ablation --out ...
    FOLDER/scale/summary.json                                       distrl bench scale --out ...
    FOLDER/collect/summary.json                                     distrl bench collect --out ...
    FOLDER/replay/summary.json                                      distrl bench replay --out ...
    FOLDER/*/notes.md               what a person has to say about them, if anything

What there is no file for has no section.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from distrl.bench.experiments.ablation import BASE
from distrl.bench.experiments.table import BASELINE, EPISODES, METHODS, MORE, OURS, STEPS
from distrl.config import load_run_config
from distrl.errors import ConfigError
from distrl.run.virtual_cost import Cost, measured_cost

SUMMARY = "summary.json"
Row = Mapping[str, Any]

CLAIMS = (
    ("success_ratio_general", 1.20, "success on general, relative to sync DigiRL at equal time"),
    ("success_ratio_shopping", 1.14, "success on shopping, relative to sync DigiRL at equal time"),
    ("time_ratio_general", 3.0, "times faster to sync DigiRL's final success on general"),
)
"""What the paper says of its own devices, and what is looked for here."""
_QUICK = "**These figures were made with `--quick`: they are noise around a trend.**"


def sections(folder: Path) -> str:
    """All sections that there are files for."""
    tellers = (
        *(("tune", _tuning), ("table", _table), ("ablation", _ablation)),
        *(("collect", _collect), ("replay", _replay), ("scale", _scale)),
    )
    found = []
    for name, tell in tellers:
        path = folder / name / SUMMARY
        if path.exists():
            notes = folder / name / "notes.md"
            said = notes.read_text("utf-8").strip() if notes.exists() else ""
            found.append("\n\n".join(filter(None, (tell(_load(path)), said))))
    return "\n\n".join(found)


def _load(path: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(f"the figures in {path} cannot be read: {error}") from None


def _tuning(figures: Mapping[str, Any]) -> str:
    rows: Sequence[Row] = figures["rows"]
    return "\n".join(
        [
            "## Equal tuning\n",
            "Every algorithm of the comparison got the same configurations, in the mode in which "
            f"it stands there,\nfor {_hours(figures)}; the best on val ({rows[0]['tasks']} tasks, "
            "the mean of the last three checkpoints) is what\nthe comparison runs with.\n",
            *([_QUICK + "\n"] if figures["quick"] else []),
            _markdown(
                ("method", "setting", "val", "episodes", "updates"),
                [
                    (
                        row["method"],
                        f"`{row['setting']}`",
                        _interval(row, "val"),
                        f"{row['episodes']:,.0f}",
                        f"{row['updates']:,.0f}",
                    )
                    for row in rows
                ],
            ),
            "",
            _made(figures),
        ]
    )


def _table(figures: Mapping[str, Any]) -> str:
    rows: Sequence[Row] = figures["rows"]
    abouts = {m.name: m.about for m in (*METHODS, *MORE)}
    shown = dict.fromkeys(row["method"] for row in rows)
    return "\n".join(
        [
            "## Methods and modes\n",
            "All methods start from the same weights, act on the same kind of phones with the "
            "timing of an\nemulator fleet, and differ in nothing but what their name says, on the "
            "virtual engine. The time\nis the one in which asynchronous collection makes "
            f"{EPISODES:,} episodes on general in a full run\n({_hours(figures)} here). Success is "
            "the mean of the last three checkpoints, followed by its 95 %\nWilson interval over "
            "the tasks of all seeds, and by the worst and the best seed.\n",
            *([_QUICK + "\n"] if figures["quick"] else []),
            *(f"- **{name}**: {abouts[name]}" for name in shown if abouts.get(name)),
            "",
            *_by_suite(rows),
            "### What held\n",
            _claims(figures),
            "",
            f"Interactions to the same success: sync DigiRL needs "
            f"{_number(figures['interaction_ratio_general'], '.2f')} times as many steps as "
            f"{OURS.name}.\n",
            *_newest(figures),
            _two_by_two(rows),
            "",
            "### What it takes to make\n",
            _budget(measured_cost()),
            "",
            _made(figures),
        ]
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


def _by_suite(rows: Sequence[Row]) -> Iterable[str]:
    for suite in dict.fromkeys(row["suite"] for row in rows):
        mine = [row for row in rows if row["suite"] == suite]
        yield f"### {suite}\n"
        yield f"![Success on {suite} by time and by interactions](results/table/{suite}.png)\n"
        yield (
            f"{mine[0]['seeds']} seeds, {mine[0]['tasks']} tasks of test and "
            f"{mine[0]['unseen_tasks']} of unseen; the start succeeds at "
            f"{mine[0]['start']:.3f} of test.\n"
        )
        yield _markdown(
            ("method", "test", "seeds", "unseen", f"hours to {BASELINE.name}'s final", "steps to"),
            [
                (
                    row["method"],
                    _interval(row, "test"),
                    f"{row['test_lowest']:.3f} to {row['test_highest']:.3f}",
                    _interval(row, "unseen"),
                    _reached(row, row["seconds_to_reach"] / 3600, ".1f"),
                    _reached(row, row["steps_to_reach"], ",.0f"),
                )
                for row in mine
            ],
        )
        yield ""
        yield _markdown(
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


def _claims(figures: Mapping[str, Any]) -> str:
    rows = []
    for key, wanted, about in CLAIMS:
        value = figures[key]
        held = "" if value is None else ("yes" if value >= wanted else "no")
        rows.append((about, f"{wanted:.2f}", _number(value, ".2f"), held))
    return _markdown(("claim", "wanted", "here", "held"), rows)


def _newest(figures: Mapping[str, Any]) -> Iterable[str]:
    """What averaging the weights that are evaluated does to the headline, if it was measured."""
    if "success_ratio_general_newest" not in figures:
        return
    yield (
        "Evaluated are averaged weights, which follow update by update and so hold a method with "
        "few updates back more.\nWith the newest weights in their place, success on general is "
        f"{_number(figures['success_ratio_general_newest'], '.2f')} times sync DigiRL's "
        f"(averaged: {_number(figures['success_ratio_general'], '.2f')}), and\nthat one's final "
        f"success is reached {_number(figures['time_ratio_general_newest'], '.2f')} times faster "
        f"(averaged: {_number(figures['time_ratio_general'], '.2f')}).\n"
    )


def _two_by_two(rows: Sequence[Row]) -> str:
    """What the mode and what the algorithm earned on general."""
    test = {row["method"]: row["test"] for row in rows if row["suite"] == "general"}
    names = ("async-a_ride", "sync-a_ride", "async-digirl", "sync-digirl")
    if not all(name in test for name in names):
        return ""
    ours, bound, free, base = (test[name] for name in names)
    return (
        f"The two by two: going asynchronous adds {ours - bound:+.3f} to A-RIDE and "
        f"{free - base:+.3f} to DigiRL; A-RIDE in\nplace of DigiRL adds {ours - free:+.3f} when "
        f"collecting is asynchronous and {bound - base:+.3f} when it is not."
    )


def _ablation(figures: Mapping[str, Any]) -> str:
    rows: Sequence[Row] = figures["rows"]
    base = next(row for row in rows if row["row"] == BASE.name)
    return "\n".join(
        [
            "## What the terms of A-RIDE are worth\n",
            f"Each row changes the settings that it names, and nothing else; "
            f"{_counted(base['seeds'], 'seed')}, {base['tasks']} tasks of test,\n"
            f"{base['episodes']:,.0f} episodes. `gain` is against the first row, seed by seed"
            f"{', with the worst and the best seed' if base['seeds'] > 1 else ''}.\n",
            *([_QUICK + "\n"] if figures["quick"] else []),
            _markdown(
                ("row", "what is changed", "test", "unseen", "gain"),
                [
                    (
                        row["row"],
                        row["about"],
                        _interval(row, "test"),
                        _number(row["unseen"], ".3f"),
                        _gain(row),
                    )
                    for row in rows
                ],
            ),
            "",
            f"Better, with every seed and beyond the interval: {figures['better'] or 'none'}. "
            "Worse in the same sense,\nwhich is to say that what was changed helps here as it "
            f"was: {figures['worse'] or 'none'}.\nThe others cannot be told from the first row.\n",
            _made(figures),
        ]
    )


def _gain(row: Row) -> str:
    mean = f"{row['gain']:+.3f}"
    if row["seeds"] == 1:
        return mean
    return f"{mean} ({row['gain_lowest']:+.3f} to {row['gain_highest']:+.3f})"


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _scale(figures: Mapping[str, Any]) -> str:
    rows: Sequence[Row] = figures["rows"]
    columns = (
        ("devices", ",d"),
        ("episodes_per_minute", ",.1f"),
        ("device_utilisation", ".3f"),
        ("learner_utilisation", ".3f"),
        ("replay_ratio", ".2f"),
        ("arrival_lag", ".1f"),
        ("trained_lag", ".1f"),
        ("replay_mb", ",.0f"),
        ("process_mb", ",.0f"),
        ("wall_seconds", ".1f"),
    )
    feeds, first = figures["one_learner_feeds"], figures["first_saturated"]
    enough = "" if feeds is None else f"One learner keeps up with about {feeds:,d} devices. "
    late = "" if first is None else f"At {first:,d} devices it is busy all the time."
    return "\n".join(
        [
            "## From one device to ten thousand\n",
            "Collectors, fleet, replay and learner are those of any run, on the virtual engine; "
            "devices, policy\nand network are stood in for. A step that is learned from costs "
            f"{1000 * figures['learn_seconds']:.2f} ms of one core, as measured;\nthe learner "
            f"wants {figures['wanted_replay_ratio']:g} steps for each that is collected. Lags are "
            "in versions.\n",
            _markdown(
                tuple(name.replace("_", " ") for name, _ in columns),
                [tuple(format(row[name], form) for name, form in columns) for row in rows],
            ),
            "",
            f"{enough}{late}\n",
            _made(figures),
        ]
    )


def _collect(figures: Mapping[str, Any]) -> str:
    rows: Sequence[Row] = figures["rows"]
    devices = figures["devices"]
    return "\n".join(
        [
            "## Who waits for whom, in real time\n",
            "The same embedded phones with the times of a fleet of emulators, on a clock that runs "
            "faster, and nobody\nlearns: `async` and the two synchronous modes are those of a "
            "run; `vector_env` is Gymnasium's\nAsyncVectorEnv with the same devices and the same "
            "policy. `virtual` is what the virtual engine, on\nwhich the tables above were made, "
            "says of the same; steps are per minute of device time.\n",
            *([_QUICK + "\n"] if figures["quick"] else []),
            _markdown(
                ("devices", "mode", "steps a minute", "virtual", "real over virtual", "busy"),
                [
                    (
                        str(row["devices"]),
                        row["mode"],
                        f"{row['steps_per_minute']:.1f}",
                        _number(row["virtual_steps_per_minute"], ".1f"),
                        _number(_over_virtual(row), ".2f"),
                        f"{row['utilisation']:.3f}",
                    )
                    for row in rows
                ],
            ),
            "",
            f"With {devices} devices, async collects {figures['async_over_sync']:.2f} times as "
            f"much as sync, {figures['async_over_sync_pooled']:.2f} times as much\nas "
            f"sync_pooled and {figures['async_over_vector_env']:.2f} times as much as the vector "
            "environment; its "
            f"devices are busy {figures['async_utilisation']:.3f}\nof the time. The paper reports "
            "2.4 for collection.\n",
            f"Much faster devices, {devices} that take {figures['step_ms']:g} ms for a step, "
            "beside a learner that trains on the same machine:\n"
            f"busy {figures['utilisation']:.3f} of the time, "
            f"{figures['steps_per_second']:.0f} steps and "
            f"{figures['episodes_per_second']:.1f} episodes a second,\n"
            f"{figures['updates_per_second']:.1f} updates a second.\n",
            _made(figures),
        ]
    )


def _over_virtual(row: Row) -> float | None:
    virtual = row["virtual_steps_per_minute"]
    return None if virtual is None else row["steps_per_minute"] / virtual


def _replay(figures: Mapping[str, Any]) -> str:
    rows: Sequence[Row] = figures["rows"]
    parts = (
        ("add one", "insert", "inserts"),
        (f"sample {figures['batch']}", "sample", "samples"),
        (f"update {figures['batch']}", "update", "updates"),
        ("sample and update", "cycle", "cycles"),
    )
    return "\n".join(
        [
            "## Prioritised replay against cpprb\n",
            f"Entries of {figures['payload_bytes']} bytes, the same on both sides, which take "
            f"turns; the best of {figures['rounds']} rounds, in\nmicroseconds. A sample is drawn "
            "by priority and gathered, with importance weights. Both keep entries\nas rows of "
            "arrays here; a run keeps episodes, which differ in length, as objects over the same "
            "index.\n",
            *([_QUICK + "\n"] if figures["quick"] else []),
            _markdown(
                ("entries", "what", "distrl", "cpprb", "times as fast"),
                [
                    (
                        f"{row['entries']:,d}",
                        what,
                        f"{row[f'{key}_us']:.1f}",
                        f"{row[f'cpprb_{key}_us']:.1f}",
                        f"{row[f'{ratio}_over_cpprb']:.2f}",
                    )
                    for row in rows
                    for what, key, ratio in parts
                ],
            ),
            "",
            _made(figures),
        ]
    )


def _made(figures: Mapping[str, Any]) -> str:
    return f"Made by `{figures['command']}` ({figures['code']}) on {figures['machine']}."


def _hours(figures: Mapping[str, Any]) -> str:
    return f"{figures['seconds'] / 3600:.1f} virtual hours"


def _interval(row: Row, name: str) -> str:
    if row[name] is None:
        return ""
    return f"{row[name]:.3f} ({row[f'{name}_low']:.2f} to {row[f'{name}_high']:.2f})"


def _reached(row: Row, value: float, form: str) -> str:
    """A figure, marked where some seeds did not get there."""
    text = format(value, form)
    if row["reached"] == row["seeds"]:
        return text
    return f"{text} ({row['reached']} of {row['seeds']} seeds)"


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
