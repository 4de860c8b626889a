"""Probabilities of decisions against their enumeration, and what padding must not change."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.policies.pointer.fakes import (
    DISABLED,
    ICON,
    SCREEN,
    TINY,
    every_decision,
    make_model,
    make_preparer,
    noise,
    random_situation,
    situation,
    texts_of,
)

from distrl.actions import why_invalid
from distrl.config.policies import PolicyConfig
from distrl.policies.pointer import decisions as d
from distrl.policies.pointer import inputs as i
from distrl.policies.pointer.batch import collate, pad_decision
from distrl.policies.pointer.inputs import Inputs, options_of
from distrl.policies.pointer.model import PointerModel
from distrl.policies.pointer.scores import Scores
from distrl.types import Kind, Situation

SITUATIONS = {
    "screen": situation(),
    "keyboard": situation(keyboard=True),
    "empty": situation(()),
    "alone": situation((DISABLED,)),
    "wordless": situation(goal="?!"),
    "grid": situation(None, goal="tap"),
    **{f"random {seed}": random_situation(seed) for seed in range(5)},
}
every_situation = pytest.mark.parametrize("here", SITUATIONS.values(), ids=SITUATIONS)
PREPARER = make_preparer()


def prepare(here: Situation) -> Inputs:
    return PREPARER.prepare(here)


def scores_of(here: Situation, seed: int = 0) -> Scores:
    with torch.no_grad():
        return make_model(seed).scores([prepare(here)])[0]


def log_probs_of(here: Situation, *others: Situation, seed: int = 0) -> list[float]:
    """Log-probabilities of all decisions of a situation, in a batch with others."""
    decisions = every_decision(here)
    prepared = prepare(here)
    with torch.no_grad():
        scores, batch = make_model(seed).scores([prepared, *map(prepare, others)])
    padded = torch.tensor(
        [pad_decision(x, len(prepared.words), len(prepared.features), batch) for x in decisions]
    )
    names = ("kind", "tap", "long_press", "start", "direction", "text", "values", "invalid")
    first = {name: getattr(scores, name)[:1] for name in names}
    repeated = Scores(**{n: x.expand(len(decisions), *x.shape[1:]) for n, x in first.items()})
    log_probs: list[float] = repeated.log_prob(padded).tolist()
    return log_probs


@every_situation
def test_only_what_is_allowed_is_ever_decided(here: Situation) -> None:
    model = PointerModel(TINY.changed(kinds=["tap", "type"]))
    with torch.no_grad():
        scores, _ = model.scores([prepare(here)])
    possible = {d.CHOICES[place][0] for place in torch.nonzero(scores.kind[0] > -20.0).flatten()}
    assert possible <= {Kind.TAP, Kind.TYPE}
    assert Kind.TYPE in possible
    assert (Kind.TAP in possible) is bool(len(prepare(here).features))


def test_where_nothing_that_is_allowed_can_be_done_it_waits() -> None:
    model = PointerModel(TINY.changed(kinds=["type"], constrained=True))
    with torch.no_grad():
        scores, _ = model.scores([prepare(SITUATIONS["screen"]), prepare(SITUATIONS["keyboard"])])
    sure = [d.CHOICES[place][0] for place in scores.kind.argmax(dim=1)]
    assert sure == [Kind.WAIT, Kind.TYPE]
    assert torch.allclose(scores.kind.exp().amax(dim=1), torch.ones(2))


@every_situation
@pytest.mark.parametrize("seed", [0, 1])
def test_all_decisions_of_a_situation_sum_to_one(here: Situation, seed: int) -> None:
    assert math.fsum(math.exp(x) for x in log_probs_of(here, seed=seed)) == pytest.approx(
        1.0, abs=1e-5
    )


@every_situation
def test_a_log_probability_is_that_of_the_product_of_its_parts(here: Situation) -> None:
    s, prepared = scores_of(here), prepare(here)
    sizes = len(prepared.words), len(prepared.features), collate([prepared])
    for decision, log_prob in zip(every_decision(here), log_probs_of(here), strict=True):
        kind, target, extra = pad_decision(decision, *sizes)
        parts = [s.kind[0, kind].exp()]
        if kind == d.TAP:
            parts.append(s.tap[0, target].exp())
        if kind == d.LONG_PRESS:
            parts.append(s.long_press[0, target].exp())
        if kind == d.SWIPE:
            parts += [s.start[0, target].exp(), s.direction[0, extra].exp()]
        if kind == d.TYPE:
            parts.append(s.text[0, extra].exp())
        product = math.prod(float(part) for part in parts)
        assert math.exp(log_prob) == pytest.approx(product, rel=1e-4, abs=1e-30)


@every_situation
@pytest.mark.parametrize("seed", [0, 1])
def test_entropy_is_that_of_the_enumeration(here: Situation, seed: int) -> None:
    found = log_probs_of(here, seed=seed)
    by_hand = -math.fsum(math.exp(x) * x for x in found)
    assert float(scores_of(here, seed).entropy()) == pytest.approx(by_hand, abs=1e-4)
    assert by_hand > 0.05, "too certain for the test to mean anything"


@pytest.mark.parametrize("name", ["screen", "keyboard", "empty", "alone", "wordless", "grid"])
@pytest.mark.parametrize("seed", [0, 1])
def test_invalid_mass_is_the_probability_of_what_has_no_effect(name: str, seed: int) -> None:
    here = SITUATIONS[name]
    options = options_of(here)
    found = zip(every_decision(here), log_probs_of(here, seed=seed), strict=True)
    by_hand = math.fsum(
        math.exp(log_prob)
        for decision, log_prob in found
        if why_invalid(options.action(decision), here.observation) is not None
    )
    assert float(scores_of(here, seed).invalid) == pytest.approx(by_hand, abs=1e-5)


def test_every_decision_can_be_drawn() -> None:
    """Also those of the last word, the last candidate and the last of the vocabulary."""
    assert min(log_probs_of(situation(keyboard=True))) > -60


def test_a_text_that_is_not_there_cannot_be_drawn() -> None:
    here = situation()
    options = options_of(here)
    allowed = set(texts_of(options))
    text = scores_of(here).text[0]
    assert len(text) == len(options.words) * d.MAX_SPAN + len(SCREEN) + len(d.VOCABULARY)
    for extra, log_prob in enumerate(text.tolist()):
        assert (math.exp(log_prob) > 0) == (extra in allowed)


def test_where_everything_is_disabled_nothing_is_touched() -> None:
    model = PointerModel(TINY.changed(constrained=True))
    with torch.no_grad():
        s, _ = model.scores([prepare(SITUATIONS["alone"])])
    assert s.kind[0, d.TAP].exp() == s.kind[0, d.LONG_PRESS].exp() == 0
    assert s.kind[0, d.SWIPE].exp() > 0


# Relations.


@pytest.mark.parametrize("word", [0, 3])
@pytest.mark.parametrize("row", [0, 2, i.HISTORY, i.HISTORY + 2])
def test_a_link_joins_its_word_with_its_label_and_nothing_else(row: int, word: int) -> None:
    """In one layer; `row` is a touched label or, behind those, a candidate."""
    labels = tuple(replace(ICON, text=text) for text in ("one", "two", "three"))
    here = prepare(situation(labels, goal="open my last new message"))
    assert not here.links.any()
    linked = here.links.copy()
    linked[row, word] = True
    before, after = (texts_in_one_layer(x) for x in (here, replace(here, links=linked)))
    moved = ((after - before).abs() > 1e-4).tolist()
    words = len(here.words)
    assert [k for k in range(words) if moved[k]] == [word]
    candidate = row - i.HISTORY
    assert [k for k in range(3) if moved[words + k]] == ([candidate] if candidate >= 0 else [])


def test_likeness_joins_its_word_with_its_label_and_nothing_else() -> None:
    labels = tuple(replace(ICON, text=text) for text in ("one", "two", "three"))
    here = prepare(situation(labels, goal="open my last new message"))
    plain = np.zeros_like(here.alike)
    alike = plain.copy()
    alike[i.HISTORY + 1, 3] = 1.0
    before, after = (texts_in_one_layer(replace(here, alike=one)) for one in (plain, alike))
    moved = ((after - before).abs() > 1e-4).tolist()
    words = len(here.words)
    assert [place for place, is_moved in enumerate(moved) if is_moved] == [3, words + 1]


def test_weights_of_before_likeness_have_no_bias_for_it() -> None:
    model = PointerModel(TINY)
    kin = "network.blocks.0.kin"
    old = {
        name: tensor[:, :2] if name.endswith(".kin") else tensor
        for name, tensor in model.state_dict().items()
    }
    adapted = model.adapt(old)
    assert adapted[kin].shape == model.state_dict()[kin].shape
    assert torch.equal(adapted[kin][:, :2], old[kin])
    assert not adapted[kin][:, 2:].any()


def texts_in_one_layer(here: Inputs) -> torch.Tensor:
    """[W + N] log-odds of typing each word, then each label, in a batch with a larger screen."""
    torch.manual_seed(0)
    # As many heads as relations at least: each relation starts with a head of its own.
    model = PointerModel(TINY.changed(layers=1, heads=4)).eval()
    with torch.no_grad():
        scores, batch = model.scores([here, prepare(situation(None, goal="word " * 24))])
    w, n = len(here.words), len(here.features)
    spans = [word * d.MAX_SPAN for word in range(w)]
    texts = [*spans, *(w * d.MAX_SPAN + label for label in range(n)), w * d.MAX_SPAN + n]
    places = [pad_decision((d.TYPE, 0, text), w, n, batch)[2] for text in texts]
    # Against a text of the vocabulary, which depends on no word and no label.
    found: torch.Tensor = scores.text[0, places]
    odds: torch.Tensor = found[:-1] - found[-1]
    return odds


@pytest.mark.parametrize(
    ("label", "button", "beside"),
    [
        ((0.30, 0.46), (0.42, 0.45), True),
        ((0.42, 0.45), (0.30, 0.46), False),
        ((0.50, 0.60), (0.40, 0.70), True),
        ((0.40, 0.70), (0.50, 0.60), False),
    ],
    ids=["tall label", "tall button", "panel of a button", "panel of a label"],
)
def test_a_button_attends_to_the_label_whose_height_its_middle_is_in(
    label: tuple[float, float], button: tuple[float, float], beside: bool
) -> None:
    """As in the features of a row: how high the button itself is does not matter."""
    tops = (label, button, (0.90, 0.93))
    odds = []
    for text in ("one", "two"):
        boxes = [replace(ICON, bounds=(0.0, top, 1.0, bottom)) for top, bottom in tops]
        labelled = replace(boxes[0], text=text)
        odds.append(tap_odds_within_rows(prepare(situation((labelled, *boxes[1:]), goal="tap"))))
    assert (abs(odds[1] - odds[0]) > 1e-3) == beside


def tap_odds_within_rows(here: Inputs) -> float:
    """Log-odds of tapping the second candidate against the third, if rows alone are attended to."""
    torch.manual_seed(0)
    model = PointerModel(TINY.changed(layers=1)).eval()
    with torch.no_grad():
        # So much that no head of a candidate looks at anything out of its row.
        (kin,) = (p for name, p in model.named_parameters() if name.endswith(".kin"))
        kin[:, 1] = 100.0
        tap = model.scores([here, prepare(situation(None))])[0].tap[0]
    return float(tap[1] - tap[2])


# Padding.


@every_situation
@pytest.mark.parametrize("seed", [0, 1])
def test_a_situation_has_the_same_log_probs_alone_and_in_a_batch(
    here: Situation, seed: int
) -> None:
    crowd = [random_situation(seed) for seed in range(20, 24)]
    crowd += [situation(None), situation((), goal="word " * 24)]
    alone, among = log_probs_of(here, seed=seed), log_probs_of(here, *crowd, seed=seed)
    # Where a probability is nought, its logarithm may differ.
    assert [x for x in alone if x > -50] == pytest.approx(
        [y for x, y in zip(alone, among, strict=True) if x > -50], abs=1e-5
    )


@every_situation
def test_a_situation_has_the_same_numbers_alone_and_in_a_batch(here: Situation) -> None:
    crowd = [random_situation(31), here, situation(None), situation((), goal="word " * 24)]
    with torch.no_grad():
        model = make_model()
        alone = model.scores([prepare(here)])[0]
        among = model.scores([prepare(x) for x in crowd])[0]
    torch.testing.assert_close(among.entropy()[1], alone.entropy()[0], atol=1e-5, rtol=0)
    torch.testing.assert_close(among.invalid[1], alone.invalid[0], atol=1e-5, rtol=0)
    torch.testing.assert_close(among.values[1], alone.values[0], atol=1e-4, rtol=1e-5)


def test_what_stands_in_the_padding_has_no_influence() -> None:
    here, other = prepare(situation()), prepare(situation(None))
    batch = collate([here, other])
    (group,) = batch.groups
    assert not group.seen.all()
    group.tokens[~group.seen] = len(batch.places) - 1
    with torch.no_grad():
        model = make_model()
        dirty = model.network(batch)
        clean = model.network(collate([here, other]))
    torch.testing.assert_close(dirty.kind[0], clean.kind[0], atol=1e-6, rtol=0)
    torch.testing.assert_close(dirty.tap[0], clean.tap[0], atol=1e-6, rtol=0)
    torch.testing.assert_close(dirty.text[0], clean.text[0], atol=1e-6, rtol=0)


def test_the_last_word_of_a_goal_has_none_behind_it_whatever_it_is_batched_with() -> None:
    model = make_model()
    with torch.no_grad():
        model.network.text_in.bias.fill_(0.5)
        alone = model.scores([prepare(situation())])[0]
        among = model.scores([prepare(situation()), prepare(situation(goal="word " * 24))])[0]
    torch.testing.assert_close(among.kind[0], alone.kind[0], atol=1e-5, rtol=0)


def test_a_batch_to_learn_from_has_the_same_scores_and_gradients() -> None:
    rows, found = [prepare(here) for here in SITUATIONS.values()], []
    for to_learn in (False, True):
        model = make_model()
        scores, _ = model.scores(rows, to_learn=to_learn)
        (scores.entropy().sum() + scores.values.sum() + scores.invalid.sum()).backward()  # type: ignore[no-untyped-call]
        found.append((scores, {name: p.grad for name, p in model.named_parameters()}))
    (plain, gradients), (grouped, others) = found
    torch.testing.assert_close(grouped.kind, plain.kind, atol=1e-5, rtol=0)
    torch.testing.assert_close(grouped.text.clamp(-50), plain.text.clamp(-50), atol=1e-5, rtol=0)
    for name, gradient in gradients.items():
        if gradient is not None:
            torch.testing.assert_close(others[name], gradient, atol=1e-5, rtol=1e-4)


# Learning.


@every_situation
def test_gradients_are_numbers_and_reach_every_weight_that_matters(here: Situation) -> None:
    model = make_model()
    seen = model.evaluate([prepare(here)] * 2, [(d.TYPE, 0, 0), (d.SWIPE, 0, 1)])
    total = seen.log_prob.sum() + seen.entropy.sum() + seen.invalid.sum() + seen.value_logits.sum()
    total.backward()  # type: ignore[no-untyped-call]
    grads = {name: p.grad for name, p in model.network.named_parameters()}
    assert all(grad is None or bool(grad.isfinite().all()) for grad in grads.values())
    assert [name for name, grad in grads.items() if grad is None] == []


def test_the_screen_s_pixels_reach_the_decision() -> None:
    here = situation()
    first = scores_of(here)
    picture = type(here.observation.picture)(noise(seed=5))
    second = scores_of(replace(here, observation=replace(here.observation, picture=picture)))
    assert not torch.allclose(first.tap, second.tap, atol=1e-4)


def test_sizes_are_those_asked_for() -> None:
    small, large = (
        sum(p.numel() for p in PointerModel(size).parameters())
        for size in (PolicyConfig(width=32, layers=1), PolicyConfig(width=64, layers=3))
    )
    assert small < large
    assert sum(p.numel() for p in PointerModel().parameters()) < 400_000
