from __future__ import annotations

from distrl.run.ray_engine.restart_backoff import FAILURES, Attempts, pause_after


def test_a_single_failure_may_be_an_accident() -> None:
    attempts: Attempts[str] = Attempts()
    assert attempts.is_due("a", 0.0)
    assert attempts.failed("a", "killed", 10.0) == 1
    assert attempts.is_due("a", 10.0)


def test_a_place_that_fails_again_is_tried_later_and_later_but_never_given_up() -> None:
    pauses = [pause_after(times) for times in range(1, 12)]
    assert pauses == sorted(pauses)
    assert pauses[:4] == [0.0, 2.0, 4.0, 8.0]
    assert pauses[-1] == 60.0
    attempts: Attempts[str] = Attempts()
    for now in (0.0, 1.0, 2.0):
        attempts.failed("a", "no device", now)
    assert not attempts.is_due("a", 5.9)
    assert attempts.is_due("a", 6.0)


def test_failures_of_one_place_are_not_anothers() -> None:
    attempts: Attempts[str] = Attempts()
    for _ in range(10):
        attempts.failed("bad", "no device", 100.0)
    assert attempts.is_due("good", 100.0)
    assert attempts.failed("good", "killed", 100.0) == 1


def test_what_works_starts_from_nothing() -> None:
    attempts: Attempts[str] = Attempts()
    for _ in range(FAILURES):
        attempts.failed("a", "no device", 0.0)
    attempts.worked("a")
    assert attempts.is_due("a", 0.0)
    assert attempts.hopeless(["a"]) is None


def test_there_is_hope_while_one_place_has_not_failed_often() -> None:
    attempts: Attempts[str] = Attempts()
    for now in range(FAILURES):
        attempts.failed("a", "no device", float(now))
    assert attempts.hopeless(["a", "new"]) is None
    for now in range(FAILURES - 1):
        attempts.failed("b", "no memory", 10.0 + now)
    assert attempts.hopeless(["a", "b"]) is None
    attempts.failed("b", "no memory at all", 20.0)
    found = attempts.hopeless(["a", "b"])
    assert found is not None
    assert (found[0], found[1].why) == ("b", "no memory at all")


def test_no_places_are_no_failure() -> None:
    assert Attempts[str]().hopeless([]) is None
