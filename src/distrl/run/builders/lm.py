"""The lm policy of a run, from its settings: to act with, to train, to demonstrate for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import torch

from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.interfaces import ActingPolicy
from distrl.policies.lm.inputs import LmInputs, pack, unpack
from distrl.policies.lm.loading import Loaded, choose_dtype, load_language_model
from distrl.policies.lm.model import LmModel, Network
from distrl.policies.lm.network import TextNetwork
from distrl.policies.lm.policy import LmPolicy
from distrl.policies.lm.prefix_cache import PrefixCache
from distrl.policies.lm.serving.served_policy import ServedPolicy
from distrl.policies.lm.tokenizing import PromptEncoder
from distrl.policies.lm.vision import VisionNetwork
from distrl.run.builders.policy_bundle import ModelBundle
from distrl.run.builders.served_lm import build_served
from distrl.run.builders.torch_device import nearest_device
from distrl.types import BASIC_KINDS, Action, Kind, Situation
from distrl.weights.canary import tolerance_of

_MB = 2**20


@dataclass(frozen=True)
class Lm(ModelBundle):
    """A language model, and what stands between it and the world.

    Episodes are learned from as they were: what frozen layers made of a prompt holds for its own
    words only.
    """

    answer_seconds = 900.0
    """A batch of new screens takes minutes where there is no GPU."""
    acts_on_gpu = True
    model: LmModel
    prompt_encoder: PromptEncoder
    prefix_cache: PrefixCache
    served: ServedPolicy | None = None
    """Acts for collectors, if a server does."""

    def policy(self, *, greedy: bool = False) -> LmPolicy:
        """Acts with the model as it is now, and changes it when it loads weights."""
        return LmPolicy(self.model, self.prompt_encoder, self.prefix_cache, greedy=greedy)

    def actor(self) -> ActingPolicy:
        """What collectors act with."""
        return self.policy() if self.served is None else self.served

    @property
    def agreement(self) -> float:
        """How far log-probabilities of who acts and who learns may be apart."""
        return tolerance_of(self.model.network.embeddings.dtype)

    def get_ready(self, goals: Iterable[str]) -> None:
        """Find out whether the server, if there is one, does its part; nothing is read ahead."""
        del goals
        if self.served is not None:
            self.served.check_server()

    def express(self, situation: Situation, action: Action) -> tuple[tuple[int, ...] | None, bytes]:
        """How the model would write an action, if it can, and what it reads."""
        prompt, inputs = self.prompt_encoder.encode(situation)
        decision = self.prompt_encoder.encode_action(action, prompt)
        if decision is None:
            return None, b""
        network = self.model.network
        if isinstance(network, TextNetwork):
            written = decision[: self.model.last_choice(inputs.tree, decision)]
            states = network.read_below((*inputs.tokens, *written))
            inputs = replace(inputs, states=states.numpy())
        return decision, pack(inputs)

    def pack(self, inputs: LmInputs) -> bytes:
        """Inputs as they are stored."""
        return pack(inputs)

    def unpack(self, data: bytes) -> LmInputs:
        """Stored inputs again."""
        return unpack(data)

    def gauges(self) -> dict[str, float]:
        """How often a screen was known already."""
        hits, misses = self.prefix_cache.hits, self.prefix_cache.misses
        known = {
            "lm/known": hits / (hits + misses) if hits + misses else 0.0,
            "lm/hits": float(hits),
            "lm/misses": float(misses),
        }
        return known if self.served is None else {**known, **self.served.gauges()}

    def close(self) -> None:
        """Have the server, if there is one, forget what it was given."""
        if self.served is not None:
            self.served.close()


def build_lm(config: RunConfig, loaded: Loaded | None = None) -> Lm:
    """The model of the settings with a new adapter, which follows from the run's seed."""
    lm = config.policy.lm
    if not config.phone.elements and lm.sees != "image":
        raise ConfigError(
            "policy.lm.sees is "
            f"{lm.sees}, and phone.elements is off: there would be nothing to read"
        )
    sees = lm.sees != "text"
    dtype = choose_dtype(lm.dtype, nearest_device(config.device))
    loaded = loaded or load_language_model(lm.model, sees=sees, dtype=dtype)
    torch.manual_seed(config.seed)
    network: Network
    if sees:
        network = VisionNetwork(loaded, rank=lm.rank, alpha=lm.alpha)
    else:
        network = TextNetwork(loaded.model, top=lm.top_layers, rank=lm.rank, alpha=lm.alpha)
    kinds = frozenset(map(Kind, config.policy.kinds or BASIC_KINDS))
    prompt_encoder = PromptEncoder(loaded.tokenizer, lm, processor=loaded.processor, kinds=kinds)
    model = LmModel(network, lm)
    served = build_served(config, model, prompt_encoder) if lm.served.endpoint else None
    return Lm(model, prompt_encoder, PrefixCache(lm.memory_mb * _MB), served)


def pin_settings(config: RunConfig, *, gpus: float) -> RunConfig:
    """Settings for another machine: the precision that is chosen here, a GPU only if one is there.

    Weights in another precision than the learner's would give other log-probabilities.
    """
    lm = config.policy.lm
    dtype = choose_dtype(lm.dtype, nearest_device(config.device))
    told = lm.model_copy(update={"dtype": str(dtype).removeprefix("torch.")})
    return config.model_copy(
        update={
            "device": config.device if gpus else "cpu",
            "policy": config.policy.model_copy(update={"lm": told}),
        }
    )
