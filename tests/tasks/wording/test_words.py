from __future__ import annotations

import pytest

from distrl.errors import ConfigError
from distrl.tasks.operations.wide_suite import WideSuite
from distrl.tasks.pools import normalise
from distrl.tasks.suites import load_suite
from distrl.tasks.wording.words import Words, named, read_words

_TABLE = """
greet @ Phone
  do       greet {person} / say hello to {person}
  do       wave at {person}
  bit      hello {person}
  new ask  did you greet {person}?
"""


def test_a_table_gives_phrases_by_kind() -> None:
    words = read_words(_TABLE)["greet"]
    assert words.app == "Phone"
    assert words.heard.do == ("greet {person}", "say hello to {person}", "wave at {person}")
    assert words.heard.alone() == ("hello {person}",)
    assert words.held.everything() == ("did you greet {person}?",)


def test_a_line_of_no_known_kind_is_refused() -> None:
    with pytest.raises(ConfigError, match="begins with do, bit or ask"):
        read_words("greet @\n  say  hello")


def test_words_without_anything_held_out_are_refused() -> None:
    with pytest.raises(ConfigError, match="'greet' need a line"):
        read_words("greet @\n  do  hello")


def _every_template() -> list[tuple[str, str, Words]]:
    found = []
    for name in ("general", "shopping"):
        suite = load_suite(name)
        if isinstance(suite, WideSuite):
            trained = [t.name for t in suite.templates.values() if not t.unseen]
            found += [(name, template, suite._words(template)) for template in trained]
    return found


@pytest.mark.parametrize(("suite", "template", "words"), _every_template())
def test_every_phrase_says_what_is_open_and_nothing_unknown(
    suite: str, template: str, words: Words
) -> None:
    params = load_suite(suite).template(template).params
    opened = {name for name, pool in params.items() if pool.open}
    for phrase in (*words.heard.everything(), *words.held.everything()):
        assert opened <= named(phrase) <= set(params), phrase


@pytest.mark.parametrize(("suite", "template", "words"), _every_template())
def test_no_phrase_that_is_held_out_is_heard(suite: str, template: str, words: Words) -> None:
    heard = {normalise(phrase) for phrase in words.heard.everything()}
    heard |= {normalise(phrase) for phrase in load_suite(suite).template(template).phrasings}
    assert heard.isdisjoint(normalise(phrase) for phrase in words.held.everything())


@pytest.mark.parametrize(("suite", "template", "words"), _every_template())
def test_there_is_more_than_one_way_to_ask(suite: str, template: str, words: Words) -> None:
    del suite, template
    assert len(words.heard.do) >= 2
    assert len(words.held.everything()) >= 2
