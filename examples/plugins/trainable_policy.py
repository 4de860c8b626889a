"""A trainable policy: a small network that sees whether a switch is on, and should be.

[project.entry-points."distrl.trainable_policies"]: tiny = "trainable_policy:build"
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from distrl import actions
from distrl.config import RunConfig
from distrl.config.base import Config
from distrl.config.options import read_options
from distrl.learn.model import Evaluation
from distrl.policies.base import ModelPolicy
from distrl.run.builders.policy_bundle import ModelBundle
from distrl.types import Action, Choice, Situation

KINDS = (actions.tap(0.5, 0.5), actions.wait(), actions.complete())


class Options(Config):
    width: int = 16


class TinyModel(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, len(KINDS) + 3))

    def log_probs(self, inputs: Sequence[bytes]) -> tuple[Tensor, Tensor]:
        out = self.body(self.body[0].weight.new_tensor([list(one) for one in inputs]))
        return out[:, : len(KINDS)].log_softmax(-1), out[:, len(KINDS) :]

    def evaluate(self, inputs: Sequence[bytes], decisions: Sequence[tuple[int, ...]]) -> Evaluation:
        logs, critics = self.log_probs(inputs)
        entropy = -(logs.exp() * logs).sum(-1)
        taken = logs.gather(1, torch.tensor(decisions, device=logs.device)).squeeze(1)
        return Evaluation(taken, entropy, torch.zeros_like(taken), critics[:, :2])

    def goal_logits(self, inputs: Sequence[bytes]) -> Tensor:
        return self.log_probs(inputs)[1][:, 2]


class TinyPolicy(ModelPolicy[TinyModel]):
    def prepare(self, situation: Situation) -> bytes:
        on = any(element.checked for element in situation.observation.elements or ())
        wanted = situation.goal.endswith("on")
        return bytes([on, wanted, on == wanted])

    @torch.no_grad()
    def decide(self, situations: Sequence[Situation], prepared: Sequence[bytes]) -> list[Choice]:
        return list(map(self._choose, situations, self._model.log_probs(prepared)[0]))

    def _choose(self, situation: Situation, logs: Tensor) -> Choice:
        draw = torch.Generator().manual_seed(situation.seed)
        drawn = logs.argmax() if self._greedy else torch.multinomial(logs.exp(), 1, generator=draw)
        told = {"version": self.version, "digest": self.digest, "log_prob": float(logs[drawn])}
        return Choice(action=KINDS[drawn], decision=(int(drawn),), **told)


class TinyBundle(ModelBundle):
    def policy(self, *, greedy: bool = False) -> TinyPolicy:
        return TinyPolicy(self.model, greedy=greedy)

    def express(self, situation: Situation, action: Action) -> tuple[tuple[int, ...] | None, bytes]:
        known = [index for index, one in enumerate(KINDS) if one.kind is action.kind]
        return (known[0],) if known else None, self.policy().prepare(situation)


def build(config: RunConfig) -> TinyBundle:
    torch.manual_seed(config.seed)
    options = read_options(Options, config.policy.options, "policy.options")
    return TinyBundle(TinyModel(options.width))
