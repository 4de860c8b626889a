"""The words of the suites: `general_words.py` and `shopping_words.py`."""

from __future__ import annotations

from random import Random

import pytest

from distrl.tasks.pools import normalise
from distrl.tasks.suites import load_suite
from distrl.tasks.template import Draw
from distrl.tasks.wording.general_words import PEOPLE_AND_PLANS, PHONE_AND_MEDIA
from distrl.tasks.wording.grammar import say
from distrl.tasks.wording.shopping_words import BUYING, LOOKING
from distrl.tasks.wording.words import Words, named, read_words

TABLES = {
    "general": (read_words(PEOPLE_AND_PLANS), read_words(PHONE_AND_MEDIA)),
    "shopping": (read_words(LOOKING), read_words(BUYING)),
}
WORDS = {suite: first | second for suite, (first, second) in TABLES.items()}
EVERY = [(suite, name) for suite, words in WORDS.items() for name in words]
every_suite = pytest.mark.parametrize("suite", WORDS)
every_kind = pytest.mark.parametrize(("suite", "name"), EVERY)
SEEDS = range(12)


def _phrases(words: Words) -> tuple[str, ...]:
    return (*words.heard.everything(), *words.held.everything())


@every_suite
def test_every_trained_template_has_words_in_one_of_the_tables(suite: str) -> None:
    trained = {t.name for t in load_suite(suite).templates.values() if not t.unseen}
    assert trained == set(WORDS[suite])
    first, second = TABLES[suite]
    assert not set(first) & set(second)


@every_kind
def test_a_phrase_says_each_value_once_and_single_spaces_between_words(
    suite: str, name: str
) -> None:
    params = load_suite(suite).templates[name].params
    for phrase in _phrases(WORDS[suite][name]):
        assert named(phrase) <= set(params), phrase
        assert all(phrase.count(f"{{{param}}}") <= 1 for param in params), phrase
        assert phrase == " ".join(phrase.split()), phrase


@every_kind
def test_a_request_fits_behind_please(suite: str, name: str) -> None:
    words = WORDS[suite][name]
    for phrase in (*words.heard.do, *words.held.do):
        assert phrase[0].islower(), phrase
        assert not phrase.endswith(("?", ".", "!")), phrase


@every_kind
def test_only_what_is_asked_has_a_question_mark(suite: str, name: str) -> None:
    words = WORDS[suite][name]
    for phrase in (*words.heard.bit, *words.held.bit):
        assert "?" not in phrase, phrase


@every_kind
def test_no_phrase_comes_twice(suite: str, name: str) -> None:
    phrases = _phrases(WORDS[suite][name])
    assert len(set(phrases)) == len(phrases)


@every_kind
@pytest.mark.parametrize("held", [False, True])
def test_values_keep_their_spelling_however_people_type(suite: str, name: str, held: bool) -> None:
    template = load_suite(suite).templates[name]
    for seed in SEEDS:
        values = template.sample(Draw("train", Random(seed)))
        goal = say(WORDS[suite][name], Random(seed), held=held).format(**values)
        for param, value in values.items():
            if template.params[param].open:
                assert str(value) in goal, (goal, value)


@every_suite
def test_seeds_give_the_same_words_again_and_others_give_others(suite: str) -> None:
    for words in WORDS[suite].values():
        said = [say(words, Random(seed)) for seed in SEEDS]
        assert said == [say(words, Random(seed)) for seed in SEEDS]
        assert len(set(said)) > 2


@every_suite
@pytest.mark.parametrize("split", ["train", "wide"])
def test_what_is_held_out_is_never_a_goal_of_training(suite: str, split: str) -> None:
    words = WORDS[suite]
    compared = 0
    for task in load_suite(suite).tasks(split):
        if task.template in words:
            held = words[task.template].held.everything()
            said = {normalise(phrase.format(**task.parameters)) for phrase in held}
            assert normalise(task.goal) not in said, task.id
            compared += 1
    assert compared > 300


@every_suite
def test_every_goal_of_worded_is_made_of_what_is_held_out(suite: str) -> None:
    """As far as it was typed without a mistake: a phrase that is held out stands in the goal."""
    found = 0
    tasks = load_suite(suite).tasks("worded")
    for task in tasks:
        goal = normalise(task.goal)
        heard = WORDS[suite][task.template].heard.everything()
        assert goal not in {normalise(p.format(**task.parameters)) for p in heard}, task.id
        held = WORDS[suite][task.template].held.everything()
        found += any(normalise(p.format(**task.parameters)) in goal for p in held)
    assert found > len(tasks) / 3


@every_suite
def test_fragments_and_questions_are_heard_beside_requests(suite: str) -> None:
    words = WORDS[suite].values()
    assert sum(bool(kind.heard.alone()) for kind in words) > len(words) / 2
    assert any(kind.heard.ask for kind in words)
    assert any(kind.held.ask for kind in words)
