"""How MobileGym is told on the results page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from distrl.bench.telling import held, made, markdown

WANTED_RATIO = 3.0
"""How many times as fast as its own runner ours is meant to be."""


def mobilegym_section(figures: Mapping[str, Any]) -> str:
    """Speeds, resets and verdicts, ours and those of its own runner."""
    episodes, same = figures["episodes"], figures["same_verdicts"]
    return "\n".join(
        [
            "## MobileGym, against its own runner\n",
            f"{episodes} episodes of as many tasks, each played twice in one run: chosen on our "
            "page (the way that a task names, a\nchange of state that its criteria ask for, or a "
            "random walk), then repeated by its own runner in its own\nenvironment, on the same "
            "Chromium. Its runner waits after every action and takes pictures of 1080 by 2400 "
            "pixels;\nours has a clock of its own, and pictures of 360 by 800.\n",
            markdown(
                ("", "ours", "its own", "times as fast"),
                [
                    (
                        "steps per second, one page",
                        f"{figures['steps_per_second']:.1f}",
                        f"{figures['own_steps_per_second']:.2f}",
                        f"{figures['ratio']:.1f}",
                    ),
                    (
                        "the longest of them, without its waiting",
                        f"{figures['steps_per_second_of_longest']:.1f}",
                        f"{figures['own_steps_per_second_without_delay']:.2f}",
                        f"{figures['ratio_without_delay']:.1f}",
                    ),
                    (
                        "seconds of a reset with the task set up",
                        f"{figures['reset_seconds']:.2f}",
                        f"{figures['own_reset_seconds']:.2f}",
                        f"{figures['own_reset_seconds'] / figures['reset_seconds']:.1f}",
                    ),
                    *(
                        (
                            f"steps per second, pages in one browser: {row['pages']}, with resets "
                            "and judging",
                            f"{row['ours']:.2f}",
                            f"{row['own']:.2f}",
                            f"{row['ours'] / row['own']:.1f}",
                        )
                        for row in figures["by_pages"]
                    ),
                ],
            ),
            "",
            f"The judge passed {figures['passed']} episodes, found the goal of "
            f"{figures['reached']} reached and other changes in {figures['unclean']}. "
            f"{same} of {episodes}\nverdicts are the same in both; goal, other changes and share "
            f"of the checks are all the same in {figures['same_details']}.{_differing(figures)}"
            f"{_left_out(figures)}\n",
            _memory(figures),
            "",
            markdown(
                ("claim", "wanted", "measured", "held"),
                [
                    _claim("times as fast as its own runner", WANTED_RATIO, figures["ratio"]),
                    _claim("share of the verdicts that are the same", 1.0, same / episodes),
                ],
            ),
            "",
            made(figures),
        ]
    )


def _claim(what: str, wanted: float, measured: float) -> tuple[str, ...]:
    return what, f"{wanted:g}", f"{measured:.2f}", held(measured, wanted)


def _differing(figures: Mapping[str, Any]) -> str:
    named = ", ".join(f"`{one['task']}`" for one in figures["differing"])
    return f"\nThey differ in {named}." if named else ""


def _left_out(figures: Mapping[str, Any]) -> str:
    named = ", ".join(f"`{name}`" for name in figures["left_out"])
    return f"\nLeft out, because one of the two could not play them: {named}." if named else ""


def _memory(figures: Mapping[str, Any]) -> str:
    rows = figures["by_pages"]
    told = ", ".join(f"{row['ours_memory_mb']:.0f} MB with {row['pages']}" for row in rows)
    return f"Memory of our browser per page: {told}."
