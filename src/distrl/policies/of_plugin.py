"""The policy of a plug-in: what its code does wrong is told as the plug-in's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from distrl.errors import ConfigError, DistrlError
from distrl.interfaces import Policy, SaysValue
from distrl.plugins import Plugin
from distrl.types import Choice, Situation


def guarded_policy(policy: Policy, plugin: Plugin) -> Policy:
    """The same policy, whose errors name the plug-in; those of this package stay as they are."""
    if isinstance(policy, SaysValue):
        return _GuardedWithValue(policy, plugin, policy)
    return _Guarded(policy, plugin)


@contextmanager
def _told(plugin: Plugin) -> Iterator[None]:
    """Errors on purpose, such as a service that does not answer, have words of their own."""
    try:
        with plugin.guarded():
            yield
    except ConfigError as error:
        if isinstance(error.__cause__, DistrlError):
            raise error.__cause__ from None
        raise


@dataclass(frozen=True, slots=True)
class _Guarded:
    policy: Policy
    plugin: Plugin

    def begin(self, seed: int) -> None:
        """An episode starts."""
        with _told(self.plugin):
            self.policy.begin(seed)

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        """One choice for each situation; ConfigError if the plug-in makes anything else."""
        with _told(self.plugin):
            choices = list(self.policy.act(situations))
        if len(choices) != len(situations) or not all(isinstance(c, Choice) for c in choices):
            raise self.plugin.broken(
                f"act was given {len(situations)} situations and returned {choices!r}; one Choice "
                "for each is wanted"
            )
        return choices


@dataclass(frozen=True, slots=True)
class _GuardedWithValue(_Guarded):
    critic: SaysValue

    def value(self, situation: Situation) -> float:
        """The probability of success from a situation."""
        with _told(self.plugin):
            return self.critic.value(situation)
