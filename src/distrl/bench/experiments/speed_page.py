"""How speeds are told: collecting in real time, replay, and from one device to many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from distrl.bench.telling import QUICK, Row, held, made, markdown, number
from distrl.run.virtual.cost import CostModel

COLLECT_CLAIMS = (
    ("async_over_sync", 2.4, "collects more than sync, times"),
    ("async_over_vector_env", 4.0, "collects more than Gymnasium's AsyncVectorEnv, times"),
    ("async_utilisation", 0.95, "share of the time that devices are busy, async"),
)
VIRTUAL_WITHIN = 0.10
"""How far the virtual engine may be from what is measured in real time."""


def collect_section(figures: Mapping[str, Any]) -> str:
    """Collecting in real time, by who waits for whom."""
    rows: Sequence[Row] = figures["rows"]
    devices = figures["devices"]
    ratio_devices = figures.get("ratio_devices", devices)
    return "\n".join(
        [
            "## Who waits for whom, in real time\n",
            "The same embedded phones with the times of a fleet of emulators, on a clock that runs "
            "faster, and nobody\nlearns. `async` is how a run collects. The two synchronous modes "
            "play rounds with the same collectors;\nthey are here and on the virtual engine to be "
            "compared with, and no run has them. `vector_env` is\nGymnasium's AsyncVectorEnv with "
            "the same devices and the same policy. `virtual` is what the virtual\nengine, on "
            "which the tables above were made, says of the same; steps are per minute of device "
            "time.\n",
            *([QUICK + "\n"] if figures["quick"] else []),
            _fleets(rows),
            "",
            f"With {ratio_devices} devices, async collects {figures['async_over_sync']:.2f} times "
            f"as much as sync, {figures['async_over_sync_pooled']:.2f} times as much\nas "
            f"sync_pooled and {figures['async_over_vector_env']:.2f} times as much as the vector "
            "environment; its "
            f"devices are busy {figures['async_utilisation']:.3f}\nof the time. The paper reports "
            "2.4 for collection.\n",
            _collect_claims(figures, ratio_devices),
            "",
            f"Much faster devices, {devices} that take {figures['step_ms']:g} ms for a step, "
            "beside a learner that trains on the same machine:\n"
            f"busy {figures['utilisation']:.3f} of the time, "
            f"{figures['steps_per_second']:.0f} steps and "
            f"{figures['episodes_per_second']:.1f} episodes a second,\n"
            f"{figures['updates_per_second']:.1f} updates a second.\n",
            made(figures),
        ]
    )


def _fleets(rows: Sequence[Row]) -> str:
    """Every fleet in every way, and what it costs this machine, where that was measured."""
    head: tuple[str, ...] = (
        "devices",
        "mode",
        "steps a minute",
        "virtual",
        "real over virtual",
        "busy",
    )
    cells: list[tuple[str, ...]] = [
        (
            str(row["devices"]),
            row["mode"],
            f"{row['steps_per_minute']:.1f}",
            number(row["virtual_steps_per_minute"], ".1f"),
            number(_over_virtual(row), ".2f"),
            f"{row['utilisation']:.3f}",
        )
        for row in rows
    ]
    if any("cpu_seconds" in row for row in rows):
        head = (*head, "ms of a core per step", "memory, MB")
        costs = [(_core_ms_per_step(row), row.get("rss_mb")) for row in rows]
        cells = [
            (*cell, number(ms, ".1f"), number(megabytes, ",.0f"))
            for cell, (ms, megabytes) in zip(cells, costs, strict=True)
        ]
    return markdown(head, cells)


def _collect_claims(figures: Mapping[str, Any], devices: int) -> str:
    """Every bar, and every row that is to agree with the virtual engine."""
    rows = [
        (
            f"{about}, {devices} devices",
            f"{wanted:g}",
            f"{figures[key]:.2f}",
            held(figures[key], wanted),
        )
        for key, wanted, about in COLLECT_CLAIMS
    ]
    for row in figures["rows"]:
        here = _over_virtual(row)
        if here is not None:
            agrees = abs(here - 1) <= VIRTUAL_WITHIN
            what = f"{row['mode']} with {row['devices']} devices, real over virtual"
            within = f"{1 - VIRTUAL_WITHIN:.2f} to {1 + VIRTUAL_WITHIN:.2f}"
            rows.append((what, within, f"{here:.2f}", "yes" if agrees else "no"))
    return markdown(("claim", "wanted", "here", "held"), rows)


def _core_ms_per_step(row: Row) -> float | None:
    """What a step costs this machine, beside what the device takes; None where nobody looked."""
    steps = row["steps_per_minute"] * row.get("seconds", 0.0) / 60
    return 1000 * row["cpu_seconds"] / steps if "cpu_seconds" in row and steps else None


def _over_virtual(row: Row) -> float | None:
    virtual = row["virtual_steps_per_minute"]
    return None if virtual is None else row["steps_per_minute"] / virtual


def replay_section(figures: Mapping[str, Any]) -> str:
    """Prioritised replay against cpprb."""
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
            *([QUICK + "\n"] if figures["quick"] else []),
            markdown(
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
            made(figures),
        ]
    )


def scale_section(figures: Mapping[str, Any]) -> str:
    """From one device to many."""
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
    large = figures.get("cost") == CostModel.LARGE_MODEL
    title = (
        "Devices for the learner of a large model" if large else "From one device to ten thousand"
    )
    source = "by published figures" if large else "of one core, as measured"
    return "\n".join(
        [
            f"## {title}\n",
            "Collectors, fleet, replay and learner are those of any run, on the virtual engine; "
            "devices, policy\nand network are stood in for. A step that is learned from costs "
            f"{1000 * figures['learn_seconds']:,.2f} ms {source};\nthe learner "
            f"wants {figures['wanted_replay_ratio']:g} steps for each that is collected. Lags are "
            "in versions. `process mb` is by how much\nthe process grew with a row; rows after "
            "it use again what it gave back.\n",
            markdown(
                tuple(name.replace("_", " ") for name, _ in columns),
                [tuple(format(row[name], form) for name, form in columns) for row in rows],
            ),
            "",
            f"{enough}{late}\n",
            made(figures),
        ]
    )
