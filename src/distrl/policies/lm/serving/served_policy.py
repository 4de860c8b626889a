"""The lm policy with a model server (vLLM): the learner's LoRA adapter is loaded there by name.

    load     adapter --> folder --> the server loads NAME-v12, we ask for it, NAME-v11 is unloaded
    decide   prompt as tokens --> the server --> tokens and log-probabilities --> Choice of v12

Prompts, tokens and log-probabilities are those of an unconstrained `LmPolicy`, so a learner treats
both alike. The first answers of every version are recomputed locally and compared (canary).
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
from distrl.policies.lm.inputs import pack
from distrl.policies.lm.model import LmModel
from distrl.policies.lm.policy import Prepared
from distrl.policies.lm.prompt import parse_answer
from distrl.policies.lm.serving.adapter import write_adapter
from distrl.policies.lm.tokenizing import PromptEncoder
from distrl.policies.text_actions import INVALID
from distrl.services.completions import CompletionClient
from distrl.types import Choice, Situation

Compare: TypeAlias = Callable[[Sequence[Choice]], float]
"""Recomputes the log-probabilities of choices and returns the largest difference.

PipelineError if differences persist."""

_COMPARED = 4
"""Answers of every version that are recomputed; few, since it costs a local forward pass."""
_MAX_SILENT_PASSES = 3
"""Passes in a row without any answer, each with its own retries, before the run fails."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Serving:
    """An adapter that the server has loaded."""

    name: str
    folder: Path
    version: int
    digest: str


class ServedPolicy(ModelPolicy[LmModel]):
    """Acts with the newest adapter that the server has loaded. One thread loads and decides."""

    def __init__(
        self,
        model: LmModel,
        prompt_encoder: PromptEncoder,
        client: CompletionClient,
        *,
        config: LmConfig,
        compare: Compare,
    ) -> None:
        """`model` follows the published weights, for `compare` to recompute log-probabilities."""
        super().__init__(model)
        self._prompt_encoder, self._client = prompt_encoder, client
        self._config, self._compare = config, compare
        # Several collectors may share a server: their adapters need different names.
        self._prefix = f"{config.served.name}-{secrets.token_hex(4)}"
        self._folder: Path | None = None
        self._serving: _Serving | None = None
        self._uncompared = False
        """Whether no answer of this version has been compared yet."""
        self._silent_passes = 0
        self.refused = self.unanswered = 0
        """Versions that the server did not load, and situations that it did not answer."""
        self.largest = 0.0
        """Largest difference of log-probabilities at the last comparison."""

    def load(self, weights: Mapping[str, Any], version: int, digest: str) -> None:
        """Load a new adapter on the server, switch to it, and unload the previous one.

        If the server refuses it, the previous adapter stays in use; ConfigError if there is none.
        """
        self._model.load_state_dict(weights)
        try:
            new = self._load_on_server(weights, version, digest)
        except ServiceError as error:
            if self._serving is None:
                raise ConfigError(f"policy.lm.served: {error}") from error
            self.refused += 1
            self._uncompared = False  # the local model is already newer than what the server runs
            _log.warning(
                "the server did not take version %d, version %d stays: %s",
                version,
                self.version,
                error,
            )
            return
        # Switched before the old one is unloaded: there is always one to ask for.
        before, self._serving = self._serving, new
        self.version, self.digest = version, digest
        self._uncompared = True
        if before is not None:
            self._unload(before)

    def check_server(self) -> None:
        """Load, use and unload the initial adapter; ConfigError if the server cannot."""
        try:
            self._serving = self._load_on_server(self._model.state_dict(), 0, "")
            said = self._prompt_encoder.tokenize("Goal:")
            self._client.generate(
                self._serving.name, said, end=self._prompt_encoder.end_token, seed=0
            )
        except ServiceError as error:
            raise ConfigError(f"policy.lm.served: {error}") from error
        finally:
            self.close()

    def _load_on_server(self, weights: Mapping[str, Any], version: int, digest: str) -> _Serving:
        """Write an adapter and have the server load it; ServiceError if it refuses."""
        name, config = f"{self._prefix}-v{version}", self._config
        new = _Serving(name, self._adapter_folder() / name, version, digest)
        write_adapter(new.folder, weights, rank=config.rank, alpha=config.alpha, base=config.model)
        try:
            self._client.load_adapter(new.name, new.folder)
        except ServiceError:
            shutil.rmtree(new.folder, ignore_errors=True)
            raise
        return new

    def _adapter_folder(self) -> Path:
        if self._folder is None:
            given = self._config.served.adapters or tempfile.mkdtemp(prefix="distrl-adapters-")
            made = Path(given)
            made.mkdir(parents=True, exist_ok=True)
            self._folder = made.resolve()
        return self._folder

    def _unload(self, serving: _Serving) -> None:
        try:
            self._client.unload_adapter(serving.name)
        except ServiceError as error:
            _log.warning("the server did not unload %s: %s", serving.name, error)
        shutil.rmtree(serving.folder, ignore_errors=True)

    def prepare(self, situation: Situation) -> Prepared:
        """Encode a situation. Thread-safe."""
        return Prepared(*self._prompt_encoder.encode(situation))

    def pack(self, prepared: Prepared) -> bytes:
        """Empty: `decide` packs the inputs."""
        del prepared
        return b""

    def decide(
        self, situations: Sequence[Situation], prepared: Sequence[Prepared]
    ) -> list[Choice | ServiceError]:
        """One concurrent request per situation; PipelineError after too many silent passes."""
        serving = self._serving
        if serving is None:
            raise PipelineError("a served policy has no weights yet")

        def choose(situation: Situation, one: Prepared) -> Choice | ServiceError:
            try:
                return self._choose(situation, one, serving)
            except ServiceError as error:
                return error

        with ThreadPoolExecutor(self._client.settings.concurrency) as pool:
            decided = list(pool.map(choose, situations, prepared))
        choices = [one for one in decided if not isinstance(one, ServiceError)]
        self.unanswered += len(decided) - len(choices)
        if choices:
            self._silent_passes = 0
            self._compare_log_probs(choices)
        else:
            self._on_no_answer(serving, decided)
        return decided

    def _choose(self, situation: Situation, one: Prepared, serving: _Serving) -> Choice:
        written = self._client.generate(
            serving.name, one.inputs.tokens, end=self._prompt_encoder.end_token, seed=situation.seed
        )
        if max(written.tokens) >= len(self._model.network.embeddings):
            raise ServiceError("the server writes tokens of another model than policy.lm.model")
        action = parse_answer(self._prompt_encoder.decode(written.tokens), one.prompt)
        return Choice(
            action=INVALID if action is None else action,
            decision=written.tokens,
            log_prob=sum(written.log_probs),
            version=serving.version,
            digest=serving.digest,
            inputs=pack(one.inputs),
        )

    def _compare_log_probs(self, choices: Sequence[Choice]) -> None:
        if self._uncompared:
            self._uncompared = False
            self.largest = self._compare(choices[:_COMPARED])

    def _on_no_answer(self, serving: _Serving, decided: Sequence[Choice | ServiceError]) -> None:
        self._silent_passes += 1
        if self._silent_passes >= _MAX_SILENT_PASSES:
            raise PipelineError(
                f"the server has answered nothing {_MAX_SILENT_PASSES} times: {decided[0]}"
            )
        # A server that was restarted has lost its adapters and refuses every request by name.
        try:
            self._client.load_adapter(serving.name, serving.folder)
        except ServiceError as error:
            _log.warning("the server does not answer: %s", error)

    def gauges(self) -> dict[str, float]:
        """Metrics of the server connection."""
        return {
            "served/version": float(self.version),
            "served/refused": float(self.refused),
            "served/unanswered": float(self.unanswered),
            "served/largest": self.largest,
        }

    def close(self) -> None:
        """Unload the adapter from the server; a second call does nothing."""
        serving, self._serving = self._serving, None
        if serving is not None:
            self._unload(serving)
        if self._folder is not None and self._config.served.adapters is None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
