from __future__ import annotations

from pathlib import Path

import pytest
from tests.packages import write_example

from distrl.config import load_run_config
from distrl.config.judges import JudgeConfig, judge_parts, opinions_of
from distrl.errors import ConfigError


def problem(*overrides: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load_run_config("debug", overrides)
    return str(caught.value)


def test_nobody_judges_unless_somebody_is_named() -> None:
    assert load_run_config("debug").judge == JudgeConfig()
    assert JudgeConfig().name is None


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["judge.name=ocrr"], "judge.name: unknown judge 'ocrr'; did you mean 'ocr'?"),
        (["judge.name=human"], "(allowed: ocr, state, vlm, vote:NAME,NAME)"),
        (["judge.name=vote:ocr,vlmm"], "unknown judge 'vlmm'; did you mean 'vlm'?"),
        (["judge.name=vote:ocr,ocr"], "two or more different judges, got 'vote:ocr,ocr'"),
        (["judge.name=vote:ocr"], "two or more different judges"),
        (["judge.nam=ocr"], "did you mean 'judge.name'?"),
        (["judge.name=vlm"], "the judge vlm needs endpoint and model"),
        (["judge.name=vote:ocr,vlm", "judge.endpoint=http://h/v1"], "needs endpoint and model"),
        (["judge.rewards=true"], "name the judge that rewards"),
        (["judge.name=ocr", "judge.rewards=true", "judge.share=0.5"], "sees all episodes"),
        (["judge.share=0"], "judge.share must be greater than 0"),
        (["judge.cap=3"], "a cap needs price_prompt and price_completion"),
        (["judge.endpoint=localhost:80"], "must start with http:// or https://"),
    ],
)
def test_what_does_not_fit_is_told_by_its_key(overrides: list[str], told: str) -> None:
    assert told in problem(*overrides)


@pytest.mark.parametrize(
    "override",
    [
        "judge.endpoint=http://me:sk-5ecret@h/v1",
        "judge.endpoint=http://h/v1?key=sk-5ecret",
        "judge.key_env=sk-5ecret",
    ],
)
def test_a_key_that_was_put_into_the_settings_is_refused_and_not_shown(override: str) -> None:
    told = problem(override)
    assert override.split("=")[0] in told
    assert "5ecret" not in told


def test_a_vote_has_the_judges_that_it_names() -> None:
    assert judge_parts("vote:ocr,vlm") == ("ocr", "vlm")
    assert judge_parts("state") == ("state",)


def test_models_are_told_apart_and_judges_with_a_part_in_common_are_not() -> None:
    one = opinions_of("vlm", "http://h/v1", "small")
    other = opinions_of("vlm", "http://h/v1", "large")
    assert not one & other
    assert one & opinions_of("vote:ocr,vlm", "http://h/v1", "small")


def test_judges_of_plugins_are_known_alone_and_in_votes(site: Path) -> None:
    name = write_example(site, "judge")
    assert judge_parts(f"vote:state,{name}") == ("state", name)
    assert JudgeConfig(name=name, options={"most_steps": 3}).options == {"most_steps": 3}
    with pytest.raises(ConfigError, match=r"unknown judge 'trustign'; did you mean 'trusting'\?"):
        judge_parts("trustign")


@pytest.mark.parametrize("name", [None, "ocr", "vote:ocr,state"])
def test_built_in_judges_have_no_options(name: str | None) -> None:
    with pytest.raises(ValueError, match="options are for judges of plug-ins"):
        JudgeConfig(name=name, options={"most_steps": 3})
