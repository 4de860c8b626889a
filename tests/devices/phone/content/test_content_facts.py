"""Facts can be asked, looked up and checked."""

from collections import Counter

import pytest

from distrl.devices.phone.content import FACTS, QUERIES

BY_KEY = {fact.key: fact for fact in FACTS}


def test_a_question_never_gives_its_answer_away() -> None:
    given = [f for f in FACTS if f.answer.lower() in f"{f.question} {f.key}".lower()]
    assert given == []


def test_a_snippet_is_one_sentence_with_the_answer() -> None:
    for fact in FACTS:
        assert fact.answer in fact.snippet
        assert fact.snippet.endswith(".")
        assert fact.snippet[0].isupper() or fact.snippet[0].isdigit()
        assert ". " not in fact.snippet


def test_questions_are_questions_and_answers_are_short() -> None:
    for fact in FACTS:
        assert fact.question[0].isupper()
        assert fact.question.endswith("?")
        assert 1 <= len(fact.answer.split()) <= 4


def test_every_topic_is_covered() -> None:
    topics = Counter(fact.topic for fact in FACTS)
    assert set(topics) == {"capital", "animal", "geography", "science", "history", "units"}
    assert topics["capital"] >= 80
    assert min(topics.values()) >= 20


def test_answers_rarely_coincide() -> None:
    answers = Counter(fact.answer for fact in FACTS)
    assert sum(times - 1 for times in answers.values()) <= 10


def test_no_key_hides_in_another_or_is_a_general_query() -> None:
    keys = [key.lower() for key in BY_KEY]
    assert [(a, b) for a in keys for b in keys if a != b and a in b] == []
    assert set(keys).isdisjoint(query.lower() for query in QUERIES)


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("capital of Peru", "Lima"),
        ("capital of Australia", "Canberra"),
        ("height of Mount Elbrus", "5,642 m"),
        ("atomic number of gold", "79"),
        ("year of the first Moon landing", "1969"),
        ("feet in a mile", "5,280"),
        ("fastest land animal", "cheetah"),
        ("bones in an adult human", "206"),
    ],
)
def test_known_facts_are_found_by_key(key: str, answer: str) -> None:
    assert BY_KEY[key].answer == answer
