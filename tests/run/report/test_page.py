import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from tests.run.report.stories import AFTER, BEFORE, episode_of, report_of, story_of

from distrl import actions
from distrl.config.load import check
from distrl.run.report import Comparison, Totals
from distrl.run.report.curve import History, Point
from distrl.run.report.page import make_page

HISTORY = History(
    training={"general": [Point(0, 0, 0.4), Point(1, 100, 0.5)]},
    evaluations={},
    gauges={"learn/effective": 0.2, "learn/entropy": 1.0, "collect/utilisation": 0.7},
)
EMPTY = History(training={}, evaluations={}, gauges={})
VOID = {"meta", "br", "img", "source", "image", "circle", "line", "path"}


@pytest.fixture(autouse=True)
def quick_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """The curves have tests of their own."""
    monkeypatch.setattr("distrl.run.report.page.draw_one", lambda *_, **__: b"a picture")


class Reader(HTMLParser):
    """Collects tags and text, and insists that every tag is closed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text.append(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def section(html: str, title: str) -> str:
    (found,) = re.findall(rf"<section><h2>{title}</h2>(.*?)</section>", html, re.DOTALL)
    return str(found)


def words(html: str) -> str:
    return " ".join(" ".join(read(html).text).split())


def test_the_page_is_whole_and_tells_everything() -> None:
    reader = read(make_page(story_of(), HISTORY))
    text = " ".join(reader.text)
    for told in (
        *("quickstart", "0.42 → 0.75", "95 %: 0.47 - 0.91", "6:30", "8,000", "120 steps/s"),
        *("Before and after", "general/test", "+33.3", "send_mail", "Set an alarm"),
        *("learner.replay_ratio", "distrl eval --policy runs/a", "false complete"),
    ):
        assert told in text


def test_nothing_is_fetched_from_anywhere() -> None:
    html = make_page(story_of(), HISTORY)
    for tag, attributes in read(html).tags:
        assert tag not in {"script", "link", "iframe", "object", "base", "form"}
        for name in ("src", "srcset", "href"):
            assert (attributes.get(name) or "data:").startswith("data:")
        assert not [name for name in attributes if name.startswith("on")]
    assert "default-src 'none'" in html
    assert "url(" not in html
    assert "@import" not in html


def test_it_follows_the_reader_s_light_or_dark_and_fits_a_phone() -> None:
    html = make_page(story_of(), HISTORY)
    assert html.count("prefers-color-scheme: dark") == 3  # the style, and one per curve
    assert 'name="viewport"' in html


def test_whatever_comes_from_outside_is_escaped() -> None:
    hostile = "<img src=x onerror=alert(1)>\"'&amp;"
    report = replace(report_of({hostile: "sf"}), faults=(hostile,))
    story = story_of(
        name=hostile,
        config=check({"init": hostile, "evaluate": {"split": hostile}}),
        comparisons=[Comparison(name=hostile, before=report, after=report)],
        totals=Totals(seconds=1, episodes=1, steps=1, updates=1, phases={hostile: 1.0}),
        best=[episode_of([actions.type_text(hostile)], goal=hostile, template=hostile)],
        worst=[],
        repeat=hostile,
    )
    reader = read(make_page(story, replace(HISTORY, training={})))
    assert not [tag for tag, attributes in reader.tags if "onerror" in attributes]
    text = " ".join(reader.text)
    # Title, headline, tables, films, settings and command: as it was given, never as markup.
    assert text.count(hostile) >= 11
    assert "<img src=x" not in make_page(story, EMPTY)


def test_health_tells_which_numbers_deserve_a_look() -> None:
    rows = section(make_page(story_of(), HISTORY), "What healthy looks like").split("<tr>")[2:]
    verdicts = {
        re.findall("<code>(.*?)</code>", row)[0]: re.findall('badge (?:good|bad)">(.*?)<', row)
        for row in rows
    }
    assert verdicts == {
        "learn/effective": ["look"],
        "learn/entropy": [],
        "collect/utilisation": [],
    }


def test_time_and_throughput_are_computed_from_the_totals() -> None:
    text = words(section(make_page(story_of(), HISTORY), "Time and throughput"))
    for told in (
        *("cloning 0:48", "training 6:30", "in all 7:18", "episodes per minute 1,230.8"),
        *("steps per second 120.0", "updates per second 4.00", "devices busy 70 %"),
    ):
        assert told in text


def test_settings_that_were_changed_are_told_first() -> None:
    config = check({"learner": {"batch": 3}, "policy": {"pixels": False}, "max_episodes": 9})
    html = section(make_page(story_of(config=config), EMPTY), "Configuration")
    changed, _, everything = html.partition("<details")
    assert re.findall("<code>(.*?)</code>", changed) == [
        *("max_episodes", "policy.pixels", "learner.batch")
    ]
    assert "false" in changed
    assert "algorithm.rho_max" in everything
    default = section(make_page(story_of(), EMPTY), "Configuration")
    assert "All settings are the defaults" in default


@pytest.mark.parametrize("before", [BEFORE, None], ids=["with a start", "without"])
def test_a_bar_is_drawn_for_each_end_that_is_known(before: object) -> None:
    story = story_of(comparisons=[Comparison(name="a", before=before, after=AFTER)])  # type: ignore[arg-type]
    html = section(make_page(story, EMPTY), "Before and after")
    assert html.count("<circle") == (2 if before else 1)
    assert 'class="new" cx="73.0"' in html  # 0.75 of the way from 4 to 96


def test_a_run_that_did_nothing_still_gets_a_page() -> None:
    totals = Totals(seconds=0, episodes=0, steps=0, updates=0)
    nothing = report_of({"a": ""})
    for comparisons in ([], [Comparison(name="general/test", before=nothing, after=nothing)]):
        html = make_page(
            story_of(comparisons=comparisons, totals=totals, best=[], worst=[], repeat=""), EMPTY
        )
        text = words(html)
        assert "0 episodes" in text
        assert "Best episodes" not in text
        assert "nan" not in text.lower().split()
