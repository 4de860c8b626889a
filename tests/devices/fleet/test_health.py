from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.devices.fault_causes import Cause
from distrl.devices.fleet.health import (
    EXTERNAL_CAUSES,
    Condition,
    Health,
    HealthLimits,
    after_loss,
    after_probe,
    after_success,
    may_be_probed,
    put_in_quarantine,
    quarantine_seconds,
)
from distrl.errors import ConfigError

LIMITS = HealthLimits(
    quarantine_after=2,
    first_seconds=10.0,
    longest_seconds=60.0,
    withheld_seconds=5.0,
    retire_after=3,
)
NOW = 100.0
OWN = Cause.CRASHED


def quarantined(
    count: int, until: float, losses: int = 2, failures: int | None = None
) -> Condition:
    return Condition(
        health=Health.QUARANTINED,
        losses=losses,
        quarantines=count,
        failures=count if failures is None else failures,
        until=until,
    )


def suspect(quarantines: int = 0, failures: int | None = None) -> Condition:
    failures = quarantines if failures is None else failures
    return Condition(health=Health.SUSPECT, losses=1, quarantines=quarantines, failures=failures)


SUSPECT = suspect()


@pytest.mark.parametrize(
    ("before", "cause", "after"),
    [
        (Condition(), OWN, SUSPECT),
        (SUSPECT, OWN, quarantined(1, NOW + 10.0)),
        (Condition(quarantines=1, failures=1), OWN, suspect(1)),
        (suspect(1), OWN, quarantined(2, NOW + 20.0)),
        (suspect(2), OWN, quarantined(3, NOW + 40.0)),
        (suspect(3), OWN, Condition(health=Health.RETIRED, losses=2, quarantines=3, failures=3)),
        (
            suspect(3),
            Cause.TIMEOUT,
            Condition(health=Health.RETIRED, losses=2, quarantines=3, failures=3),
        ),
        # Around it
        (Condition(), Cause.OFFLINE, SUSPECT),
        (SUSPECT, Cause.OFFLINE, quarantined(1, NOW + 10.0, failures=0)),
        (suspect(3), Cause.SERVER, quarantined(3, NOW + 60.0, failures=3)),
        (suspect(2, 3), Cause.ABSENT, quarantined(3, NOW + 40.0, failures=3)),
        (suspect(3, 0), OWN, quarantined(3, NOW + 60.0, failures=1)),
        # A person keeps it
        (Condition(), Cause.WITHHELD, quarantined(0, NOW + 5.0)),
        (SUSPECT, Cause.WITHHELD, quarantined(0, NOW + 5.0)),
        (suspect(3), Cause.WITHHELD, quarantined(3, NOW + 5.0)),
    ],
)
def test_the_table_of_losses(before: Condition, cause: Cause, after: Condition) -> None:
    assert after_loss(before, cause, NOW, LIMITS) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Condition(), Condition()),
        (SUSPECT, Condition()),
        (suspect(3), Condition(quarantines=2, failures=2)),
        (suspect(3, 0), Condition(quarantines=2)),
    ],
)
def test_the_table_of_episodes_that_came_through(before: Condition, after: Condition) -> None:
    assert after_success(before) == after


@pytest.mark.parametrize(
    ("before", "fault", "after"),
    [
        (
            quarantined(1, 90.0),
            None,
            Condition(health=Health.SUSPECT, losses=1, quarantines=1, failures=1, until=90.0),
        ),
        (quarantined(1, 90.0), OWN, quarantined(2, NOW + 20.0)),
        (
            quarantined(3, 90.0),
            OWN,
            Condition(health=Health.RETIRED, losses=2, quarantines=3, failures=3, until=90.0),
        ),
        (quarantined(1, 90.0), Cause.ABSENT, quarantined(2, NOW + 20.0, failures=1)),
        (quarantined(3, 90.0), Cause.ABSENT, quarantined(3, NOW + 60.0, failures=3)),
        (quarantined(3, 90.0), Cause.TIMEOUT, quarantined(3, NOW + 60.0, failures=3)),
        (quarantined(3, 90.0), Cause.WITHHELD, quarantined(3, NOW + 5.0)),
        (quarantined(1, 90.0), Cause.WITHHELD, quarantined(1, NOW + 5.0)),
    ],
)
def test_the_table_of_probes(before: Condition, fault: Cause | None, after: Condition) -> None:
    assert after_probe(before, fault, NOW, LIMITS) == after


@pytest.mark.parametrize("cause", sorted(EXTERNAL_CAUSES | {Cause.TIMEOUT}))
def test_an_outage_of_a_night_retires_nobody_and_leaves_no_mark(cause: Cause) -> None:
    condition, now = after_loss(SUSPECT, cause, 0.0, LIMITS), 0.0
    out = 0.0
    while now < 12 * 3600:
        out = max(out, condition.until - now)
        now = condition.until
        condition = after_probe(condition, cause, now, LIMITS)
        assert condition.health is Health.QUARANTINED
    assert out <= LIMITS.longest_seconds
    back = after_probe(condition, None, now, LIMITS)
    for _ in range(3):
        back = after_success(back)
    assert back == Condition()


def test_after_a_probe_the_next_loss_counts_at_once() -> None:
    back = after_probe(quarantined(1, 90.0), None, NOW, LIMITS)
    assert after_loss(back, OWN, NOW, LIMITS).health is Health.QUARANTINED


def test_a_device_that_was_abandoned_is_kept_out_at_once() -> None:
    after = put_in_quarantine(Condition(), Cause.ABANDONED, NOW, LIMITS)
    assert after == quarantined(1, NOW + 10.0, losses=0)


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
        {"withheld_seconds": 0.0},
        {"first_seconds": 20.0, "longest_seconds": 10.0},
    ],
)
def test_limits_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        HealthLimits(**wrong)  # type: ignore[arg-type]


# Whatever happens to a device


EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["lost", "through", "probe ok", "probe failed"]),
        st.sampled_from(sorted(Cause)),
        st.floats(0.0, 100.0),
    ),
    max_size=40,
)


def lived(events: list[tuple[str, Cause, float]], limits: HealthLimits) -> list[Condition]:
    """The conditions of a device, one after each event that can happen to it."""
    condition, now, found = Condition(), 0.0, [Condition()]
    for event, cause, seconds in events:
        now += seconds
        if condition.health is Health.RETIRED:
            break
        if condition.health.usable and event == "lost":
            condition = after_loss(condition, cause, now, limits)
        elif condition.health.usable and event == "through":
            condition = after_success(condition)
        elif may_be_probed(condition, now) and event.startswith("probe"):
            fault = None if event == "probe ok" else cause
            condition = after_probe(condition, fault, now, limits)
        found.append(condition)
    return found


@given(EVENTS)
@settings(max_examples=150)
def test_counts_stay_within_their_bounds(events: list[tuple[str, Cause, float]]) -> None:
    for condition in lived(events, LIMITS):
        assert 0 <= condition.failures <= LIMITS.retire_after
        assert 0 <= condition.quarantines <= 4  # 10, 20, 40 and the longest
        assert condition.losses >= 0


@given(EVENTS)
@settings(max_examples=150)
def test_nobody_is_retired_by_what_is_around_them(events: list[tuple[str, Cause, float]]) -> None:
    around = [
        (event, Cause.OFFLINE if cause not in EXTERNAL_CAUSES else cause, seconds)
        for event, cause, seconds in events
    ]
    assert all(c.health is not Health.RETIRED for c in lived(around, LIMITS))
    assert all(c.failures == 0 for c in lived(around, LIMITS))


@given(EVENTS)
@settings(max_examples=150)
def test_enough_episodes_that_come_through_heal_any_device(
    events: list[tuple[str, Cause, float]],
) -> None:
    condition = lived(events, LIMITS)[-1]
    if condition.health is not Health.RETIRED:
        for _ in range(LIMITS.retire_after + 4):
            condition = after_success(condition)
        assert condition == Condition()


@pytest.mark.parametrize("quarantine_after", [1, 2, 3, 5])
def test_a_device_is_kept_out_after_so_many_losses_in_a_row(quarantine_after: int) -> None:
    limits = HealthLimits(quarantine_after=quarantine_after)
    condition, losses = Condition(), 0
    while condition.health.usable:
        condition = after_loss(condition, OWN, NOW, limits)
        losses += 1
    assert losses == quarantine_after
    back = after_probe(condition, None, NOW, limits)
    assert not after_loss(back, OWN, NOW, limits).health.usable


def test_an_episode_in_between_starts_the_count_anew() -> None:
    limits = HealthLimits(quarantine_after=3)
    condition = Condition()
    for _ in range(20):
        condition = after_loss(condition, OWN, NOW, limits)
        condition = after_loss(condition, OWN, NOW, limits)
        condition = after_success(condition)
    assert condition == Condition()


def test_a_device_that_fails_every_other_time_is_out_for_longer_and_longer() -> None:
    condition, out = Condition(), []
    for _ in range(3):
        while condition.health.usable:
            condition = after_loss(condition, OWN, NOW, LIMITS)
        out.append(condition.until - NOW)
        condition = after_probe(condition, None, NOW, LIMITS)
    assert out == [10.0, 20.0, 40.0]


@pytest.mark.parametrize("cause", sorted(set(Cause) - EXTERNAL_CAUSES))
def test_every_cause_of_its_own_retires_a_device_in_the_end(cause: Cause) -> None:
    condition = Condition(failures=LIMITS.retire_after)
    assert put_in_quarantine(condition, cause, NOW, LIMITS).health is Health.RETIRED
