"""A prompted agent as a baseline: any model behind an OpenAI-compatible endpoint, not trained.

`policies.lm.served` is for models whose adapter a run trains.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

from PIL import Image

from distrl.policies.text_actions import (
    INVALID,
    describe_situation,
    listed,
    parse_action,
    system_prompt,
)
from distrl.services import ChatClient, Message
from distrl.types import BASIC_KINDS, Choice, Kind, Situation


class ApiPolicy:
    """Requests one completion per action; an answer that does not parse is an invalid action.

    ServiceError if the endpoint gives no answer: an outage is not the model's failure, so it must
    not become a step of an episode.
    """

    def __init__(
        self,
        client: ChatClient,
        *,
        pictures: bool = False,
        log_probs: bool = False,
        kinds: frozenset[Kind] = BASIC_KINDS,
    ) -> None:
        """`pictures` sends the screenshot too; `log_probs` requests log-probabilities.

        The model is told of the actions of these `kinds` alone.
        """
        self._system = Message("system", system_prompt(kinds))
        self._client = client
        self._pictures = pictures
        self._log_probs = log_probs

    def begin(self, seed: int) -> None:
        """Nothing to do: sampling happens at the endpoint."""

    def act(self, situations: Sequence[Situation]) -> list[Choice]:
        """One request per situation, with the client's limit on concurrency."""
        if len(situations) == 1:
            return [self._choose(situations[0])]
        with ThreadPoolExecutor(self._client.settings.concurrency) as pool:
            return list(pool.map(self._choose, situations))

    def _choose(self, situation: Situation) -> Choice:
        answer = self._client.complete(
            self._messages(situation), purpose="policy", log_probs=self._log_probs
        )
        action = parse_action(answer.text, listed(situation.observation))
        return Choice(
            action=INVALID if action is None else action,
            log_prob=answer.log_prob if action is not None else None,
        )

    def _messages(self, situation: Situation) -> tuple[Message, Message]:
        pictures = (_png(situation),) if self._pictures else ()
        asked = Message("user", describe_situation(situation), pictures=pictures)
        return self._system, asked


def _png(situation: Situation) -> bytes:
    packed = BytesIO()
    Image.fromarray(situation.observation.screen).save(packed, "PNG")
    return packed.getvalue()
