"""The exact judge: replay the episode on an embedded phone and ask its referee."""

from __future__ import annotations

from contextlib import suppress

from distrl import screens
from distrl.config.devices import PhoneConfig
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import ActionError, DistrlError, JudgeError, boundary
from distrl.tasks.judges.evidence import no_evidence, void
from distrl.tasks.referee import PhoneReferee
from distrl.types import Episode, Observation, Verdict


class StateJudge:
    """Replays episodes of the embedded phone, which does the same at every time.

    Where the phone shows something else than what is stored, the verdict is void: then this is
    another phone, or somebody has changed the episode.
    """

    name = "state"

    def __init__(self, phone: PhoneConfig | None = None) -> None:
        """The settings of the phones that the episodes come from."""
        self._device = PhoneDevice("judge", phone)
        self._referee = PhoneReferee(self._device)

    def judge(self, episode: Episode) -> Verdict:
        """The referee's verdict."""
        if episode.final is None or not episode.steps or not episode.outcome.trainable:
            return no_evidence(self.name)
        try:
            with boundary(JudgeError, "replaying the episode"):
                return self._replayed(episode, episode.final)
        except DistrlError as error:
            return void(self.name, str(error))

    def _replayed(self, episode: Episode, final: Observation) -> Verdict:
        self._referee.begin(episode.task)
        for number, step in enumerate(episode.steps, 1):
            self._compare(step.observation, f"before step {number}")
            action = step.choice.action
            if not action.kind.ends_episode:
                # What the phone refused then, it refuses again, and nothing happens.
                with suppress(ActionError):
                    self._device.perform(action)
        self._compare(final, "at the end")
        if not action.kind.ends_episode and len(episode.steps) < episode.task.step_limit:
            raise JudgeError("the episode is not over")
        return self._referee.verdict(self._referee.ended_by(action))

    def _compare(self, stored: Observation, when: str) -> None:
        shown = self._device.observe()
        if stored.elements is None or shown.elements is None:
            same = screens.same(stored.screen, shown.screen)
        else:
            same = stored.elements == shown.elements
        if not same:
            raise JudgeError(f"{when}, the phone shows something else than what is stored")
