"""The server that writes a run's actions, from the run's settings."""

from __future__ import annotations

from collections.abc import Sequence

from distrl.clock import RealClock
from distrl.config import RunConfig
from distrl.learn.ingest import log_probs_of
from distrl.policies.lm.inputs import unpack
from distrl.policies.lm.model import LmModel
from distrl.policies.lm.serving.served_policy import ServedPolicy
from distrl.policies.lm.tokenizing import PromptEncoder
from distrl.services import EndpointSettings
from distrl.services.completions import CompletionClient
from distrl.services.retries import RetrySettings
from distrl.types import Choice
from distrl.weights.canary import Canary, CanaryCheck, write_canary

_ATTEMPT_SECONDS = 60.0
_ATTEMPTS = 20
"""So many that the time for an answer, not their number, is what ends the patience."""


def build_served(config: RunConfig, model: LmModel, prompt_encoder: PromptEncoder) -> ServedPolicy:
    """A policy whose actions the server of the settings writes."""
    lm = config.policy.lm
    served = lm.served
    settings = EndpointSettings(
        base_url=served.endpoint,
        model=served.name,
        key_env=served.key_env,
        max_tokens=model.longest,
        temperature=lm.temperature,
        attempt_seconds=min(_ATTEMPT_SECONDS, served.seconds),
        total_seconds=served.seconds,
        concurrency=served.concurrency,
        retries=RetrySettings(attempts=_ATTEMPTS),
    )
    check = CanaryCheck(log_probs_of(model, unpack), tolerance=served.tolerance)

    def compare(choices: Sequence[Choice]) -> float:
        told = Canary(
            tuple(choice.inputs for choice in choices),
            tuple(choice.decision or () for choice in choices),
            tuple(choice.log_prob or 0.0 for choice in choices),
        )
        return check.check(write_canary(told), choices[0].version)

    return ServedPolicy(
        model,
        prompt_encoder,
        CompletionClient(settings, clock=RealClock()),
        config=lm,
        compare=compare,
    )
