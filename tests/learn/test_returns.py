"""The estimators against their written definition, against rlax, and against each other."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from distrl.config.learn import Correction
from distrl.learn.returns import (
    ESTIMATORS,
    Q_ESTIMATORS,
    Estimate,
    Trace,
    gae,
    gae_q,
    monte_carlo,
    monte_carlo_q,
    retrace,
    retrace_q,
)

every_seed = pytest.mark.parametrize("seed", range(20))
every_correction = pytest.mark.parametrize("correction", Correction)


def random_trace(seed: int) -> Trace:
    """Rows of different lengths, one of them empty, with ends in their midst; float64."""
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(2, 8)), int(rng.integers(1, 12))
    lengths = rng.integers(1, columns + 1, rows)
    lengths[-1] = 0
    shape = (rows, columns)
    return Trace(
        rewards_BT=torch.tensor(rng.normal(size=shape)),
        values_BT=torch.tensor(rng.random(shape)),
        rho_BT=torch.tensor(np.exp(rng.normal(size=shape))),
        done_BT=torch.tensor((rng.random(shape) < 0.25).astype(float)),
        mask_BT=torch.tensor((np.arange(columns) < lengths[:, None]).astype(float)),
        bootstrap_B=torch.tensor(rng.random(rows)),
    )


def rows_of(trace: Trace) -> list[dict[str, list[float]]]:
    """Each row as plain numbers without its padding; `next` is V of the situation after a step."""
    found = []
    for row in range(trace.mask_BT.shape[0]):
        length = int(trace.mask_BT[row].sum())
        names = ("rewards", "values", "rho", "done")
        numbers = {name: getattr(trace, f"{name}_BT")[row, :length].tolist() for name in names}
        numbers["next"] = [*numbers["values"][1:], float(trace.bootstrap_B[row])][:length]
        found.append(numbers)
    return found


def by_definition(row: dict[str, list[float]], gamma: float, lam: float) -> list[float]:
    """D_t = sum_k gamma^(k-t) (c_{t+1} ... c_k) delta_k, up to the end of the episode."""
    sums = []
    for start in range(len(row["values"])):
        total, factor = 0.0, 1.0
        for t in range(start, len(row["values"])):
            if t > start:
                factor *= gamma * lam * min(1.0, row["rho"][t])
            going_on = 1.0 - row["done"][t]
            delta = row["rewards"][t] + gamma * going_on * row["next"][t] - row["values"][t]
            total += factor * delta
            if not going_on:
                break
        sums.append(total)
    return sums


def outcome_by_definition(row: dict[str, list[float]], gamma: float) -> list[float]:
    """The sum of discounted rewards, with the value of where it is cut off."""
    sums = []
    for start in range(len(row["values"])):
        total, factor = 0.0, 1.0
        for t in range(start, len(row["values"])):
            total += factor * row["rewards"][t]
            factor *= gamma
            if row["done"][t]:
                break
        else:
            total += factor * row["next"][-1]
        sums.append(total)
    return sums


def assert_rows(padded_BT: Tensor, rows: list[list[float]], tolerance: float = 1e-6) -> None:
    """The padded numbers are the rows, and zero after them."""
    wanted = torch.zeros_like(padded_BT)
    for index, row in enumerate(rows):
        wanted[index, : len(row)] = torch.tensor(row, dtype=wanted.dtype)
    assert float((padded_BT - wanted).abs().max()) < tolerance


@every_seed
@pytest.mark.parametrize("lam", [0.0, 0.7, 1.0])
def test_retrace_is_the_sum_of_its_definition(seed: int, lam: float) -> None:
    trace = random_trace(seed)
    got = retrace(trace, gamma=0.97, lam=lam)
    rows = rows_of(trace)
    sums = [by_definition(row, 0.97, lam) for row in rows]
    assert_rows(got.advantages_BT, sums)
    targets = [
        [v + min(1.0, rho) * d for v, rho, d in zip(row["values"], row["rho"], of_row, strict=True)]
        for row, of_row in zip(rows, sums, strict=True)
    ]
    assert_rows(got.targets_BT, targets)
    assert_rows(got.deltas_BT, [by_definition(row, 0.97, 0.0) for row in rows])


@every_seed
def test_generalised_advantages_are_the_same_sum_with_ratios_of_one(seed: int) -> None:
    trace = random_trace(seed)
    got = gae(trace, gamma=0.9, lam=0.8)
    rows = [row | {"rho": [1.0] * len(row["rho"])} for row in rows_of(trace)]
    sums = [by_definition(row, 0.9, 0.8) for row in rows]
    assert_rows(got.advantages_BT, sums)
    assert_rows(
        got.targets_BT,
        [
            [v + d for v, d in zip(row["values"], of_row, strict=True)]
            for row, of_row in zip(rows, sums, strict=True)
        ],
    )


@every_seed
def test_monte_carlo_is_the_discounted_outcome(seed: int) -> None:
    trace = random_trace(seed)
    got = monte_carlo(trace, gamma=0.9, lam=0.3)
    rows = rows_of(trace)
    returns = [outcome_by_definition(row, 0.9) for row in rows]
    assert_rows(got.targets_BT, returns)
    assert_rows(
        got.advantages_BT,
        [
            [g - v for g, v in zip(of_row, row["values"], strict=True)]
            for row, of_row in zip(rows, returns, strict=True)
        ],
    )


@every_seed
def test_on_policy_retrace_with_lambda_one_is_monte_carlo(seed: int) -> None:
    trace = random_trace(seed)
    trace = replace(trace, rho_BT=torch.ones_like(trace.rho_BT))
    corrected = retrace(trace, gamma=0.95, lam=1.0)
    plain = monte_carlo(trace, gamma=0.95, lam=1.0)
    for name in ("deltas_BT", "advantages_BT", "targets_BT"):
        torch.testing.assert_close(getattr(corrected, name), getattr(plain, name))


def test_on_policy_success_after_three_steps_is_worth_its_discount() -> None:
    success = Trace(
        rewards_BT=torch.tensor([[0.0, 0.0, 1.0]]),
        values_BT=torch.tensor([[0.3, 0.9, 0.1]]),
        rho_BT=torch.ones(1, 3),
        done_BT=torch.tensor([[0.0, 0.0, 1.0]]),
        mask_BT=torch.ones(1, 3),
        bootstrap_B=torch.zeros(1),
    )
    got = retrace(success, gamma=0.5, lam=1.0)
    torch.testing.assert_close(got.targets_BT, torch.tensor([[0.25, 0.5, 1.0]]))


# The full form, with a critic of decisions.


def random_choices(seed: int, trace: Trace) -> tuple[Trace, Tensor]:
    """Q of three decisions under a random policy: the expected value and Q of the one taken."""
    rng = np.random.default_rng(1000 + seed)
    shape = (*trace.mask_BT.shape, 3)
    q = rng.random(shape)
    pi = rng.dirichlet(np.ones(3), shape[:2])
    taken = rng.integers(3, size=shape[:2])
    chosen = np.take_along_axis(q, taken[..., None], 2)[..., 0]
    return replace(trace, values_BT=torch.tensor((pi * q).sum(2))), torch.tensor(chosen)


def q_by_definition(
    row: dict[str, list[float]], chosen: list[float], gamma: float, lam: float
) -> tuple[list[float], list[float]]:
    """Unclipped targets and one-step differences: sums of delta_k with Q in place of V."""
    deltas = [
        row["rewards"][t] + gamma * (1 - row["done"][t]) * row["next"][t] - chosen[t]
        for t in range(len(chosen))
    ]
    targets = []
    for start in range(len(chosen)):
        total, factor = chosen[start], 1.0
        for t in range(start, len(chosen)):
            if t > start:
                factor *= gamma * lam * min(1.0, row["rho"][t])
            total += factor * deltas[t]
            if row["done"][t]:
                break
        targets.append(total)
    return targets, deltas


@every_seed
def test_the_full_form_is_the_sum_of_its_definition(seed: int) -> None:
    trace, chosen_BT = random_choices(seed, random_trace(seed))
    got = retrace_q(trace, chosen_BT, gamma=0.97, lam=0.9)
    rows = rows_of(trace)
    chosen = [chosen_BT[i, : len(row["values"])].tolist() for i, row in enumerate(rows)]
    found = [q_by_definition(row, q, 0.97, 0.9) for row, q in zip(rows, chosen, strict=True)]
    assert_rows(got.deltas_BT, [deltas for _, deltas in found])
    assert_rows(got.targets_BT, [[min(1.0, max(0.0, g)) for g in targets] for targets, _ in found])
    baselines = [row["values"] for row in rows]
    assert_rows(
        got.advantages_BT,
        [
            [g - v for g, v in zip(targets, of_row, strict=True)]
            for (targets, _), of_row in zip(found, baselines, strict=True)
        ],
    )


@every_correction
@every_seed
def test_the_full_form_with_q_equal_to_v_is_the_short_form(
    correction: Correction, seed: int
) -> None:
    trace = random_trace(seed)
    full = Q_ESTIMATORS[correction](trace, trace.values_BT, gamma=0.97, lam=0.9)
    short = ESTIMATORS[correction](trace, gamma=0.97, lam=0.9)
    torch.testing.assert_close(full.advantages_BT, short.advantages_BT)
    torch.testing.assert_close(full.deltas_BT, short.deltas_BT)


@every_correction
@given(data=st.data())
def test_with_q_equal_to_v_and_no_rare_step_targets_are_the_same_too(
    correction: Correction, data: st.DataObject
) -> None:
    """The first ratio enters the short form only, so that it must not be below 1."""
    trace = data.draw(honest_traces())
    trace = replace(trace, rho_BT=trace.rho_BT.clamp(min=1.0))
    full = Q_ESTIMATORS[correction](trace, trace.values_BT, gamma=0.97, lam=0.9)
    short = ESTIMATORS[correction](trace, gamma=0.97, lam=0.9)
    torch.testing.assert_close(full.targets_BT, short.targets_BT, rtol=0, atol=1e-9)


@every_seed
def test_the_full_form_without_ratios_is_its_sum_with_ratios_of_one(seed: int) -> None:
    trace, chosen_BT = random_choices(seed, random_trace(seed))
    got = gae_q(trace, chosen_BT, gamma=0.9, lam=0.8)
    wanted = retrace_q(
        replace(trace, rho_BT=torch.ones_like(trace.rho_BT)), chosen_BT, gamma=0.9, lam=0.8
    )
    assert same(got, wanted)


@every_seed
def test_the_outcome_is_the_same_for_a_decision_and_its_situation(seed: int) -> None:
    trace, chosen_BT = random_choices(seed, random_trace(seed))
    got = monte_carlo_q(trace, chosen_BT, gamma=0.9, lam=0.3)
    short = monte_carlo(trace, gamma=0.9, lam=0.3)
    assert torch.equal(got.targets_BT, short.targets_BT)
    assert torch.equal(got.advantages_BT, short.advantages_BT)
    one_step = retrace_q(trace, chosen_BT, gamma=0.9, lam=0.0)
    torch.testing.assert_close(got.deltas_BT, one_step.deltas_BT)


def test_a_wider_threshold_lets_more_of_a_later_surprise_through() -> None:
    trace = Trace(
        rewards_BT=torch.tensor([[0.0, 1.0]]),
        values_BT=torch.tensor([[0.25, 0.25]]),
        rho_BT=torch.tensor([[1.0, 2.0]]),
        done_BT=torch.tensor([[0.0, 1.0]]),
        mask_BT=torch.ones(1, 2),
        bootstrap_B=torch.zeros(1),
    )
    chosen_BT = torch.tensor([[0.25, 0.75]])
    usual = retrace_q(trace, chosen_BT, gamma=1.0, lam=1.0)
    wider = retrace_q(trace, chosen_BT, gamma=1.0, lam=1.0, c_clip=2.0)
    torch.testing.assert_close(usual.targets_BT, torch.tensor([[0.5, 1.0]]))
    torch.testing.assert_close(wider.targets_BT, torch.tensor([[0.75, 1.0]]))


# Against rlax.


ROWS, COLUMNS = 8, 13
"""One shape for all traces, with room for a step more, so that jax compiles a function once."""


@pytest.fixture(scope="module")
def reference() -> dict[str, Callable[..., Any]]:
    """The estimators of rlax over [ROWS, COLUMNS], by name, with lambda as the last argument."""
    with warnings.catch_warnings():
        # A library beneath it still uses names that jax has deprecated.
        warnings.simplefilter("ignore")
        import jax
        import rlax  # type: ignore[import-untyped]

    jax.config.update("jax_enable_x64", True)  # type: ignore[no-untyped-call]

    def over_rows(one: Callable[..., Any], arrays: int) -> Callable[..., Any]:
        found: Callable[..., Any] = jax.jit(jax.vmap(one, (0,) * arrays + (None,)))
        return found

    return {
        "v_trace": over_rows(rlax.vtrace, 5),
        "advantage": over_rows(
            lambda *x: rlax.vtrace_td_error_and_advantage(*x).pg_advantage, arrays=5
        ),
        "retrace": over_rows(rlax.retrace_continuous, 6),
        "gae": over_rows(
            lambda r, g, v, lam: rlax.truncated_generalized_advantage_estimation(r, g, lam, v), 3
        ),
        "returns": over_rows(lambda r, g, v, _: rlax.discounted_returns(r, g, v), 3),
    }


@dataclass(frozen=True)
class Closed:
    """A trace whose rows end in a step that pays the value of where the row was cut off."""

    rewards: Any
    discounts: Any
    values: Any
    following: Any
    rho: Any

    def cut(self, found: Any, like: Tensor) -> Tensor:
        """Numbers of this shape in the shape of a trace."""
        rows, columns = like.shape
        return torch.tensor(np.asarray(found)[:rows, :columns]) * like


def closed(trace: Trace, gamma: float, values_BT: Tensor | None = None) -> Closed:
    """Write a trace as rlax reads it; `values_BT` stand in for its own if given."""
    rewards, discounts, values, following = (np.zeros((ROWS, COLUMNS)) for _ in range(4))
    rho = np.ones((ROWS, COLUMNS))
    for index, row in enumerate(rows_of(trace)):
        length = len(row["values"])
        rewards[index, :length], rho[index, :length] = row["rewards"], row["rho"]
        discounts[index, :length] = gamma * (1 - np.array(row["done"]))
        mine = row["values"] if values_BT is None else values_BT[index, :length]
        values[index, :length], following[index, :length] = mine, row["next"]
        rewards[index, length] = values[index, length] = float(trace.bootstrap_B[index])
    return Closed(rewards, discounts, values, following, rho)


@every_seed
@pytest.mark.parametrize("lam", [0.0, 0.4, 0.95, 1.0])
def test_retrace_on_values_is_v_trace_with_thresholds_of_one(
    reference: dict[str, Callable[..., Any]], seed: int, lam: float
) -> None:
    trace = random_trace(seed)
    got = retrace(trace, gamma=0.97, lam=lam)
    x = closed(trace, 0.97)
    errors = reference["v_trace"](x.values, x.following, x.rewards, x.discounts, x.rho, lam)
    errors_BT = x.cut(errors, trace.mask_BT)
    # u_t = min(1, rho_t) * D_t is the error of V-trace.
    u_BT = trace.rho_BT.clamp(max=1) * got.advantages_BT
    torch.testing.assert_close(u_BT, errors_BT, rtol=0, atol=1e-6)
    corrections_BT = (got.targets_BT - trace.values_BT) * trace.mask_BT
    torch.testing.assert_close(corrections_BT, errors_BT, rtol=0, atol=1e-6)


@every_seed
def test_advantages_are_those_of_v_trace_without_its_own_ratio(
    reference: dict[str, Callable[..., Any]], seed: int
) -> None:
    trace = random_trace(seed)
    got = retrace(trace, gamma=0.97, lam=0.95)
    x = closed(trace, 0.97)
    found = reference["advantage"](x.values, x.following, x.rewards, x.discounts, x.rho, 0.95)
    u_BT = trace.rho_BT.clamp(max=1) * got.advantages_BT
    torch.testing.assert_close(u_BT, x.cut(found, trace.mask_BT), rtol=0, atol=1e-6)


@every_seed
def test_the_full_form_is_the_retrace_of_rlax(
    reference: dict[str, Callable[..., Any]], seed: int
) -> None:
    trace, chosen_BT = random_choices(seed, random_trace(seed))
    got = retrace_q(trace, chosen_BT, gamma=0.97, lam=0.9)
    x = closed(trace, 0.97, chosen_BT)
    log_rho = np.log(x.rho)[:, 1:]
    found = reference["retrace"](
        x.values, x.values[:, 1:], x.following, x.rewards, x.discounts, log_rho, 0.9
    )
    corrections_BT = x.cut(found, trace.mask_BT)
    wanted_BT = (chosen_BT - trace.values_BT) * trace.mask_BT + corrections_BT
    torch.testing.assert_close(got.advantages_BT, wanted_BT, rtol=0, atol=1e-6)
    targets_BT = ((chosen_BT + corrections_BT) * trace.mask_BT).clamp(0, 1)
    torch.testing.assert_close(got.targets_BT, targets_BT, rtol=0, atol=1e-6)


@every_seed
def test_generalised_advantages_are_those_of_rlax(
    reference: dict[str, Callable[..., Any]], seed: int
) -> None:
    trace = random_trace(seed)
    got = gae(trace, gamma=0.9, lam=0.8)
    x = closed(trace, 0.9)
    values = np.concatenate([x.values, np.zeros((ROWS, 1))], 1)
    found_BT = x.cut(reference["gae"](x.rewards, x.discounts, values, 0.8), trace.mask_BT)
    torch.testing.assert_close(got.advantages_BT, found_BT, rtol=0, atol=1e-6)


@every_seed
def test_monte_carlo_is_the_discounted_return_of_rlax(
    reference: dict[str, Callable[..., Any]], seed: int
) -> None:
    trace = random_trace(seed)
    got = monte_carlo(trace, gamma=0.9, lam=1.0)
    x = closed(trace, 0.9)
    found = reference["returns"](x.rewards, x.discounts, np.zeros((ROWS, COLUMNS)), 1.0)
    torch.testing.assert_close(got.targets_BT, x.cut(found, trace.mask_BT), rtol=0, atol=1e-6)


# What holds for every estimator.

fractions = st.floats(0, 1)


@st.composite
def honest_traces(draw: st.DrawFn) -> Trace:
    """Values in [0, 1], and a reward of 0 or 1 at the end only, or a cut with a value after it."""
    rows = draw(st.integers(1, 3))
    columns = draw(st.integers(1, 6))
    lengths = [draw(st.integers(1, columns)) for _ in range(rows)]
    rewards, done, mask = (torch.zeros(rows, columns, dtype=torch.float64) for _ in range(3))
    for row, length in enumerate(lengths):
        mask[row, :length] = 1
        done[row, length - 1] = draw(st.sampled_from((0.0, 1.0)))
        rewards[row, length - 1] = done[row, length - 1] * draw(st.sampled_from((0.0, 1.0)))

    def numbers(strategy: st.SearchStrategy[float], size: int) -> Tensor:
        drawn = draw(st.lists(strategy, min_size=size, max_size=size))
        return torch.tensor(drawn, dtype=torch.float64)

    return Trace(
        rewards_BT=rewards,
        values_BT=numbers(fractions, rows * columns).view(rows, columns),
        rho_BT=numbers(st.floats(-20, 20), rows * columns).view(rows, columns).exp(),
        done_BT=done,
        mask_BT=mask,
        bootstrap_B=numbers(fractions, rows),
    )


@every_correction
@given(trace=honest_traces(), gamma=fractions, lam=fractions)
def test_targets_stay_probabilities_and_nothing_clips_them(
    correction: Correction, trace: Trace, gamma: float, lam: float
) -> None:
    targets_BT = ESTIMATORS[correction](trace, gamma=gamma, lam=lam).targets_BT
    assert float(targets_BT.min()) >= -1e-12
    assert float(targets_BT.max()) <= 1 + 1e-12


@every_correction
@given(trace=honest_traces(), gamma=fractions, lam=fractions)
def test_the_full_form_s_targets_stay_probabilities(
    correction: Correction, trace: Trace, gamma: float, lam: float
) -> None:
    chosen_BT = trace.values_BT.flip(0)
    targets_BT = Q_ESTIMATORS[correction](trace, chosen_BT, gamma=gamma, lam=lam).targets_BT
    assert 0 <= float(targets_BT.min()) <= float(targets_BT.max()) <= 1 + 1e-12


def test_thresholds_above_one_can_leave_the_range_so_the_property_is_not_empty() -> None:
    trace = Trace(
        rewards_BT=torch.tensor([[0.0, 1.0]]),
        values_BT=torch.tensor([[0.5, 0.5]]),
        rho_BT=torch.full((1, 2), 4.0),
        done_BT=torch.tensor([[0.0, 1.0]]),
        mask_BT=torch.ones(1, 2),
        bootstrap_B=torch.zeros(1),
    )
    assert float(retrace(trace, gamma=1.0, lam=1.0).targets_BT.max()) <= 1
    assert float(retrace(trace, gamma=1.0, lam=1.0, rho_clip=4.0).targets_BT.max()) > 1


def spoiled(trace: Trace, rubbish: float) -> Trace:
    """The same trace with rubbish in the padding."""

    def spoil(values_BT: Tensor) -> Tensor:
        return torch.where(trace.mask_BT > 0, values_BT, torch.full_like(values_BT, rubbish))

    names = [f.name for f in fields(Trace) if f.name not in ("mask_BT", "bootstrap_B")]
    return replace(trace, **{name: spoil(getattr(trace, name)) for name in names})


def padded(trace: Trace, extra: int) -> Trace:
    """The same trace with more padding."""
    names = [f.name for f in fields(Trace) if f.name != "bootstrap_B"]
    room = torch.zeros(len(trace.mask_BT), extra, dtype=trace.mask_BT.dtype)
    return replace(trace, **{n: torch.cat([getattr(trace, n), room], 1) for n in names})


def same(first: Estimate, second: Estimate) -> bool:
    return all(
        torch.equal(getattr(first, f.name), getattr(second, f.name)) for f in fields(Estimate)
    )


@every_correction
@every_seed
@pytest.mark.parametrize("rubbish", [7.0, 1e30, float("inf"), float("nan")])
def test_what_stands_in_the_padding_never_leaks(
    correction: Correction, seed: int, rubbish: float
) -> None:
    trace = random_trace(seed)
    clean = ESTIMATORS[correction](spoiled(trace, 0.0), gamma=0.97, lam=0.9)
    dirty = ESTIMATORS[correction](spoiled(trace, rubbish), gamma=0.97, lam=0.9)
    assert same(clean, dirty)
    for name in ("deltas_BT", "advantages_BT", "targets_BT"):
        assert not getattr(dirty, name)[trace.mask_BT == 0].any()


@every_correction
@every_seed
def test_what_stands_in_the_padding_never_leaks_into_the_full_form(
    correction: Correction, seed: int
) -> None:
    trace, chosen_BT = random_choices(seed, random_trace(seed))
    nan = torch.where(trace.mask_BT > 0, chosen_BT, torch.full_like(chosen_BT, float("nan")))
    estimate = Q_ESTIMATORS[correction]
    clean = estimate(trace, chosen_BT, gamma=0.97, lam=0.9)
    assert same(clean, estimate(spoiled(trace, float("nan")), nan, gamma=0.97, lam=0.9))


@every_correction
@every_seed
def test_more_padding_changes_nothing(correction: Correction, seed: int) -> None:
    trace = random_trace(seed)
    alone = ESTIMATORS[correction](trace, gamma=0.97, lam=0.9)
    wide = ESTIMATORS[correction](padded(trace, 3), gamma=0.97, lam=0.9)
    columns = trace.mask_BT.shape[1]
    for name in ("deltas_BT", "advantages_BT", "targets_BT"):
        assert torch.equal(getattr(wide, name)[:, :columns], getattr(alone, name))


@every_correction
def test_every_correction_has_an_estimator_of_the_same_signature(correction: Correction) -> None:
    parameters = inspect.signature(ESTIMATORS[correction]).parameters.values()
    required = [p for p in parameters if p.default is inspect.Parameter.empty]
    assert [(p.name, p.kind.name, p.annotation) for p in required] == [
        ("trace", "POSITIONAL_OR_KEYWORD", "Trace"),
        ("gamma", "KEYWORD_ONLY", "float"),
        ("lam", "KEYWORD_ONLY", "float"),
    ]
    trace = random_trace(0)
    got = ESTIMATORS[correction](trace, gamma=0.97, lam=0.9)
    assert all(getattr(got, f.name).shape == trace.mask_BT.shape for f in fields(Estimate))
    full = inspect.signature(Q_ESTIMATORS[correction]).parameters.values()
    assert [p.name for p in full if p.default is inspect.Parameter.empty] == [
        *("trace", "chosen_BT", "gamma", "lam")
    ]


def test_only_retrace_looks_at_the_ratios() -> None:
    trace = random_trace(3)
    other = replace(trace, rho_BT=trace.rho_BT * 0.5)
    changed = {
        correction
        for correction, estimate in ESTIMATORS.items()
        if not same(estimate(trace, gamma=0.97, lam=0.9), estimate(other, gamma=0.97, lam=0.9))
    }
    assert changed == {Correction.RETRACE}


def test_only_retrace_looks_at_the_ratios_in_the_full_form_too() -> None:
    """At those of later steps; some traces have none."""
    changed = set()
    for seed in range(8):
        trace, chosen_BT = random_choices(seed, random_trace(seed))
        other = replace(trace, rho_BT=trace.rho_BT * 0.5)
        for correction, estimate in Q_ESTIMATORS.items():
            first, second = (estimate(x, chosen_BT, gamma=0.97, lam=0.9) for x in (trace, other))
            if not same(first, second):
                changed.add(correction)
    assert changed == {Correction.RETRACE}
