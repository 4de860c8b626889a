"""What stands between a run and the policy that it trains, whichever that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from distrl.config import RunConfig
from distrl.errors import ConfigError, ServiceError, unknown_name
from distrl.learn.learner import Vary
from distrl.learn.model import Model
from distrl.run.builders.settings import POLICIES
from distrl.types import Action, Choice, Situation


class Acting(Protocol):
    """A policy that acts, in one call or in three parts, and whose weights can be exchanged."""

    version: int
    digest: str

    def begin(self, seed: int) -> None:
        """An episode starts."""
        ...

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        """One choice for each situation, in order."""
        ...

    def prepare(self, situation: Situation) -> Any:
        """What the network sees of a situation; any thread may ask."""
        ...

    def pack(self, prepared: Any) -> bytes:
        """The same as a choice carries it, unless `decide` has packed it; any thread may ask."""
        ...

    def decide(
        self, situations: Sequence[Situation], prepared: Sequence[Any]
    ) -> Sequence[Choice | ServiceError]:
        """One forward pass: a choice for each situation, or why a served model made none."""
        ...

    def load(self, weights: Mapping[str, Any], version: int, digest: str) -> None:
        """Take weights over; the next pass uses them."""
        ...


class PolicyBundle(Protocol):
    """A model, and what stands between it and the world."""

    @property
    def model(self) -> Model:
        """What is trained and published."""
        ...

    @property
    def answer_seconds(self) -> float:
        """How long a decision may take before something must be wrong."""
        ...

    @property
    def agreement(self) -> float:
        """How far log-probabilities of who acts and who learns may be apart."""
        ...

    def policy(self, *, greedy: bool = False) -> Acting:
        """Acts with the model as it is now, and changes it when it loads weights."""
        ...

    def actor(self) -> Acting:
        """What collectors act with: the same, or one that is served somewhere else."""
        ...

    def place(self, device: torch.device) -> None:
        """Move the model to where it acts or is trained."""
        ...

    def take(self, weights: Mapping[str, Tensor], where: str) -> None:
        """Give the model weights that come from `where`; ConfigError if they do not fit it."""
        ...

    def get_ready(self, goals: Iterable[str]) -> None:
        """Do now what would make somebody wait later."""
        ...

    def express(self, situation: Situation, action: Action) -> tuple[tuple[int, ...] | None, bytes]:
        """How the policy would say an action, if it can, and what it sees."""
        ...

    def pack(self, inputs: Any) -> bytes:
        """Inputs as they are stored."""
        ...

    def unpack(self, data: bytes) -> Any:
        """Stored inputs again."""
        ...

    def vary(self, config: RunConfig) -> Vary | None:
        """What episodes go through each time that they are learned from, if anything."""
        ...

    def gauges(self) -> dict[str, float]:
        """Numbers for a monitor."""
        ...

    def close(self) -> None:
        """Let go of what is served somewhere else; a second call does nothing."""
        ...


def build_policy_bundle(config: RunConfig) -> PolicyBundle:
    """The policy of a run with its first weights, which follow from the run's seed."""
    match config.policy.name:
        case "pointer":
            from distrl.run.builders.pointer import build_pointer

            return build_pointer(config)
        case "lm":
            from distrl.run.builders.lm import build_lm

            return build_lm(config)
        case other:
            raise unknown_name("policy.name", other, POLICIES)


def build_acting_bundle(config: RunConfig) -> PolicyBundle:
    """The same where it acts: a language model on the run's device.

    A pointer stays on the CPU: its pass is over before a GPU would have been asked.
    """
    bundle = build_policy_bundle(config)
    if config.policy.name == "lm":
        from distrl.run.builders.pointer import nearest_device

        bundle.place(nearest_device(config.device))
    return bundle


def config_for_hosts(config: RunConfig) -> RunConfig:
    """A run's settings as its hosts read them.

    A language model is in the precision that the learner keeps it in, whatever a host would
    choose, and on a GPU only if one is reserved.
    """
    return _config_elsewhere(config, gpus=config.cluster.gpus_per_host)


def config_for_gradient_workers(config: RunConfig) -> RunConfig:
    """The same as its learner's helpers read them, with the GPUs that are reserved for those."""
    return _config_elsewhere(config, gpus=config.cluster.gpus_per_learner)


def _config_elsewhere(config: RunConfig, *, gpus: float) -> RunConfig:
    if config.policy.name != "lm":
        return config
    from distrl.policies.lm.loading import choose_dtype
    from distrl.run.builders.pointer import nearest_device

    lm = config.policy.lm
    dtype = choose_dtype(lm.dtype, nearest_device(config.device))
    told = lm.model_copy(update={"dtype": str(dtype).removeprefix("torch.")})
    return config.model_copy(
        update={
            "device": config.device if gpus else "cpu",
            "policy": config.policy.model_copy(update={"lm": told}),
        }
    )


def require_same_weights(
    expected: Mapping[str, Tensor], found: Mapping[str, Tensor], where: str
) -> None:
    """ConfigError unless weights from `where` have the names and shapes that are expected."""
    for name in sorted({*found, *expected}):
        if name not in found or name not in expected or found[name].shape != expected[name].shape:
            raise ConfigError(
                f"the weights in {where} are of another network: {name} differs; use the "
                f"policy settings, and the version of distrl, that they were made with"
            )
