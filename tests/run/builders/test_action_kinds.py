from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.envs.fakes import FakeDevice
from tests.run.conftest import small_config

from distrl.config import RunConfig
from distrl.envs.device_kinds import DeviceFactory
from distrl.errors import ConfigError
from distrl.run.builders.action_kinds import fit_kinds, offered_kinds, suite_kinds
from distrl.types import BASIC_KINDS, Kind


def fitted(
    monkeypatch: pytest.MonkeyPatch, config: RunConfig, offered: frozenset[Kind]
) -> Sequence[str] | None:
    device = FakeDevice()
    device.kinds = offered
    factory = DeviceFactory("mine", lambda _: device)
    monkeypatch.setattr("distrl.run.builders.action_kinds.device_factory", lambda *_, **__: factory)
    return fit_kinds(config).policy.kinds


def test_kinds_that_a_device_lacks_are_not_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    touch = frozenset({Kind.TAP, Kind.WAIT})
    found = fitted(monkeypatch, small_config(), touch)
    assert set(found or ()) == {Kind.TAP, Kind.WAIT, Kind.COMPLETE, Kind.INFEASIBLE}
    assert fitted(monkeypatch, small_config("policy.kinds=[tap, type]"), touch) == [Kind.TAP]


def test_a_device_that_can_do_all_or_names_nothing_restricts_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for offered in (frozenset(Kind), frozenset[Kind]()):
        assert fitted(monkeypatch, small_config(), offered) is None


def test_settings_for_embedded_phones_stay_as_they_are() -> None:
    config = small_config()
    assert fit_kinds(config) is config


def test_a_policy_that_may_do_nothing_that_its_devices_can_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(ConfigError, match=r"policy\.kinds is \[type\].*they can: tap"):
        fitted(monkeypatch, small_config("policy.kinds=[type]"), frozenset({Kind.TAP}))


def test_a_policy_on_a_suite_of_questions_may_answer() -> None:
    asked = fit_kinds(small_config("tasks.suite=questions")).policy.kinds
    assert asked is not None and set(asked) == {*BASIC_KINDS, Kind.ANSWER}
    told = fit_kinds(small_config("tasks.suite=questions", "policy.kinds=[tap]")).policy.kinds
    assert told == ["tap"], "who says what the policy may do has the last word"


def test_pages_have_no_apps_to_open() -> None:
    page = small_config("tasks.suite=miniwob", "policy.kinds=[tap, open_app, drag]")
    assert fit_kinds(page).policy.kinds == ["tap", "drag"]
    assert Kind.OPEN_APP not in offered_kinds("miniwob")
    assert suite_kinds("miniwob") == suite_kinds("general") == BASIC_KINDS
