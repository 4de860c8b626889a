import pytest

from distrl.collect.retry_policy import Decision, FailureLimits, decide, try_again
from distrl.errors import ConfigError
from distrl.types import Outcome

LIMITS = FailureLimits(retries=1, attempts=3)
LOST = Outcome.DEVICE_LOST


@pytest.mark.parametrize(
    ("outcome", "losses", "decision"),
    [
        (Outcome.SUCCEEDED, 0, Decision.GIVE_BACK),
        (Outcome.FAILED, 0, Decision.GIVE_BACK),
        (Outcome.FALSE_COMPLETE, 0, Decision.GIVE_BACK),
        (Outcome.STEP_LIMIT, 0, Decision.GIVE_BACK),
        (Outcome.TASK_ERROR, 0, Decision.GIVE_BACK),
        (LOST, 1, Decision.RETRY),
        (LOST, 2, Decision.GIVE_BACK),
        (LOST, 3, Decision.GIVE_BACK),
    ],
)
def test_the_table_of_decisions(outcome: Outcome, losses: int, decision: Decision) -> None:
    assert decide(outcome, losses, LIMITS) is decision


@pytest.mark.parametrize(
    ("outcome", "attempts", "again"),
    [
        (Outcome.SUCCEEDED, 1, False),
        (Outcome.TASK_ERROR, 1, False),
        (LOST, 1, True),
        (LOST, 2, True),
        (LOST, 3, False),
    ],
)
def test_a_task_is_tried_again_when_its_device_was_lost(
    outcome: Outcome, attempts: int, again: bool
) -> None:
    assert try_again(outcome, attempts, LIMITS) is again


def test_without_retries_a_device_goes_back_at_once() -> None:
    assert decide(LOST, 1, FailureLimits(retries=0)) is Decision.GIVE_BACK


@pytest.mark.parametrize(("retries", "attempts"), [(-1, 1), (1, 0)])
def test_limits_that_cannot_be_are_refused(retries: int, attempts: int) -> None:
    with pytest.raises(ConfigError):
        FailureLimits(retries=retries, attempts=attempts)
