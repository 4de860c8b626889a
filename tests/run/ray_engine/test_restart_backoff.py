from __future__ import annotations

from distrl.run.ray_engine.restart_backoff import FAILURES, RestartBackoff, pause_after


def test_a_single_failure_may_be_an_accident() -> None:
    backoff: RestartBackoff[str] = RestartBackoff()
    assert backoff.is_due("a", 0.0)
    assert backoff.failed("a", "killed", 10.0) == 1
    assert backoff.is_due("a", 10.0)


def test_a_place_that_fails_again_is_tried_later_and_later_but_never_given_up() -> None:
    pauses = [pause_after(times) for times in range(1, 12)]
    assert pauses == sorted(pauses)
    assert pauses[:4] == [0.0, 2.0, 4.0, 8.0]
    assert pauses[-1] == 60.0
    backoff: RestartBackoff[str] = RestartBackoff()
    for now in (0.0, 1.0, 2.0):
        backoff.failed("a", "no device", now)
    assert not backoff.is_due("a", 5.9)
    assert backoff.is_due("a", 6.0)


def test_failures_of_one_place_are_not_anothers() -> None:
    backoff: RestartBackoff[str] = RestartBackoff()
    for _ in range(10):
        backoff.failed("bad", "no device", 100.0)
    assert backoff.is_due("good", 100.0)
    assert backoff.failed("good", "killed", 100.0) == 1


def test_what_works_starts_from_nothing() -> None:
    backoff: RestartBackoff[str] = RestartBackoff()
    for _ in range(FAILURES):
        backoff.failed("a", "no device", 0.0)
    backoff.worked("a")
    assert backoff.is_due("a", 0.0)
    assert backoff.hopeless(["a"]) is None


def test_there_is_hope_while_one_place_has_not_failed_often() -> None:
    backoff: RestartBackoff[str] = RestartBackoff()
    for now in range(FAILURES):
        backoff.failed("a", "no device", float(now))
    assert backoff.hopeless(["a", "new"]) is None
    for now in range(FAILURES - 1):
        backoff.failed("b", "no memory", 10.0 + now)
    assert backoff.hopeless(["a", "b"]) is None
    backoff.failed("b", "no memory at all", 20.0)
    found = backoff.hopeless(["a", "b"])
    assert found is not None
    assert (found[0], found[1].why) == ("b", "no memory at all")


def test_no_places_are_no_failure() -> None:
    assert RestartBackoff[str]().hopeless([]) is None
