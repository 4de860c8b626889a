"""What stands between a run and the policy that it trains, whichever that is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor

from distrl.config import RunConfig
from distrl.config.options import refuse_options
from distrl.errors import ConfigError
from distrl.interfaces import ActingPolicy
from distrl.learn.learner import Vary
from distrl.learn.model import Model
from distrl.plugins import Part, Registry, load
from distrl.run.builders.policy_names import BUILT_IN_POLICIES
from distrl.run.builders.torch_device import nearest_device
from distrl.types import Action, Situation
from distrl.weights.canary import tolerance_of


@runtime_checkable
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

    @property
    def acts_on_gpu(self) -> bool:
        """Whether a pass that acts is worth the run's GPU; off, it stays on the CPU."""
        ...

    def policy(self, *, greedy: bool = False) -> ActingPolicy:
        """Acts with the model as it is now, and changes it when it loads weights."""
        ...

    def actor(self) -> ActingPolicy:
        """What collectors act with: the same, or one that is served somewhere else."""
        ...

    def place(self, device: torch.device) -> None:
        """Move the model to where it acts or is trained."""
        ...

    def take(self, weights: Mapping[str, Tensor], where: str) -> None:
        """Give the model weights that come from `where`; ConfigError if they do not fit it."""
        ...

    def read_ahead(self, goals: Iterable[str] = ()) -> int:
        """Compute now what would make somebody wait later; how many texts were new."""
        ...

    def get_ready(self, goals: Iterable[str]) -> None:
        """Read ahead, and find out whether whatever is needed for acting can be reached."""
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


class ModelBundle(ABC):
    """A `PolicyBundle` around a model that acts in this process and reads nothing ahead.

    Subclasses make the policy and say how it would express an action. What the policy sees is
    bytes, or else a subclass packs and unpacks it.
    """

    model: Any
    """An `nn.Module` that is a `learn.model.Model`."""
    answer_seconds = 60.0
    """A pass of a small network takes milliseconds; what keeps it longer is other work on the
    machine, so a minute without an answer means that something is wrong."""
    acts_on_gpu = False
    """The pass of a small network is over before a GPU would have been asked."""

    def __init__(self, model: Any) -> None:
        """Train `model`, as it is now."""
        self.model = model

    @abstractmethod
    def policy(self, *, greedy: bool = False) -> ActingPolicy:
        """Acts with the model as it is now, and changes it when it loads weights."""

    @abstractmethod
    def express(self, situation: Situation, action: Action) -> tuple[tuple[int, ...] | None, bytes]:
        """How the policy would say an action, None if it cannot, and what it sees, packed."""

    def pack(self, inputs: Any) -> bytes:
        """Inputs as they are stored."""
        return bytes(inputs)

    def unpack(self, data: bytes) -> Any:
        """Stored inputs again."""
        return data

    @property
    def agreement(self) -> float:
        """What rounding in single precision may amount to."""
        return tolerance_of(torch.float32)

    def actor(self) -> ActingPolicy:
        """What collectors act with: the policy itself."""
        return self.policy()

    def place(self, device: torch.device) -> None:
        """Move the model."""
        self.model.to(device)

    def take(self, weights: Mapping[str, Tensor], where: str) -> None:
        """Give the model weights that come from `where`; ConfigError if they do not fit it."""
        require_same_weights(self.model.state_dict(), weights, where)
        self.model.load_state_dict(weights)

    def read_ahead(self, goals: Iterable[str] = ()) -> int:
        """Nothing is read ahead."""
        del goals
        return 0

    def get_ready(self, goals: Iterable[str]) -> None:
        """Read ahead."""
        self.read_ahead(goals)

    def vary(self, config: RunConfig) -> Vary | None:
        """Episodes are learned from as they were."""
        del config
        return None

    def gauges(self) -> dict[str, float]:
        """Nothing to tell."""
        return {}

    def close(self) -> None:  # noqa: B027 - most bundles have nothing to let go of
        """Nothing is served somewhere else."""


POLICIES = Registry(
    Part.TRAINABLE_POLICY,
    BUILT_IN_POLICIES,
    PolicyBundle,
)
"""What can be trained, by `policy.name`."""


def build_policy_bundle(config: RunConfig) -> PolicyBundle:
    """The policy of a run with its first weights, which follow from the run's seed."""
    name = config.policy.name
    refuse_options(config.policy.options, "policy.options", name, POLICIES.built_in)
    bundle: PolicyBundle = POLICIES.make(name, config, what="policy.name")
    return bundle


def build_acting_bundle(config: RunConfig) -> PolicyBundle:
    """The same where it acts: on the run's device if that is worth it, else on the CPU."""
    bundle = build_policy_bundle(config)
    if bundle.acts_on_gpu:
        bundle.place(nearest_device(config.device))
    return bundle


_PINNED = {"lm": "distrl.run.builders.lm:pin_settings"}
"""Policies that leave a choice to the machine that they are on. Another machine might choose
otherwise, so what the learner's machine chose is written into the settings that travel."""


def config_for_hosts(config: RunConfig) -> RunConfig:
    """A run's settings as its hosts read them, with a GPU only if one is reserved."""
    return _config_elsewhere(config, gpus=config.cluster.gpus_per_host)


def config_for_gradient_workers(config: RunConfig) -> RunConfig:
    """The same as its learner's gradient workers read them, with the GPUs reserved for those."""
    return _config_elsewhere(config, gpus=config.cluster.gpus_per_learner)


def _config_elsewhere(config: RunConfig, *, gpus: float) -> RunConfig:
    pin = _PINNED.get(config.policy.name)
    if pin is None:
        return config
    pinned: RunConfig = load(pin)(config, gpus=gpus)
    return pinned


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
