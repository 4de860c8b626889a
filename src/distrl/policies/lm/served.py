"""The lm policy where a server writes the actions: the learner's adapter travels there by name.

    load     adapter --> folder --> the server loads NAME-v12, we ask for it, NAME-v11 is unloaded
    decide   prompt as tokens --> the server --> tokens and log-probabilities --> Choice of v12

Prompts, tokens and probabilities are those of `LmPolicy` where it writes freely, so that a learner
treats both alike. The first answers of every version are computed here again and compared.
"""

from __future__ import annotations

import logging
import secrets
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from distrl.config.policies import LmConfig
from distrl.errors import ConfigError, PipelineError, ServiceError
from distrl.policies.base import ModelPolicy
from distrl.policies.lm.adapter import write_adapter
from distrl.policies.lm.inputs import pack
from distrl.policies.lm.model import LmModel
from distrl.policies.lm.policy import Prepared
from distrl.policies.lm.prompt import read_answer
from distrl.policies.lm.tokenizing import Reader
from distrl.policies.text_actions import INVALID
from distrl.services.completions import CompletionClient
from distrl.types import Choice, Situation

Compare: TypeAlias = Callable[[Sequence[Choice]], float]
"""Computes log-probabilities of choices again, and says how far apart they are at most;
PipelineError if they stay so."""

_COMPARED = 4
"""Answers of every version that are compared, at most."""
_SILENT = 3
"""Passes in a row without any answer after which the server is given up."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Serving:
    """An adapter that the server has loaded."""

    name: str
    folder: Path
    version: int
    digest: str


class ServedPolicy(ModelPolicy[LmModel]):
    """Acts with the newest adapter that the server has taken. One thread loads and decides."""

    def __init__(
        self,
        model: LmModel,
        reader: Reader,
        client: CompletionClient,
        *,
        config: LmConfig,
        compare: Compare,
    ) -> None:
        """`model` gets all weights that are published, so that `compare` can ask it."""
        super().__init__(model)
        self._reader, self._client = reader, client
        self._config, self._compare = config, compare
        self._prefix = f"{config.served.name}-{secrets.token_hex(4)}"
        self._folder: Path | None = None
        self._serving: _Serving | None = None
        self._unseen = False
        """Whether no answer of this version has come yet."""
        self._silent = 0
        self.refused = self.unanswered = 0
        """Versions that the server did not take, and situations that it did not answer."""
        self.largest = 0.0
        """How far log-probabilities were apart at the last comparison."""

    def load(self, weights: Mapping[str, Any], version: int, digest: str) -> None:
        """Have the server load an adapter; then use it, and have it unload the one before.

        One that it refuses is logged, and the one before stays. ConfigError if there is none.
        """
        self._model.load_state_dict(weights)
        try:
            new = self._hand_over(weights, version, digest)
        except ServiceError as error:
            if self._serving is None:
                raise ConfigError(f"policy.lm.served: {error}") from error
            self.refused += 1
            self._unseen = False  # the model here has gone on: there is nothing to compare with
            _log.warning(
                "the server did not take version %d, version %d stays: %s",
                version,
                self.version,
                error,
            )
            return
        before, self._serving = self._serving, new
        self.version, self.digest = version, digest
        self._unseen = True
        if before is not None:
            self._forget(before)

    def try_out(self) -> None:
        """Have the server load, use and unload the adapter as it is; ConfigError if it does not."""
        try:
            self._serving = self._hand_over(self._model.state_dict(), 0, "")
            said = self._reader.tokens_of("Goal:")
            self._client.generate(self._serving.name, said, end=self._reader.end, seed=0)
        except ServiceError as error:
            raise ConfigError(f"policy.lm.served: {error}") from error
        finally:
            self.close()

    def _hand_over(self, weights: Mapping[str, Any], version: int, digest: str) -> _Serving:
        """Write an adapter and have the server load it; ServiceError if it does not."""
        name, config = f"{self._prefix}-v{version}", self._config
        new = _Serving(name, self._place() / name, version, digest)
        write_adapter(new.folder, weights, rank=config.rank, alpha=config.alpha, base=config.model)
        try:
            self._client.load_adapter(new.name, new.folder)
        except ServiceError:
            shutil.rmtree(new.folder, ignore_errors=True)
            raise
        return new

    def _place(self) -> Path:
        if self._folder is None:
            given = self._config.served.adapters or tempfile.mkdtemp(prefix="distrl-adapters-")
            made = Path(given)
            made.mkdir(parents=True, exist_ok=True)
            self._folder = made.resolve()
        return self._folder

    def _forget(self, serving: _Serving) -> None:
        try:
            self._client.unload_adapter(serving.name)
        except ServiceError as error:
            _log.warning("the server did not unload %s: %s", serving.name, error)
        shutil.rmtree(serving.folder, ignore_errors=True)

    def prepare(self, situation: Situation) -> Prepared:
        """What the model reads; any thread may ask."""
        return Prepared(*self._reader.read(situation))

    def pack(self, prepared: Prepared) -> bytes:
        """Nothing: a choice carries its inputs."""
        del prepared
        return b""

    def decide(
        self, situations: Sequence[Situation], prepared: Sequence[Prepared]
    ) -> list[Choice | ServiceError]:
        """Ask for all at once; PipelineError when the server has been silent for too long."""
        serving = self._serving
        if serving is None:
            raise PipelineError("a served policy has no weights yet")

        def choose(situation: Situation, one: Prepared) -> Choice | ServiceError:
            try:
                return self._choose(situation, one, serving)
            except ServiceError as error:
                return error

        with ThreadPoolExecutor(self._client.settings.at_once) as pool:
            decided = list(pool.map(choose, situations, prepared))
        choices = [one for one in decided if not isinstance(one, ServiceError)]
        self.unanswered += len(decided) - len(choices)
        if choices:
            self._silent = 0
            self._look_again(choices)
        else:
            self._be_patient(serving, decided)
        return decided

    def _choose(self, situation: Situation, one: Prepared, serving: _Serving) -> Choice:
        written = self._client.generate(
            serving.name, one.inputs.tokens, end=self._reader.end, seed=situation.seed
        )
        if max(written.tokens) >= len(self._model.network.embeddings):
            raise ServiceError("the server writes tokens of another model than policy.lm.model")
        action = read_answer(self._reader.text(written.tokens), one.prompt)
        return Choice(
            action=INVALID if action is None else action,
            decision=written.tokens,
            log_prob=sum(written.log_probs),
            version=serving.version,
            digest=serving.digest,
            inputs=pack(one.inputs),
        )

    def _look_again(self, choices: Sequence[Choice]) -> None:
        if self._unseen:
            self._unseen = False
            self.largest = self._compare(choices[:_COMPARED])

    def _be_patient(self, serving: _Serving, decided: Sequence[Choice | ServiceError]) -> None:
        self._silent += 1
        if self._silent >= _SILENT:
            raise PipelineError(f"the server has answered nothing {_SILENT} times: {decided[0]}")
        try:  # one that was started again has forgotten its adapters
            self._client.load_adapter(serving.name, serving.folder)
        except ServiceError as error:
            _log.warning("the server does not answer: %s", error)

    def gauges(self) -> dict[str, float]:
        """Numbers for a monitor."""
        return {
            "served/version": float(self.version),
            "served/refused": float(self.refused),
            "served/unanswered": float(self.unanswered),
            "served/largest": self.largest,
        }

    def close(self) -> None:
        """Have the server forget the adapter; a second call does nothing."""
        serving, self._serving = self._serving, None
        if serving is not None:
            self._forget(serving)
        if self._folder is not None and self._config.served.adapters is None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
