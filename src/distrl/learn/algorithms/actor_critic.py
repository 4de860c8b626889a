"""Base of the algorithms: critics, off-policy returns, regularisers, target network (EMA).

    L = policy loss                                                      each algorithm's own
        - beta * mean_t[ entropy ] + eta * mean_t[ P_invalid ]
        + critic * mean_t[ BCE(V(s_t), target_t) ] + goal * mean[ BCE(V_goal, success) ]
        + imitation of demonstrations, and of successes from the pool

With `critic_form: q`, Q(s_t, d_t) is trained in place of V(s_t), which then is the expectation
sum_d pi(d|s_t) Q(s_t, d): exact, since the model lists all decisions.

Steps that are too stale (age above max_lag) and steps without log mu, the behaviour policy's
log-probability, train the critics only. The latter, in successful episodes, are demonstrations:
they are imitated if `imitation` is above 0.
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
from distrl.learn.model import Choices, Evaluated, EvaluatedChoices, Evaluation, Model
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
    """Metrics of an update, and the terms of priorities that it computed anyway."""

    terms: npt.NDArray[np.float64]
    """[B, 3] mean |delta|, mean clipped rho, mean -log pi of each episode: for priorities."""
    metrics: dict[str, float]


@dataclass(frozen=True, slots=True)
class EvaluatedBatch:
    """A batch evaluated with the current weights, and its return estimates."""

    trajectories: Sequence[Trajectory]
    batch: EpisodeBatch
    seen: Evaluated
    log_pi_BT: Tensor
    trace: Trace
    chosen_BT: Tensor | None
    """Q(s_t, d_t) of the target critics; None if critics are of the form V."""
    estimate: Estimate
    used_BT: Tensor
    """1 on the steps that may train the policy: fresh, and with a known log mu."""


class ActorCritic(ABC):
    """Owns the optimiser and the EMA copy (target network) of one model."""

    def __init__(self, model: Model, config: AlgorithmConfig) -> None:
        """Start with the EMA copy equal to the model."""
        self.model, self.config = model, config
        self.ema = copy.deepcopy(model)
        self.updates = 0
        self._fast, self._slow = tuple(model.parameters()), tuple(self.ema.parameters())
        self.optimiser = make_optimiser(config.optimiser, self._fast, config.learning_rate)

    def update(
        self, sampled: Sampled, pool: Sequence[Trajectory] = (), progress: float = 0.0
    ) -> UpdateResult:
        """One gradient step on a batch of episodes, and on successes from the pool, if any."""
        for group in self.optimiser.param_groups:
            group["lr"] = annealed(self.config, progress)
        imitated = pool if self.config.self_imitation > 0 else ()
        seen, pooled = self._evaluate_together(sampled.trajectories, imitated)
        view = self._view(sampled, seen)
        batch, estimate = view.batch, view.estimate
        target = (
            estimate
            if self.config.critic_target is None
            else self.estimate(self.config.critic_target, view.trace, view.chosen_BT)
        )
        losses = {"policy": self.config.policy * self.policy_loss(view), **self._regularisers(view)}
        losses["critic"] = self._critic_loss(batch, seen, target)
        losses["goal"] = self._goal_loss(sampled, batch)
        if pooled is not None:
            losses["self_imitation"] = self._self_imitation_loss(pooled)
        if self.updates < self.config.critic_warmup:
            # Until the critics are trained, advantages are noise.
            for name in ("policy", "entropy", "invalid"):
                losses[name] = losses[name].detach()
        self._step(losses)
        self.updates += 1
        return UpdateResult(
            self._priority_terms(view),
            self._metrics(view, losses),
        )

    def terms(self, sampled: Sampled) -> npt.NDArray[np.float64]:
        """The terms of priorities that `update` would report, without a gradient step."""
        with torch.no_grad():
            return self._priority_terms(self.evaluate_batch(sampled))

    def state_dict(self) -> dict[str, Any]:
        """Everything that the next update depends on, except its batch."""
        return {
            "model": self.model.state_dict(),
            "ema": self.ema.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "updates": self.updates,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        self.model.load_state_dict(state["model"])
        self.ema.load_state_dict(state["ema"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.updates = state["updates"]

    def evaluate_batch(self, sampled: Sampled) -> EvaluatedBatch:
        """Evaluate a batch with the current weights and estimate its returns; no gradient step."""
        return self._view(sampled, self.model.evaluate(*_steps_of(sampled.trajectories)))

    def _evaluate_together(
        self, trajectories: Sequence[Trajectory], pool: Sequence[Trajectory]
    ) -> tuple[Evaluated, Evaluated | None]:
        """Both in one pass, which costs less than two; None without a pool."""
        seen = self.model.evaluate(*_steps_of([*trajectories, *pool]))
        if not pool:
            return seen, None
        count = sum(len(trajectory) for trajectory in trajectories)
        return _part(seen, slice(None, count)), _part(seen, slice(count, None))

    def _view(self, sampled: Sampled, seen: Evaluated) -> EvaluatedBatch:
        batch = batch_episodes(sampled)
        # Values only serve as targets and baselines: the critics get gradients from their own loss.
        with torch.no_grad():
            steady = self.config.target_critics
            judge = self.ema.evaluate(*_steps_of(sampled.trajectories)) if steady else seen
            values, chosen = self._critic_values(seen, judge)
        log_pi_BT = batch.scatter(seen.log_prob)
        trace = Trace(
            batch.rewards_BT,
            batch.scatter(values),
            self._ratios(log_pi_BT.detach(), batch),
            batch.done_BT,
            batch.mask_BT,
            # Episodes end in a terminal state, the step limit included, so nothing is bootstrapped.
            torch.zeros(len(sampled.trajectories)),
        )
        chosen_BT = None if chosen is None else batch.scatter(chosen)
        estimate = self.estimate(self.config.correction, trace, chosen_BT)
        used_BT = batch.mask_BT * batch.known_BT * batch.fresh_B[:, None]
        return EvaluatedBatch(
            sampled.trajectories, batch, seen, log_pi_BT, trace, chosen_BT, estimate, used_BT
        )

    def _critic_values(self, seen: Evaluated, judge: Evaluated) -> tuple[Tensor, Tensor | None]:
        """[S] V(s), and Q(s, d) of the taken decisions if critics are of the form Q.

        `seen` holds the policy that is trained, `judge` the critics that are asked.
        """
        # The smaller of two critics (clipped double Q) counters overestimation; for the form Q it
        # is taken per decision, before the expectation.
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

    def _self_imitation_loss(self, seen: Evaluated) -> Tensor:
        """Mean of w * (1 - V) * -log pi, or of w * -log pi if the advantage is not to count."""
        loss_S = -seen.log_prob
        if self.config.self_imitation_advantage:
            with torch.no_grad():
                values, _ = self._critic_values(seen, seen)
            loss_S = loss_S * (1 - values)
        return self.config.self_imitation * loss_S.mean()

    def _ratios(self, log_pi_BT: Tensor, batch: EpisodeBatch) -> Tensor:
        if self.config.correction is Correction.NONE:
            return torch.ones_like(log_pi_BT)
        # A difference of logs, clamped so that exp cannot overflow: ratios are truncated far below
        # e^20 anyway.
        ratio_BT = torch.exp((log_pi_BT - batch.log_mu_BT).clamp(-20, 20))
        # 1 where mu is unknown: nothing to correct with; such steps do not train the policy.
        return torch.where(batch.known_BT > 0, ratio_BT, torch.ones_like(ratio_BT))

    def estimate(
        self, correction: Correction, trace: Trace, chosen_BT: Tensor | None = None
    ) -> Estimate:
        """Advantages and targets by an estimator, with this algorithm's gamma and lambda.

        Targets are of Q(s_t, d_t) if `chosen_BT` is given, else of V(s_t).
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
        """[B] 1 on a share of the episodes that may train: those with the largest outcome - V_goal.

        They ended better than the goal critic expected. At least one is kept, if any may train.
        """
        with torch.no_grad():
            logits = self.model.goal_logits(
                [trajectory.inputs[0] for trajectory in view.trajectories]
            )
        # Among those that may train alone: successes of demonstrations, which were not expected
        # either, would fill the share and teach the policy nothing.
        may_train_B = view.used_BT.any(1)
        better_B = view.batch.success_B - torch.sigmoid(logits)
        better_B = better_B.masked_fill(~may_train_B, -torch.inf)
        kept_B = torch.zeros_like(better_B)
        count = int(may_train_B.sum())
        if count:
            kept_B[better_B.topk(max(1, round(share * count))).indices] = 1.0
        return kept_B

    @abstractmethod
    def policy_loss(self, view: EvaluatedBatch) -> Tensor:
        """The policy-gradient loss of an algorithm."""

    def normalise_advantages(self, advantages_BT: Tensor, used_BT: Tensor) -> Tensor:
        """Advantages divided by their root mean square in the batch, if `normalise` is set."""
        if not self.config.normalise:
            return advantages_BT
        # At least 0.05, so that a batch without surprises is not scaled up to noise of size 1.
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
        # Targets are probabilities; with wider trace clips or rounding they can leave [0, 1].
        target = estimate.targets_BT[batch.mask_BT > 0].clamp(0.0, 1.0)
        form_is_q = self.config.critic_form is CriticForm.Q
        logits = choices_of(seen).taken if form_is_q else seen.value_logits
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
        torch.nn.utils.clip_grad_norm_(self._fast, self.config.gradient_clip)
        self.optimiser.step()
        # EMA of the weights: the target network.
        with torch.no_grad():
            torch._foreach_lerp_(self._slow, self._fast, 1 - self.config.ema_decay)

    def _metrics(self, view: EvaluatedBatch, losses: dict[str, Tensor]) -> dict[str, float]:
        batch, seen = view.batch, view.seen
        rho = view.trace.rho_BT[view.used_BT > 0]
        # Effective sample size of the importance weights, as a share: 1 means on-policy.
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


def _steps_of(trajectories: Sequence[Trajectory]) -> tuple[list[Any], list[tuple[int, ...]]]:
    """Inputs and decisions of all steps."""
    inputs = [step for trajectory in trajectories for step in trajectory.inputs]
    return inputs, [d for trajectory in trajectories for d in trajectory.decisions]


def _part(seen: Evaluated, steps: slice) -> Evaluation:
    """Some of the steps."""
    listed = seen.choices
    return Evaluation(
        seen.log_prob[steps],
        seen.entropy[steps],
        seen.invalid[steps],
        seen.value_logits[steps],
        None
        if listed is None
        else EvaluatedChoices(listed.probs[steps], listed.logits[steps], listed.taken[steps]),
    )


def choices_of(seen: Evaluated) -> Choices:
    """All decisions of each step; ConfigError if the model cannot list them."""
    if seen.choices is None:
        raise ConfigError(
            "algorithm.critic_form is q, and this policy does not judge its decisions; "
            "choose v, or a policy that lists them, such as the pointer"
        )
    return seen.choices


def annealed(config: AlgorithmConfig, progress: float) -> float:
    """The learning rate after a share `progress` of the budget: linear annealing."""
    return config.learning_rate * (1 - (1 - config.anneal) * progress)


def mean(values_BT: Tensor, mask_BT: Tensor) -> Tensor:
    """Mean over the steps of a mask; 0 if it is empty."""
    return (values_BT * mask_BT).sum() / mask_BT.sum().clamp(min=1.0)


def _priority_terms(
    batch: EpisodeBatch, estimate: Estimate, rho_BT: Tensor, log_pi_BT: Tensor, rho_max: float
) -> npt.NDArray[np.float64]:
    """[B, 3] mean |delta|, mean truncated rho and mean -log pi of each episode."""
    length_B = batch.mask_BT.sum(1).clamp(min=1.0)
    columns = [
        (estimate.deltas_BT.abs() * batch.mask_BT).sum(1) / length_B,
        (rho_BT.clamp(max=rho_max) * batch.mask_BT).sum(1) / length_B,
        (-log_pi_BT * batch.mask_BT).sum(1) / length_B,
    ]
    terms: npt.NDArray[np.float64] = torch.stack(columns, 1).double().numpy()
    return terms
