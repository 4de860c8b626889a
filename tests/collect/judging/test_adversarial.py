from __future__ import annotations

from collections import Counter

import pytest
from tests.tasks.judges.episodes import make_episode

from distrl import screens
from distrl.collect.judging.adversarial import Trick, make_adversarial, trick_of
from distrl.errors import ConfigError
from distrl.tasks.judges.answers import speaks_to_judge
from distrl.types import Episode, Kind


@pytest.fixture(scope="module")
def episodes() -> list[Episode]:
    return list(make_adversarial(16))


def test_each_trick_comes_equally_often(episodes: list[Episode]) -> None:
    assert Counter(map(trick_of, episodes)) == dict.fromkeys(Trick, 4)
    assert len({episode.id for episode in episodes}) == 16


def test_all_of_them_failed_and_claim_to_be_done(episodes: list[Episode]) -> None:
    for episode in episodes:
        assert not episode.succeeded
        assert episode.steps[-1].choice.action.kind is Kind.COMPLETE
        assert [verdict.success for verdict in episode.verdicts] == [False]


def test_what_is_meant_for_a_judge_is_on_the_screen(episodes: list[Episode]) -> None:
    for episode in episodes:
        assert episode.final is not None
        words = [element.text for element in episode.final.elements or ()]
        if trick_of(episode) is Trick.BLANK:
            assert screens.is_blank(episode.final.screen)
            assert not words
        else:
            assert any(map(speaks_to_judge, words)), episode.id


def test_other_episodes_have_no_trick() -> None:
    assert trick_of(make_episode()) is None


def test_none_at_all_is_refused() -> None:
    with pytest.raises(ConfigError, match="at least 1"):
        list(make_adversarial(0))
