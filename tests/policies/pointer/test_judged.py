"""Critics of decisions against the list of all decisions, written out; and what they must leave."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pytest
import torch
from tests.policies.pointer.fakes import (
    TINY,
    every_decision,
    make_judging_model,
    make_model,
    make_preparer,
    random_situation,
    situation,
)
from torch import Tensor, nn

from distrl.policies.pointer import decisions as d
from distrl.policies.pointer.batch import collate, pad_decision
from distrl.policies.pointer.decisions import Decision
from distrl.policies.pointer.model import PointerChoices, PointerModel
from distrl.policies.pointer.policy import PointerPolicy
from distrl.policies.pointer.scores import JudgedScores
from distrl.types import Situation

PREPARER = make_preparer()
SITUATIONS = {
    "screen": situation(),
    "empty": situation(()),
    "wordless": situation(goal="?!"),
    "grid": situation(None, goal="tap"),
    **{f"random {seed}": random_situation(seed) for seed in range(3)},
}
every_situation = pytest.mark.parametrize("here", SITUATIONS.values(), ids=SITUATIONS)
INPUTS = [PREPARER.prepare(here) for here in SITUATIONS.values()]


def choices_of(
    model: PointerModel, here: Situation, decisions: Sequence[Decision]
) -> tuple[PointerChoices, Tensor]:
    """What is judged when each of these was decided, and the log-probabilities."""
    with torch.no_grad():
        seen = model.evaluate([PREPARER.prepare(here)] * len(decisions), decisions)
    assert seen.choices is not None
    return seen.choices, seen.log_prob


@every_situation
@pytest.mark.parametrize("seed", [0, 1])
def test_the_expected_q_is_the_sum_over_all_decisions(here: Situation, seed: int) -> None:
    decisions = every_decision(here)
    choices, log_probs = choices_of(make_judging_model(seed), here, decisions)
    q = torch.sigmoid(choices.taken).amin(dim=1)
    by_hand = math.fsum(
        math.exp(log_prob) * float(of_one) for log_prob, of_one in zip(log_probs, q, strict=True)
    )
    listed = (choices.probs * torch.sigmoid(choices.logits).amin(dim=2)).sum(1)
    assert listed.tolist() == pytest.approx([by_hand] * len(decisions), abs=1e-5)
    assert float(q.max() - q.min()) > 0.1, "too alike for the test to mean anything"


@every_situation
def test_every_decision_has_a_place_of_its_own_with_its_probability(here: Situation) -> None:
    decisions, prepared = every_decision(here), PREPARER.prepare(here)
    model = make_judging_model()
    choices, log_probs = choices_of(model, here, decisions)
    with torch.no_grad():
        scores, batch = model.scores([prepared] * len(decisions))
    assert isinstance(scores, JudgedScores)
    padded = [
        pad_decision(x, len(prepared.words), len(prepared.features), batch) for x in decisions
    ]
    places = scores.place(torch.tensor(padded))
    assert len(set(places.tolist())) == len(decisions)
    own = torch.arange(len(decisions))
    torch.testing.assert_close(choices.probs[own, places], log_probs.exp(), atol=1e-6, rtol=1e-4)
    torch.testing.assert_close(choices.logits[own, places], choices.taken)
    assert choices.probs.sum(1).tolist() == pytest.approx([1.0] * len(decisions), abs=1e-5)


@every_situation
def test_a_decision_is_judged_by_its_parts(here: Situation) -> None:
    """The situation's own logits, and what kind, target and extra add to them."""
    model, prepared = make_judging_model(), PREPARER.prepare(here)
    critics = model.network.decision_critics
    assert critics is not None
    said: dict[str, Tensor] = {}
    parts = {
        "kind": critics.kind_out,
        "overview": critics.overview_out,
        "candidate": critics.candidate_out,
        "word": critics.word_out,
        "value": model.network.value_out,
    }
    hooks = [part.register_forward_hook(listener(said, name)) for name, part in parts.items()]
    with torch.no_grad():
        model.scores([prepared])
    for hook in hooks:
        hook.remove()
    decisions = every_decision(here)
    choices, _ = choices_of(model, here, decisions)
    for decision, taken in zip(decisions, choices.taken, strict=True):
        kind, target, extra = pad_decision(
            decision, len(prepared.words), len(prepared.features), collate([prepared])
        )
        adds = [said["value"], said["kind"][2 * kind : 2 * kind + 2]]
        overview = said["overview"].reshape(-1, 2)
        candidates = said["candidate"].reshape(-1, 4, 2)
        if not len(candidates):  # a batch numbers one at least
            candidates = torch.zeros(1, 4, 2)
        if kind in (d.TAP, d.LONG_PRESS):
            adds.append(candidates[target, kind])
        if kind == d.SWIPE:
            middle = overview[len(d.DIRECTIONS)]
            adds += [overview[extra], candidates[target - 1, 2] if target else middle]
        if kind == d.TYPE:
            adds += of_text(said, extra, candidates, overview[len(d.DIRECTIONS) + 1 :])
        torch.testing.assert_close(taken, torch.stack(adds).sum(0), atol=1e-4, rtol=0)


def listener(
    said: dict[str, Tensor], name: str
) -> Callable[[nn.Module, tuple[Tensor, ...], Tensor], None]:
    def listen(_: nn.Module, __: tuple[Tensor, ...], out: Tensor) -> None:
        said[name] = out.flatten()  # of one situation

    return listen


def of_text(
    said: dict[str, Tensor], extra: int, candidates: Tensor, vocabulary: Tensor
) -> list[Tensor]:
    words = said["word"].reshape(-1, 2, 2)
    spans = len(words) * d.MAX_SPAN
    if extra < spans:
        start, more = divmod(extra, d.MAX_SPAN)
        return [words[start, 0], words[start + more, 1]]
    if extra < spans + len(candidates):
        return [candidates[extra - spans, 3]]
    return [vocabulary[extra - spans - len(candidates)]]


@every_situation
def test_a_situation_is_judged_alike_alone_and_in_a_batch(here: Situation) -> None:
    model, index = make_judging_model(), list(SITUATIONS.values()).index(here)
    decisions = [every_decision(one)[-9] for one in SITUATIONS.values()]
    crowd = [*INPUTS, *[PREPARER.prepare(random_situation(seed)) for seed in range(20, 50)]]
    others = [(d.TYPE + 1, 0, 0)] * 30
    with torch.no_grad():
        among = model.evaluate(crowd, [*decisions, *others])
        alone = model.evaluate([INPUTS[index]], [decisions[index]])
    assert among.choices is not None
    assert alone.choices is not None
    torch.testing.assert_close(
        among.choices.taken[index], alone.choices.taken[0], atol=1e-5, rtol=0
    )
    torch.testing.assert_close(among.value_logits[index], alone.value_logits[0], atol=1e-5, rtol=0)
    assert float(among.choices.probs[index].sum()) == pytest.approx(1.0, abs=1e-5)


def test_values_are_expected_ones_of_each_critic() -> None:
    model = make_judging_model()
    with torch.no_grad():
        seen = model.evaluate(INPUTS, [(d.TYPE + 1, 0, 0)] * len(INPUTS))
    assert seen.choices is not None
    expected = (seen.choices.probs[..., None] * torch.sigmoid(seen.choices.logits)).sum(1)
    torch.testing.assert_close(torch.sigmoid(seen.value_logits), expected, atol=1e-5, rtol=0)


def test_values_give_the_policy_no_reason_to_change() -> None:
    model = make_judging_model()
    model.evaluate(INPUTS, [(d.TYPE + 1, 0, 0)] * len(INPUTS)).value_logits.sum().backward()  # type: ignore[no-untyped-call]
    assert model.network.kind_out.weight.grad is None
    critics = model.network.decision_critics
    assert critics is not None
    assert critics.kind_out.weight.grad is not None


@every_situation
def test_gradients_reach_every_critic_of_decisions(here: Situation) -> None:
    model = make_judging_model()
    decisions = every_decision(here)
    seen = model.evaluate([PREPARER.prepare(here)] * len(decisions), decisions)
    assert seen.choices is not None
    (seen.log_prob.sum() + seen.choices.taken.sum()).backward()  # type: ignore[no-untyped-call]
    grads = {name: p.grad for name, p in model.network.named_parameters()}
    assert [name for name, grad in grads.items() if grad is None] == []
    assert all(bool(grad.isfinite().all()) for grad in grads.values() if grad is not None)


# Beside the form that judges situations.


def built(*, decision_critics: bool, seed: int = 0) -> tuple[PointerModel, float]:
    """A new model, and the next random number after it."""
    torch.manual_seed(seed)
    model = PointerModel(TINY, decision_critics=decision_critics)
    return model, float(torch.rand(()))


def test_a_model_without_them_has_no_weight_for_them() -> None:
    (plain, after), (judging, other) = (built(decision_critics=on) for on in (False, True))
    weights, more = plain.state_dict(), judging.state_dict()
    assert {name for name in more if name not in weights} == {
        f"network.decision_critics.{part}_out.{kind}"
        for part in ("kind", "overview", "candidate", "word")
        for kind in ("weight", "bias")
    }
    assert all(torch.equal(more[name], tensor) for name, tensor in weights.items())
    assert after == other
    assert plain.evaluate(INPUTS[:1], [(d.TYPE + 1, 0, 0)]).choices is None


def test_new_critics_say_of_every_decision_what_is_said_of_its_situation() -> None:
    (plain, _), (judging, _) = (built(decision_critics=on) for on in (False, True))
    decisions = [(d.TYPE + 1, 0, 0)] * len(INPUTS)
    with torch.no_grad():
        of_plain, of_judging = (
            plain.evaluate(INPUTS, decisions),
            judging.evaluate(INPUTS, decisions),
        )
    assert of_judging.choices is not None
    torch.testing.assert_close(of_judging.choices.taken, of_plain.value_logits)
    torch.testing.assert_close(of_judging.value_logits, of_plain.value_logits, atol=1e-4, rtol=0)
    assert torch.equal(of_judging.log_prob, of_plain.log_prob)


@pytest.mark.parametrize("greedy", [True, False])
def test_they_do_not_change_what_is_decided(greedy: bool) -> None:
    here = [random_situation(seed) for seed in range(6)]
    plain, judging = make_model(1), make_judging_model(1)
    assert all(
        torch.equal(judging.state_dict()[name], tensor)
        for name, tensor in plain.state_dict().items()
    )
    first, second = (
        PointerPolicy(model, PREPARER, greedy=greedy).act(here) for model in (plain, judging)
    )
    assert [(c.decision, c.log_prob) for c in first] == [(c.decision, c.log_prob) for c in second]


def test_weights_of_either_form_fit_a_model_of_either_form() -> None:
    plain, judging = make_model(1), make_judging_model(2)
    old, more = plain.state_dict(), judging.state_dict()
    assert plain.adapt(old) == old
    assert judging.adapt(more) == more
    less = plain.adapt(more)
    assert list(less) == list(old)
    filled = judging.adapt(old)
    assert list(filled) == [*old, *(name for name in more if name not in old)]
    added = [name for name in more if name not in old]
    assert all(more[name].any() for name in added)
    assert not any(filled[name].any() for name in added), "what was judged before is forgotten"


def test_what_else_is_missing_stays_missing() -> None:
    judging = make_judging_model(2)
    weights = dict(judging.state_dict())
    del weights["network.decision_critics.word_out.bias"]
    assert judging.adapt(weights) == weights
