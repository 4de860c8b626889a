"""True facts a web search can answer: one template per group, one table of subjects each."""

from collections.abc import Iterator
from dataclasses import dataclass

from distrl.devices.phone.content.tables import facts as tables
from distrl.devices.phone.content.tables.reader import records


@dataclass(frozen=True, slots=True)
class Fact:
    """A question with one short answer."""

    key: str
    """Short subject as one would type it: "capital of Peru"."""
    question: str
    answer: str
    topic: str
    snippet: str
    """One sentence that contains the answer."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Facts that are phrased alike; `{x}` is the subject and `{a}` the answer."""

    topic: str
    key: str
    question: str
    snippet: str
    table: str

    def facts(self) -> Iterator[Fact]:
        for x, a in records(self.table):
            snippet = self.snippet.format(x=x, a=a)
            yield Fact(
                self.key.format(x=x),
                self.question.format(x=x),
                a,
                self.topic,
                snippet[0].upper() + snippet[1:],
            )


def _counted(topic: str, table: str) -> Iterator[Fact]:
    """Facts whose key is "parts in a whole", such as feet in a mile."""
    for key, answer in records(table):
        part, whole = key.split(" in ")
        question = f"How many {part} are there in {whole}?"
        yield Fact(key, question, answer, topic, f"There are {answer} {part} in {whole}.")


_GROUPS = (
    _Group(
        "capital",
        "capital of {x}",
        "Which city is the capital of {x}?",
        "{a} is the capital city of {x}.",
        tables.CAPITALS,
    ),
    _Group(
        "animal",
        "{x}",
        "What is the {x}?",
        "The {x} is the {a}.",
        tables.ANIMAL_RECORDS,
    ),
    _Group(
        "animal",
        "top speed of {x}",
        "How fast can {x} go?",
        "The top speed of {x} is about {a}.",
        tables.ANIMAL_SPEEDS,
    ),
    _Group(
        "animal",
        "size of {x}",
        "How big is {x} when fully grown?",
        "When fully grown, {x} can measure up to {a}.",
        tables.ANIMAL_SIZES,
    ),
    _Group(
        "animal",
        "lifespan of {x}",
        "How long can {x} live?",
        "{x} can live for {a}.",
        tables.ANIMAL_LIFESPANS,
    ),
    _Group(
        "geography",
        "{x}",
        "What is the {x}?",
        "{a} is the {x}.",
        tables.GEOGRAPHY_RECORDS,
    ),
    _Group(
        "geography",
        "{x}",
        "What is the {x}?",
        "The {a} is the {x}.",
        tables.GEOGRAPHY_RECORDS_WITH_ARTICLE,
    ),
    _Group(
        "geography",
        "height of {x}",
        "How high is {x}?",
        "{x} rises to {a} above sea level.",
        tables.MOUNTAIN_HEIGHTS,
    ),
    _Group(
        "geography",
        "length of the {x}",
        "How long is the {x}?",
        "The {x} is about {a} long.",
        tables.RIVER_LENGTHS,
    ),
    _Group(
        "science",
        "atomic number of {x}",
        "What is the atomic number of {x}?",
        "{x} has atomic number {a}.",
        tables.ATOMIC_NUMBERS,
    ),
    _Group(
        "science",
        "boiling point of {x}",
        "At what temperature does {x} boil?",
        "At normal pressure {x} boils at about {a}.",
        tables.BOILING_POINTS,
    ),
    _Group(
        "science",
        "melting point of {x}",
        "At what temperature does {x} melt?",
        "At normal pressure {x} melts at about {a}.",
        tables.MELTING_POINTS,
    ),
    _Group(
        "science",
        "distance of {x} from the Sun",
        "How far is {x} from the Sun?",
        "On average {x} is about {a} away from the Sun.",
        tables.SUN_DISTANCES,
    ),
    _Group(
        "science",
        "{x}",
        "What is the {x}?",
        "The {x} is about {a}.",
        tables.SCIENCE_VALUES,
    ),
    _Group(
        "history",
        "year of {x}",
        "In which year was {x}?",
        "{x} was in the year {a}.",
        tables.HISTORY_YEARS,
    ),
)

FACTS = (
    *(fact for group in _GROUPS for fact in group.facts()),
    *_counted("science", tables.BODY_COUNTS),
    *_counted("units", tables.UNITS),
)
