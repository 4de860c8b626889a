from __future__ import annotations

import pytest

from distrl.config import load_run_config
from distrl.config.base import Config
from distrl.config.options import read_options, refuse_options
from distrl.errors import ConfigError


class Options(Config):
    width: int = 16


def test_options_become_the_settings_of_a_plugin() -> None:
    assert read_options(Options, {}, "policy.options") == Options()
    assert read_options(Options, {"width": 3}, "policy.options").width == 3


def test_an_unknown_option_is_answered_with_the_nearest() -> None:
    message = r"unknown key of policy\.options 'widht'; did you mean 'width'\?"
    with pytest.raises(ConfigError, match=message):
        read_options(Options, {"widht": 3}, "policy.options")


def test_an_option_of_another_type_is_refused_by_its_whole_name() -> None:
    with pytest.raises(ConfigError, match=r"policy\.options\.width: .*integer, got 'wide'"):
        read_options(Options, {"width": "wide"}, "policy.options")


def test_built_in_parts_have_no_options() -> None:
    refuse_options({}, "policy.options", "pointer", ("pointer",))
    refuse_options({"width": 3}, "policy.options", "tiny", ("pointer",))
    with pytest.raises(ConfigError, match="is for plug-ins, and 'pointer' is built in"):
        refuse_options({"width": 3}, "policy.options", "pointer", ("pointer",))


def test_options_are_set_one_by_one_or_all_together() -> None:
    config = load_run_config("debug", ["policy.options={width: 3, deep: {wide: true}}"])
    assert config.policy.options == {"width": 3, "deep": {"wide": True}}
    config = load_run_config("debug", ["policy.options.width=3", "collect.options.size=2"])
    assert (config.policy.options, config.collect.options) == ({"width": 3}, {"size": 2})


def test_options_that_are_no_section_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"policy\.options must be a section; got 3"):
        load_run_config("debug", ["policy.options=3"])
