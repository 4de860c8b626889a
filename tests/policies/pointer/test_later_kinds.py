from __future__ import annotations

import math

import pytest
import torch
from tests.policies.pointer.fakes import (
    TINY,
    every_decision,
    make_preparer,
    random_situation,
    situation,
)

from distrl import actions
from distrl.policies.pointer import decisions as d
from distrl.policies.pointer.acting import TracedActing, choose
from distrl.policies.pointer.batch import collate, pad_decision
from distrl.policies.pointer.inputs import HISTORY, options_of
from distrl.policies.pointer.model import PointerModel
from distrl.policies.pointer.scores import JudgedScores
from distrl.types import Action, Element, Kind, Situation

ALL_KINDS = TINY.changed(kinds=[kind.value for kind in Kind])
ROW = Element("item", "Time", "7:30 PM", bounds=(0.0, 0.4, 1.0, 0.5))
SITUATIONS = [
    situation(),
    situation((ROW,), goal="What time is it?"),
    situation(()),
    situation(None, goal="tap"),
    *map(random_situation, range(3)),
]
every_situation = pytest.mark.parametrize("here", SITUATIONS)
PREPARER = make_preparer()


def model_with_later(*, decision_critics: bool = False) -> PointerModel:
    """Weights that are not zero, where all begin."""
    torch.manual_seed(0)
    model = PointerModel(ALL_KINDS, decision_critics=decision_critics)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "later" in name or "decision_critics" in name:
                weight.normal_(std=0.5)
    return model.eval()


def log_probs_of(model: PointerModel, here: Situation) -> list[float]:
    decisions, prepared = every_decision(here, later=True), PREPARER.prepare(here)
    with torch.no_grad():
        evaluated = model.evaluate([prepared] * len(decisions), decisions)
    found: list[float] = evaluated.log_prob.tolist()
    return found


@every_situation
def test_decisions_of_all_kinds_sum_to_one_and_entropy_is_theirs(here: Situation) -> None:
    model = model_with_later()
    found = log_probs_of(model, here)
    assert math.fsum(map(math.exp, found)) == pytest.approx(1.0, abs=1e-5)
    with torch.no_grad():
        scores, _ = model.scores([PREPARER.prepare(here)])
    by_hand = -math.fsum(math.exp(x) * x for x in found)
    assert float(scores.entropy()) == pytest.approx(by_hand, abs=1e-4)


@every_situation
def test_critics_list_every_decision_once_with_its_probability(here: Situation) -> None:
    model = model_with_later(decision_critics=True)
    decisions, prepared = every_decision(here, later=True), PREPARER.prepare(here)
    with torch.no_grad():
        scores, batch = model.scores([prepared] * len(decisions))
        evaluated = model.evaluate([prepared] * len(decisions), decisions)
    assert isinstance(scores, JudgedScores) and evaluated.choices is not None
    sizes = len(prepared.words), len(prepared.features)
    places = scores.place(torch.tensor([pad_decision(x, *sizes, batch) for x in decisions]))
    assert len(set(places.tolist())) == len(decisions)
    own = torch.arange(len(decisions))
    probs = evaluated.choices.probs[own, places]
    torch.testing.assert_close(probs, evaluated.log_prob.exp(), atol=1e-6, rtol=1e-4)


@every_situation
def test_weights_without_later_kinds_decide_as_before_when_they_get_them(here: Situation) -> None:
    torch.manual_seed(1)
    old, new = PointerModel(TINY), PointerModel(ALL_KINDS, decision_critics=True)
    new.load_state_dict(new.adapt(old.state_dict()))
    prepared = PREPARER.prepare(here)
    with torch.no_grad():
        (was, _), (now, _) = old.scores([prepared]), new.scores([prepared])
    for name in ("tap", "long_press", "start", "direction", "text"):
        assert torch.equal(getattr(was, name), getattr(now, name))
    # Relative to each other the kinds that they know are as likely as before.
    basic = now.kind[:, : len(d.CHOICES)].log_softmax(-1)
    torch.testing.assert_close(basic, was.kind, atol=1e-5, rtol=0)


def test_what_a_network_has_no_use_for_is_dropped() -> None:
    old, new = PointerModel(TINY), model_with_later(decision_critics=True)
    old.load_state_dict(old.adapt(new.state_dict()))
    assert set(old.adapt(new.state_dict())) == set(old.state_dict())
    damaged = {n: w for n, w in new.state_dict().items() if n != "network.later.word_out.weight"}
    assert "network.later.word_out.weight" not in new.adapt(damaged), "for loading to report"


def test_networks_of_basic_kinds_have_the_weights_and_classes_they_always_had() -> None:
    torch.manual_seed(2)
    basic = PointerModel(TINY)
    torch.manual_seed(2)
    wide = PointerModel(ALL_KINDS)
    mine = basic.state_dict()
    assert not any("later" in name for name in mine)
    assert all(torch.equal(wide.state_dict()[name], weight) for name, weight in mine.items())
    assert (len(basic.network.choices), len(wide.network.choices)) == (10, 13)


def test_only_the_named_kinds_among_the_later_are_decided() -> None:
    model = PointerModel(TINY.changed(kinds=["tap", "answer"]))
    with torch.no_grad():
        scores, _ = model.scores([PREPARER.prepare(situation())])
    likely = torch.nonzero(scores.kind[0] > -20.0).flatten().tolist()
    assert likely == [d.TAP, d.ANSWER]


def test_the_traced_pass_decides_as_the_plain_one() -> None:
    model = model_with_later()
    batch = collate([PREPARER.prepare(here) for here in SITUATIONS])
    draws = torch.rand(len(SITUATIONS), 3, dtype=torch.float64)
    traced = TracedActing(model.network, greedy=False).decide(batch, draws)
    with torch.inference_mode():
        scores = model.network(batch)
        plain = choose(scores, draws, greedy=False)
    assert torch.equal(traced.decisions, plain)
    assert torch.equal(traced.log_probs, scores.log_prob(plain))


def test_an_answer_that_is_learned_is_the_one_that_is_given() -> None:
    here = situation((ROW,), goal="What time is it?")
    model, prepared = model_with_later(), PREPARER.prepare(here)
    wanted = options_of(here).decision(actions.answer("7:30 PM"))
    assert wanted is not None
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(40):
        optimiser.zero_grad()
        (-model.evaluate([prepared], [wanted]).log_prob.sum()).backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    with torch.no_grad():
        scores, batch = model.scores([prepared])
        chosen = choose(scores, torch.zeros(1, 3), greedy=True)[0].tolist()
    sizes = len(prepared.words), len(prepared.features)
    assert tuple(chosen) == pad_decision(wanted, *sizes, batch)


@pytest.mark.parametrize(
    "done",
    [
        actions.double_tap(0.2, 0.2),
        actions.drag(0.2, 0.2, 0.8, 0.2),
        actions.open_app("Clock"),
        actions.press("recents"),
        actions.answer("yes"),
    ],
    ids=actions.to_text,
)
def test_later_kinds_in_the_history_look_like_no_basic_one(done: Action) -> None:
    def rows(history: tuple[Action, ...]) -> list[list[float]]:
        found: list[list[float]] = PREPARER.prepare(situation(history=history)).history.tolist()
        return found

    kinds = len(d.CHOICES)
    marks = rows((done,))[0][:kinds]
    assert sum(marks) == 2.0
    assert len(rows((done,))) == HISTORY
