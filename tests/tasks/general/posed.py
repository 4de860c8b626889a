"""A task posed on a quiet phone, for tests of what a template accepts."""

from __future__ import annotations

from typing import Any

from tests.devices.phone.driver import Driver

from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.types import Action, Outcome, Task


class Posed(Driver):
    """A driver on a phone that a task of a suite was set up on."""

    suite = "general"

    def __init__(self, template: str, seed: int = 5, **parameters: Any) -> None:
        super().__init__(seed)
        self.referee = PhoneReferee(self.device)
        self._oracle = PhoneOracle(self.referee)
        self.referee.begin(
            Task(
                id=f"test/{template}",
                goal="",
                suite=self.suite,
                split="test",
                template=template,
                parameters=parameters,
                seed=seed,
                step_limit=15,
            )
        )

    @property
    def reached(self) -> bool:
        """Whether the goal is reached now."""
        return self.referee.holds()

    @property
    def side_effects(self) -> tuple[str, ...]:
        """What has changed that the task does not allow."""
        return self.referee.verdict(Outcome.SUCCEEDED).side_effects

    def next_action(self) -> Action:
        """What the oracle would do now."""
        return self._oracle.action()

    def solve(self, limit: int = 15) -> int:
        """Let the oracle finish; how many actions it took."""
        for step in range(1, limit + 1):
            action = self.next_action()
            if action.kind.ends_episode:
                assert self.referee.outcome(action.kind) is Outcome.SUCCEEDED
                return step
            self.perform(action)
        raise AssertionError(f"not solved in {limit} actions")


def neighbour(records: dict[str, Any], **fields: Any) -> tuple[str, dict[str, Any]]:
    """The first record that the task is not about, with these fields."""
    for key, record in records.items():
        if key != "target" and all(record[name] == value for name, value in fields.items()):
            return key, record
    raise AssertionError(f"only the target is there, or nobody has {fields}")


def added(records: dict[str, Any], before: dict[str, Any]) -> str:
    """The id of the one record that is new."""
    (key,) = set(records) - set(before)
    return key
