"""What the algorithms share: critics, corrected returns, regularisers, one optimiser.

    L = policy loss                                                      each algorithm's own
        - beta * mean_t[ entropy ] + eta * mean_t[ P_invalid ]
        + critic * mean_t[ BCE(V(s_t), target_t) ] + goal * mean[ BCE(V_goal, success) ]
        + imitation of demonstrations, and of successes from the pool

With `critic_form: q`, Q(s_t, d_t) is trained in place of V(s_t), which then is the expected
sum_d pi(d|s_t) Q(s_t, d): exact, for the model lists all decisions.

Steps of older episodes than the age bound, and steps whose acting probability is unknown, train
the critics only; unknown ones of successful episodes are imitated if `imitation` is above 0.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone uses
from torch import Tensor

from distrl.config.learn import AlgorithmConfig, Correction, CriticForm
from distrl.errors import ConfigError
from distrl.learn.batches import EpisodeBatch, batch_episodes
from distrl.learn.data_parallel import DataParallelModel
from distrl.learn.model import Choices, Evaluated, Model
from distrl.learn.optimisers import make_optimiser
from distrl.learn.returns import (
    ESTIMATORS,
    Q_ESTIMATORS,
    Estimate,
    Trace,
    retrace,
    retrace_q,
)
from distrl.replay.buffer import Sampled
from distrl.replay.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class UpdateResult:
    """What one update computed anyway."""

    terms: npt.NDArray[np.float64]
    """[B, 3] mean |delta|, mean clipped rho, mean -log pi of each episode: for priorities."""
    metrics: dict[str, float]


@dataclass(frozen=True, slots=True)
class EvaluatedBatch:
    """A batch as the newest weights see it."""

    trajectories: Sequence[Trajectory]
    batch: EpisodeBatch
    seen: Evaluated
    log_pi_BT: Tensor
    trace: Trace
    chosen_BT: Tensor | None
    """Q(s_t, d_t); None if critics judge situations."""
    estimate: Estimate
    used_BT: Tensor
    """1 on the steps that may train a policy: fresh, with a known probability."""


class ActorCritic(ABC):
    """Owns the optimiser and the ema critics of one model."""

    def __init__(self, model: Model, config: AlgorithmConfig) -> None:
        """Start with the ema copy equal to the model."""
        self.model, self.config = model, config
        self.ema = copy.deepcopy(model)
        self.updates = 0
        self.optimiser = make_optimiser(config.optimiser, model.parameters(), config.learning_rate)

    def update(
        self, sampled: Sampled, pool: Sequence[Trajectory] = (), progress: float = 0.0
    ) -> UpdateResult:
        """One gradient step on a batch of episodes, and on successes from the pool if any."""
        for group in self.optimiser.param_groups:
            group["lr"] = annealed(self.config, progress)
        view = self.look(sampled)
        batch, seen, estimate = view.batch, view.seen, view.estimate
        target = (
            estimate
            if self.config.critic_target is None
            else self.estimate(self.config.critic_target, view.trace, view.chosen_BT)
        )
        losses = {"policy": self.policy_loss(view), **self._regularisers(view)}
        losses["critic"] = self._critic_loss(batch, seen, target)
        losses["goal"] = self._goal_loss(sampled, batch)
        if pool and self.config.self_imitation > 0:
            losses["self_imitation"] = self._self_imitation_loss(pool)
        if self.updates < self.config.critic_warmup:
            for name in ("policy", "entropy", "invalid"):
                losses[name] = losses[name].detach()
        self._step(losses)
        self.updates += 1
        return UpdateResult(
            self._priority_terms(view),
            self._metrics(view, losses),
        )

    def terms(self, sampled: Sampled) -> npt.NDArray[np.float64]:
        """What `update` would report for priorities, without learning anything."""
        with torch.no_grad():
            return self._priority_terms(self.look(sampled))

    def state_dict(self) -> dict[str, Any]:
        """All that the next update depends on, beside its batch."""
        return {
            "model": self.model.state_dict(),
            "ema": self.ema.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "updates": self.updates,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.model.load_state_dict(state["model"])
        self.ema.load_state_dict(state["ema"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.updates = state["updates"]

    def look(self, sampled: Sampled) -> EvaluatedBatch:
        """A batch as the newest weights see it, without learning anything from it."""
        batch = batch_episodes(sampled)
        inputs = [step for trajectory in sampled.trajectories for step in trajectory.inputs]
        decisions = [d for trajectory in sampled.trajectories for d in trajectory.decisions]
        seen = self.model.evaluate(inputs, decisions)
        with torch.no_grad():
            steady = self.config.target_critics
            judge = self.ema.evaluate(inputs, decisions) if steady else seen
            values, chosen = self._judge(seen, judge)
        log_pi_BT = batch.scatter(seen.log_prob)
        trace = Trace(
            batch.rewards_BT,
            batch.scatter(values),
            self._ratios(log_pi_BT.detach(), batch),
            batch.done_BT,
            batch.mask_BT,
            torch.zeros(len(sampled.trajectories)),
        )
        chosen_BT = None if chosen is None else batch.scatter(chosen)
        estimate = self.estimate(self.config.correction, trace, chosen_BT)
        used_BT = batch.mask_BT * batch.known_BT * batch.fresh_B[:, None]
        return EvaluatedBatch(
            sampled.trajectories, batch, seen, log_pi_BT, trace, chosen_BT, estimate, used_BT
        )

    def _judge(self, seen: Evaluated, judge: Evaluated) -> tuple[Tensor, Tensor | None]:
        """[S] V of situations, and Q of what was decided there if critics judge decisions.

        `seen` has the policy that is trained, `judge` the critics that are asked. The smaller of
        two critics counts, of each decision before they are ema.
        """
        if self.config.critic_form is CriticForm.V:
            return torch.sigmoid(judge.value_logits).amin(dim=1), None
        judged = choices_of(judge)
        q_SD = torch.sigmoid(judged.logits).amin(dim=2)
        expected = (choices_of(seen).probs * q_SD).sum(1)
        return expected, torch.sigmoid(judged.taken).amin(dim=1)

    def _priority_terms(self, view: EvaluatedBatch) -> npt.NDArray[np.float64]:
        return _priority_terms(
            view.batch,
            view.estimate,
            view.trace.rho_BT,
            view.log_pi_BT.detach(),
            self.config.rho_max,
        )

    def _self_imitation_loss(self, pool: Sequence[Trajectory]) -> Tensor:
        """Mean of w * (1 - V) * -log pi, or of w * -log pi if the advantage is not to count."""
        inputs = [step for trajectory in pool for step in trajectory.inputs]
        decisions = [d for trajectory in pool for d in trajectory.decisions]
        seen = self.model.evaluate(inputs, decisions)
        surprise = -seen.log_prob
        if self.config.self_imitation_advantage:
            with torch.no_grad():
                values, _ = self._judge(seen, seen)
            surprise = surprise * (1 - values)
        return self.config.self_imitation * surprise.mean()

    def _ratios(self, log_pi_BT: Tensor, batch: EpisodeBatch) -> Tensor:
        if self.config.correction is Correction.NONE:
            return torch.ones_like(log_pi_BT)
        ratio_BT = torch.exp((log_pi_BT - batch.log_mu_BT).clamp(-20, 20))
        return torch.where(batch.known_BT > 0, ratio_BT, torch.ones_like(ratio_BT))

    def estimate(
        self, correction: Correction, trace: Trace, chosen_BT: Tensor | None = None
    ) -> Estimate:
        """Advantages and targets by an estimator, with this algorithm's gamma and lambda.

        With Q(s_t, d_t), targets are of that.
        """
        gamma, lam, clip = self.config.gamma, self.config.lam, self.config.trace_clip
        if chosen_BT is not None:
            if correction is Correction.RETRACE:
                return retrace_q(trace, chosen_BT, gamma=gamma, lam=lam, c_clip=clip)
            return Q_ESTIMATORS[correction](trace, chosen_BT, gamma=gamma, lam=lam)
        if correction is Correction.RETRACE:
            return retrace(trace, gamma=gamma, lam=lam, rho_clip=clip, c_clip=clip)
        return ESTIMATORS[correction](trace, gamma=gamma, lam=lam)

    def best_of(self, view: EvaluatedBatch, share: float) -> Tensor:
        """[B] 1 on a share of the episodes: those that ended better than the goal critic thought.

        They are the largest of outcome - V_goal.
        """
        with torch.no_grad():
            logits = self.model.goal_logits(
                [trajectory.inputs[0] for trajectory in view.trajectories]
            )
        better_B = view.batch.success_B - torch.sigmoid(logits)
        kept_B = torch.zeros_like(better_B)
        kept_B[better_B.topk(max(1, round(share * len(better_B)))).indices] = 1.0
        return kept_B

    @abstractmethod
    def policy_loss(self, view: EvaluatedBatch) -> Tensor:
        """What the policy is trained by."""

    def scaled(self, advantages_BT: Tensor, used_BT: Tensor) -> Tensor:
        """Advantages divided by their spread in the batch, if that is wanted."""
        if not self.config.normalise:
            return advantages_BT
        return advantages_BT / mean(advantages_BT.square(), used_BT).sqrt().clamp(min=0.05)

    def _regularisers(self, view: EvaluatedBatch) -> dict[str, Tensor]:
        s, batch, used_BT = self.config, view.batch, view.used_BT
        imitated_BT = batch.mask_BT * (1 - batch.known_BT) * batch.success_B[:, None]
        return {
            "entropy": -s.entropy * mean(batch.scatter(view.seen.entropy), used_BT),
            "invalid": s.invalid * mean(batch.scatter(view.seen.invalid), used_BT),
            "imitation": -s.imitation * mean(view.log_pi_BT, imitated_BT),
        }

    def _critic_loss(self, batch: EpisodeBatch, seen: Evaluated, estimate: Estimate) -> Tensor:
        target = estimate.targets_BT[batch.mask_BT > 0].clamp(0.0, 1.0)
        judges_decisions = self.config.critic_form is CriticForm.Q
        logits = choices_of(seen).taken if judges_decisions else seen.value_logits
        both = target[:, None].expand_as(logits)
        return self.config.critic * F.binary_cross_entropy_with_logits(logits, both)

    def _goal_loss(self, sampled: Sampled, batch: EpisodeBatch) -> Tensor:
        logits = self.model.goal_logits(
            [trajectory.inputs[0] for trajectory in sampled.trajectories]
        )
        return self.config.goal * F.binary_cross_entropy_with_logits(logits, batch.success_B)

    def _step(self, losses: dict[str, Tensor]) -> None:
        total = torch.stack(list(losses.values())).sum()
        self.optimiser.zero_grad(set_to_none=True)
        total.backward()  # type: ignore[no-untyped-call]
        if isinstance(self.model, DataParallelModel):
            self.model.all_reduce_gradients()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.gradient_clip)
        self.optimiser.step()
        with torch.no_grad():
            for slow, fast in zip(self.ema.parameters(), self.model.parameters(), strict=True):
                slow.lerp_(fast, 1 - self.config.ema_decay)

    def _metrics(self, view: EvaluatedBatch, losses: dict[str, Tensor]) -> dict[str, float]:
        batch, seen = view.batch, view.seen
        rho = view.trace.rho_BT[view.used_BT > 0]
        ess = float(rho.sum() ** 2 / (rho.square().sum() * max(1, len(rho)))) if len(rho) else 1.0
        return {
            **{f"loss/{name}": float(loss.detach()) for name, loss in losses.items()},
            "entropy": float(seen.entropy.detach().mean()),
            "invalid": float(seen.invalid.detach().mean()),
            "ratio/mean": float(rho.mean()) if len(rho) else 1.0,
            "ratio/clipped": float((rho > self.config.rho_max).float().mean()) if len(rho) else 0,
            "ratio/effective": ess,
            "value/mean": float(mean(view.trace.values_BT, batch.mask_BT)),
            "fresh": float(batch.fresh_B.mean()),
        }


def choices_of(seen: Evaluated) -> Choices:
    """All decisions of each step; ConfigError from a model that does not list them."""
    if seen.choices is None:
        raise ConfigError(
            "algorithm.critic_form is q, and this policy does not judge its decisions; "
            "choose v, or a policy that lists them, such as the pointer"
        )
    return seen.choices


def annealed(config: AlgorithmConfig, progress: float) -> float:
    """The learning rate when a share `progress` of the budget is spent."""
    return config.learning_rate * (1 - (1 - config.anneal) * progress)


def mean(values_BT: Tensor, mask_BT: Tensor) -> Tensor:
    """Over the steps of a mask; 0 where there are none."""
    return (values_BT * mask_BT).sum() / mask_BT.sum().clamp(min=1.0)


def _priority_terms(
    batch: EpisodeBatch, estimate: Estimate, rho_BT: Tensor, log_pi_BT: Tensor, rho_max: float
) -> npt.NDArray[np.float64]:
    """Mean |delta|, mean clipped rho and mean -log pi of each episode."""
    length_B = batch.mask_BT.sum(1).clamp(min=1.0)
    columns = [
        (estimate.deltas_BT.abs() * batch.mask_BT).sum(1) / length_B,
        (rho_BT.clamp(max=rho_max) * batch.mask_BT).sum(1) / length_B,
        (-log_pi_BT * batch.mask_BT).sum(1) / length_B,
    ]
    terms: npt.NDArray[np.float64] = torch.stack(columns, 1).double().numpy()
    return terms
