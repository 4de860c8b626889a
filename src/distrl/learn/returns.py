"""Off-policy returns as pure functions over padded [B, T] tensors.

    rho_t   = pi(d_t|s_t) / mu(d_t|s_t)
    c_t     = lambda * min(1, rho_t)
    delta_t = r_t + gamma * (1 - done_t) * V(s_{t+1}) - V(s_t)
    D_t     = delta_t + gamma * (1 - done_t) * c_{t+1} * D_{t+1}        Retrace(lambda), Munos 2016

D_t is the advantage: the first decision is given, so it has no ratio. The target of V(s_t) is
V(s_t) + min(1, rho_t) * D_t. With rewards of 0 or 1 at the end and values in [0, 1], targets stay
in [0, 1]. All estimators share one signature, so that an ablation is one key.

The full form is for critics of decisions, Q(s, d), where a policy can list its decisions:

    V(s)    = sum_d pi(d|s) Q(s, d)                                       the baseline
    delta_t = r_t + gamma * (1 - done_t) * V(s_{t+1}) - Q(s_t, d_t)

Q(s_t, d_t) + D_t is the target, and what it is above V(s_t) the advantage. `Q_ESTIMATORS` share a
signature as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from distrl.config.learn import Correction


@dataclass(frozen=True, slots=True)
class Trace:
    """A batch of trajectories, padded at the end."""

    rewards_BT: Tensor
    values_BT: Tensor
    """V(s_t) of the target critic (EMA); the expected Q(s_t, .) in the full form."""
    rho_BT: Tensor
    """Importance ratio pi / mu of the taken decisions; 1 where mu is unknown."""
    done_BT: Tensor
    """1 where the episode terminates with this step."""
    mask_BT: Tensor
    """1 on real steps, 0 on padding."""
    bootstrap_B: Tensor
    """V of the state after the last step; used only where that step does not terminate."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Output of an estimator; zero on padding."""

    deltas_BT: Tensor
    advantages_BT: Tensor
    targets_BT: Tensor


def deltas(trace: Trace, *, gamma: float) -> Tensor:
    """One-step temporal-difference errors, zero on padding."""
    following = torch.cat([trace.values_BT[:, 1:], trace.bootstrap_B[:, None]], 1)
    # Episodes end at different places: the state after the last step of a shorter one is padding.
    is_last = _last_step(trace.mask_BT)
    following = torch.where(is_last, trace.bootstrap_B[:, None].expand_as(following), following)
    raw = trace.rewards_BT + gamma * (1 - trace.done_BT) * following - trace.values_BT
    return _masked(trace.mask_BT, raw)


def _masked(mask_BT: Tensor, values_BT: Tensor) -> Tensor:
    """Values of real steps; zero on padding."""
    # `where`, not a product: a NaN or infinity on padding times 0 would still be NaN.
    return torch.where(mask_BT > 0, values_BT, torch.zeros_like(values_BT))


def _last_step(mask_BT: Tensor) -> Tensor:
    after = torch.cat([mask_BT[:, 1:], torch.zeros_like(mask_BT[:, :1])], 1)
    return (mask_BT > 0) & (after == 0)


def _accumulate(deltas_BT: Tensor, weights_BT: Tensor) -> Tensor:
    """D_t = delta_t + weight_t * D_{t+1}, computed backwards from the last step."""
    # Sequential in T, which is some tens of steps, and vectorised over the batch.
    total = torch.zeros_like(deltas_BT[:, 0])
    columns = []
    for t in range(deltas_BT.shape[1] - 1, -1, -1):
        total = deltas_BT[:, t] + weights_BT[:, t] * total
        columns.append(total)
    return torch.stack(columns[::-1], 1)


def _shift(values_BT: Tensor) -> Tensor:
    return torch.cat([values_BT[:, 1:], torch.zeros_like(values_BT[:, :1])], 1)


def retrace(
    trace: Trace, *, gamma: float, lam: float, rho_clip: float = 1.0, c_clip: float = 1.0
) -> Estimate:
    """Retrace(lambda). `rho_clip` and `c_clip` truncate the importance ratios.

    1 is the published threshold, which also keeps targets in [0, 1]; larger ones are for ablations.
    """
    deltas_BT = deltas(trace, gamma=gamma)
    advantages_BT = _accumulate(deltas_BT, _trace_weights(trace, gamma, lam, c_clip))
    targets_BT = trace.values_BT + trace.rho_BT.clamp(max=rho_clip) * advantages_BT
    return Estimate(deltas_BT, advantages_BT, _masked(trace.mask_BT, targets_BT))


def _trace_weights(trace: Trace, gamma: float, lam: float, c_clip: float) -> Tensor:
    """[B, T] gamma * (1 - done_t) * c_{t+1}: the factor of D_{t+1} in D_t."""
    c_BT = _masked(trace.mask_BT, lam * trace.rho_BT.clamp(max=c_clip))
    return _masked(trace.mask_BT, gamma * (1 - trace.done_BT)) * _shift(c_BT)


def retrace_q(
    trace: Trace, chosen_BT: Tensor, *, gamma: float, lam: float, c_clip: float = 1.0
) -> Estimate:
    """Retrace(lambda) in its full form, for Q(s, d); a `c_clip` above 1 is for ablations.

    `trace.values_BT` and `trace.bootstrap_B` are the expected sum_d pi(d|s) Q(s, d), which is also
    the baseline of the advantage; `chosen_BT` is Q(s_t, d_t). Targets are of Q(s_t, d_t), clipped
    to [0, 1]: a step of larger Q than expected can push them out of it.
    """
    mask_BT = trace.mask_BT
    gap_BT = _action_advantage(trace, chosen_BT)
    deltas_BT = deltas(trace, gamma=gamma) - gap_BT
    corrections_BT = _accumulate(deltas_BT, _trace_weights(trace, gamma, lam, c_clip))
    targets_BT = _masked(mask_BT, (chosen_BT + corrections_BT).clamp(0.0, 1.0))
    return Estimate(deltas_BT, gap_BT + corrections_BT, targets_BT)


def _action_advantage(trace: Trace, chosen_BT: Tensor) -> Tensor:
    """[B, T] Q(s_t, d_t) - V(s_t): the critic's own estimate of the advantage."""
    return _masked(trace.mask_BT, chosen_BT - trace.values_BT)


def gae(trace: Trace, *, gamma: float, lam: float) -> Estimate:
    """Generalised advantage estimation: Retrace with all importance ratios at 1."""
    return retrace(_on_policy(trace), gamma=gamma, lam=lam)


def gae_q(trace: Trace, chosen_BT: Tensor, *, gamma: float, lam: float) -> Estimate:
    """The full form without ratios: Q(lambda) of Harutyunyan et al. 2016."""
    return retrace_q(_on_policy(trace), chosen_BT, gamma=gamma, lam=lam)


def _on_policy(trace: Trace) -> Trace:
    return replace(trace, rho_BT=torch.ones_like(trace.rho_BT))


def monte_carlo(trace: Trace, *, gamma: float, lam: float) -> Estimate:
    """Discounted return as target, and its difference from V as advantage; `lam` is ignored."""
    del lam
    mask_BT = trace.mask_BT
    weights_BT = _masked(mask_BT, gamma * (1 - trace.done_BT))
    tail_BT = torch.where(
        _last_step(mask_BT), weights_BT * trace.bootstrap_B[:, None], torch.zeros_like(weights_BT)
    )
    returns_BT = _accumulate(
        _masked(mask_BT, trace.rewards_BT) + tail_BT, weights_BT * _shift(mask_BT)
    )
    advantages_BT = _masked(mask_BT, returns_BT - trace.values_BT)
    return Estimate(deltas(trace, gamma=gamma), advantages_BT, returns_BT)


def monte_carlo_q(trace: Trace, chosen_BT: Tensor, *, gamma: float, lam: float) -> Estimate:
    """Monte-Carlo for Q(s_t, d_t): the same returns and baseline, other TD errors."""
    found = monte_carlo(trace, gamma=gamma, lam=lam)
    return replace(found, deltas_BT=found.deltas_BT - _action_advantage(trace, chosen_BT))


ESTIMATORS: dict[Correction, Callable[..., Estimate]] = {
    Correction.RETRACE: retrace,
    Correction.TRUNCATED_IS: gae,
    Correction.NONE: gae,
    Correction.MONTE_CARLO: monte_carlo,
}
Q_ESTIMATORS: dict[Correction, Callable[..., Estimate]] = {
    Correction.RETRACE: retrace_q,
    Correction.TRUNCATED_IS: gae_q,
    Correction.NONE: gae_q,
    Correction.MONTE_CARLO: monte_carlo_q,
}
