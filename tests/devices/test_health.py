from __future__ import annotations

import pytest

from distrl.devices.health import (
    Condition,
    Health,
    HealthLimits,
    came_through,
    kept_out,
    may_be_probed,
    quarantine_seconds,
    was_lost,
    was_probed,
)
from distrl.errors import ConfigError

LIMITS = HealthLimits(quarantine_after=2, first_seconds=10.0, longest_seconds=60.0, retire_after=3)
NOW = 100.0


def quarantined(count: int, until: float, losses: int = 2) -> Condition:
    return Condition(health=Health.QUARANTINED, losses=losses, quarantines=count, until=until)


SUSPECT = Condition(health=Health.SUSPECT, losses=1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Condition(), SUSPECT),
        (SUSPECT, quarantined(1, NOW + 10.0)),
        (Condition(quarantines=1), Condition(health=Health.SUSPECT, losses=1, quarantines=1)),
        (
            Condition(health=Health.SUSPECT, losses=1, quarantines=1),
            quarantined(2, NOW + 20.0),
        ),
        (
            Condition(health=Health.SUSPECT, losses=1, quarantines=2),
            quarantined(3, NOW + 40.0),
        ),
        (
            Condition(health=Health.SUSPECT, losses=1, quarantines=3),
            Condition(health=Health.RETIRED, losses=2, quarantines=3),
        ),
    ],
)
def test_the_table_of_losses(before: Condition, after: Condition) -> None:
    assert was_lost(before, NOW, LIMITS) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Condition(), Condition()),
        (SUSPECT, Condition()),
        (Condition(health=Health.SUSPECT, losses=1, quarantines=3), Condition(quarantines=2)),
    ],
)
def test_the_table_of_episodes_that_came_through(before: Condition, after: Condition) -> None:
    assert came_through(before) == after


@pytest.mark.parametrize(
    ("before", "well", "after"),
    [
        (
            quarantined(1, 90.0),
            True,
            Condition(health=Health.SUSPECT, losses=1, quarantines=1, until=90.0),
        ),
        (quarantined(1, 90.0), False, quarantined(2, NOW + 20.0)),
        (
            quarantined(3, 90.0),
            False,
            Condition(health=Health.RETIRED, losses=2, quarantines=3, until=90.0),
        ),
    ],
)
def test_the_table_of_probes(before: Condition, well: bool, after: Condition) -> None:
    assert was_probed(before, well, NOW, LIMITS) == after


def test_after_a_probe_the_next_loss_counts_at_once() -> None:
    back = was_probed(quarantined(1, 90.0), True, NOW, LIMITS)
    assert was_lost(back, NOW, LIMITS).health is Health.QUARANTINED


def test_a_device_that_was_abandoned_is_kept_out_at_once() -> None:
    assert kept_out(Condition(), NOW, LIMITS) == quarantined(1, NOW + 10.0, losses=0)


@pytest.mark.parametrize(
    ("before", "seconds"), [(0, 10.0), (1, 20.0), (2, 40.0), (3, 60.0), (10_000, 60.0)]
)
def test_quarantine_doubles_up_to_its_bound(before: int, seconds: float) -> None:
    assert quarantine_seconds(before, LIMITS) == seconds


@pytest.mark.parametrize(
    ("condition", "now", "due"),
    [
        (quarantined(1, 50.0), 49.9, False),
        (quarantined(1, 50.0), 50.0, True),
        (Condition(), 50.0, False),
        (Condition(health=Health.RETIRED), 50.0, False),
    ],
)
def test_only_a_quarantine_that_is_over_is_probed(
    condition: Condition, now: float, due: bool
) -> None:
    assert may_be_probed(condition, now) is due


@pytest.mark.parametrize(
    ("health", "usable"),
    [
        (Health.HEALTHY, True),
        (Health.SUSPECT, True),
        (Health.QUARANTINED, False),
        (Health.RETIRED, False),
    ],
)
def test_who_may_be_handed_out(health: Health, usable: bool) -> None:
    assert health.usable is usable


@pytest.mark.parametrize(
    "wrong",
    [
        {"quarantine_after": 0},
        {"retire_after": 0},
        {"first_seconds": 0.0},
        {"first_seconds": 20.0, "longest_seconds": 10.0},
    ],
)
def test_limits_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        HealthLimits(**wrong)  # type: ignore[arg-type]
