from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.envs.fakes import BUTTON, FIELD, make_observation
from tests.policies.pointer.fakes import FakeTextEncoder
from tests.run.conftest import small_config

from distrl import actions
from distrl.config.devices import PhoneConfig
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import ConfigError
from distrl.policies.pointer.batch import Batch, collate
from distrl.run.builders.pointer import augmentation, build_pointer
from distrl.run.builders.policy_bundle import build_policy_bundle
from distrl.tasks.suites import load_suite
from distrl.types import Observation, Situation
from distrl.weights.serialization import digest_of

SITUATION = Situation(
    goal="Save the name Ada", observation=make_observation(), history=(), steps_left=5, seed=3
)


def test_weights_follow_from_the_seed() -> None:
    digests = [
        digest_of(build_pointer(small_config(f"seed={seed}")).model.state_dict())
        for seed in (1, 1, 2)
    ]
    assert digests[0] == digests[1] != digests[2]


def test_what_is_expressed_can_be_unpacked_and_evaluated() -> None:
    pointer = build_pointer(small_config())
    decision, data = pointer.express(SITUATION, actions.tap(*BUTTON.center))
    assert decision is not None
    seen = pointer.model.evaluate([pointer.unpack(data)], [decision])
    assert seen.log_prob.item() < 0.0


def test_what_it_may_not_do_cannot_be_expressed() -> None:
    pointer = build_pointer(small_config("policy.kinds=[tap,type]"))
    assert pointer.express(SITUATION, actions.tap(*BUTTON.center))[0] is not None
    assert pointer.express(SITUATION, actions.long_press(*BUTTON.center))[0] is None


def test_greedy_and_drawn_policies_share_the_model() -> None:
    pointer = build_pointer(small_config())
    other = build_pointer(small_config("seed=9"))
    pointer.policy().load(other.model.state_dict(), version=4, digest="d")
    (choice,) = pointer.policy(greedy=True).act([SITUATION])
    (expected,) = other.policy(greedy=True).act([SITUATION])
    assert choice.log_prob == expected.log_prob


def test_without_pixels_the_screen_does_not_matter() -> None:
    def bright() -> Situation:
        seen = make_observation((BUTTON, FIELD))
        seen.picture._pixels = seen.screen + 200
        return replace(SITUATION, observation=seen)

    for pixels, same in ((True, False), (False, True)):
        pointer = build_pointer(small_config(f"policy.pixels={str(pixels).lower()}"))
        crops = [pointer.preparer.prepare(s).crops.tobytes() for s in (SITUATION, bright())]
        assert (crops[0] == crops[1]) is same


def test_what_says_nothing_is_named_by_its_looks_only_if_the_run_wants_it() -> None:
    device = PhoneDevice("phone", PhoneConfig())
    device.reset(0)
    here = replace(SITUATION, observation=mute(device.observe()))
    said = {
        wanted: build_pointer(small_config(f"policy.captions={wanted}")).preparer.prepare(here)
        for wanted in ("true", "false")
    }
    assert not any(said["false"].names)
    assert any(said["true"].names)


def mute(observation: Observation) -> Observation:
    """The same screen, whose elements say nothing."""
    silent = [replace(e, text="", description="") for e in observation.elements or ()]
    return replace(observation, elements=tuple(silent))


def test_steps_are_varied_as_the_run_wants_it() -> None:
    encoder = FakeTextEncoder()
    plain = ("learner.swap_names=false", "tasks.suite=general")
    assert augmentation(small_config(*plain), encoder) is None
    rare = small_config("learner.swap_names=true", "tasks.suite=general")
    hidden = small_config(*plain, "learner.disguise=0.9")
    pointer = build_pointer(rare, encoder)
    goals = [task.goal for task in load_suite("general").tasks("train")]
    for config, changes_labels in ((rare, False), (hidden, True)):
        vary, rng = augmentation(config, encoder), np.random.default_rng(0)
        assert vary is not None
        steps = [pointer.preparer.prepare(replace(SITUATION, goal=goal)) for goal in goals[:40]]
        varied = [vary((step,), rng)[0] for step in steps]
        assert any((a.words != b.words).any() for a, b in zip(steps, varied, strict=True))
        changed = any((a.labels != b.labels).any() for a, b in zip(steps, varied, strict=True))
        assert changed == changes_labels


@pytest.mark.parametrize("kinds", ["null", "[tap, type, answer]"])
def test_the_network_makes_nothing_on_another_device(kinds: str) -> None:
    # Tensors on `meta` refuse to be mixed with others, as those of a GPU do.
    pointer = build_pointer(small_config(f"policy.kinds={kinds}"))
    batch = collate([pointer.preparer.prepare(SITUATION)] * 2)
    away = Batch.of_tensors([tensor.to("meta") for tensor in batch.tensors()])
    scores = pointer.model.to("meta").network(away)
    made = [part for f in fields(scores) if (part := getattr(scores, f.name)) is not None]
    assert {part.device.type for part in made} == {"meta"}


def test_what_the_weights_do_not_know_is_not_expressed() -> None:
    later = [actions.press("recents"), actions.answer("yes"), actions.open_app("Clock")]
    basic = build_pointer(small_config())
    assert [basic.express(SITUATION, action)[0] for action in later] == [None] * 3
    assert basic.express(SITUATION, actions.press("back"))[0] is not None
    wide = build_pointer(small_config("policy.kinds=[press, answer, open_app]"))
    said = [wide.express(SITUATION, action)[0] for action in later]
    assert [decision is None for decision in said] == [False, False, True]


def test_only_a_run_that_asks_for_critics_of_decisions_has_them() -> None:
    plain, judging = (build_pointer(small_config(f"algorithm.critic_form={f}")) for f in "vq")
    weights, more = plain.model.state_dict(), judging.model.state_dict()
    assert digest_of(weights) == digest_of(build_pointer(small_config()).model.state_dict())
    assert all(torch.equal(more[name], tensor) for name, tensor in weights.items())
    assert plain.model.network.decision_critics is None
    assert judging.model.network.decision_critics is not None


def test_weights_are_taken_from_a_run_with_the_other_form_of_critics() -> None:
    plain, judging = (
        build_pointer(small_config(f"algorithm.critic_form={form}", f"seed={seed}"))
        for form, seed in (("v", 1), ("q", 2))
    )
    weights = plain.model.state_dict()
    judging.take(weights, "here")
    assert all(torch.equal(judging.model.state_dict()[n], t) for n, t in weights.items())
    other = build_pointer(small_config("seed=3"))
    other.take(judging.model.state_dict(), "there")
    assert digest_of(other.model.state_dict()) == digest_of(weights)
    lacking = {name: t for name, t in weights.items() if name != "goal_critic.0.bias"}
    with pytest.raises(ConfigError, match=r"another network: goal_critic\.0\.bias differs"):
        judging.take(lacking, "nowhere")


def test_what_was_read_ahead_is_known_to_the_next(tmp_path: Path) -> None:
    cache = tmp_path / "text.sqlite"
    first, second = (build_pointer(small_config(), FakeTextEncoder(cache)) for _ in range(2))
    assert first.read_ahead([SITUATION.goal]) > 1000
    assert second.read_ahead([SITUATION.goal]) == 0
    second.preparer.prepare(SITUATION)
    assert second.encoder.hit_rate == 1.0


def test_policies_that_are_no_pointer_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"unknown policy.name 'pointr'; did you mean"):
        build_policy_bundle(small_config("policy.name=pointr"))
    with pytest.raises(ConfigError, match=r"this needs the pointer, and policy.name is lm"):
        build_pointer(small_config("policy.name=lm"))


def test_decisions_are_judged_if_the_critics_are_of_that_form() -> None:
    for form, judged in (("v", False), ("q", True)):
        network = build_pointer(small_config(f"algorithm.critic_form={form}")).model.network
        assert (network.decision_critics is not None) == judged
