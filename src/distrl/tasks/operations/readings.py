"""What can be read on the phone: values to carry elsewhere, and conditions to decide by."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import content, phone_time
from distrl.devices.phone.apps.people import number_of
from distrl.devices.phone.apps.weather import SKIES
from distrl.devices.phone.content.tables.reader import phrases
from distrl.devices.phone.control import Control
from distrl.tasks.operations.reading import TRUTH, Reading
from distrl.tasks.pools import closed
from distrl.tasks.template import Params

_LINES = phrases(
    """
    Bring the blue folder; Meet at platform six; Order two more chairs; Ask for the corner table
    Leave the keys at the desk; Take the early ferry; Wash the green curtains; Paint the back gate
    """
)
_TEXTS = phrases(
    """
    the red door on the left; call me after lunch; room nine on the second floor; next to the mill
    i will bring the ladder; half past ten is fine; two tickets are left; ask for mister Brandt
    """
)
_LINE, _TEXT = closed("written_line", *_LINES), closed("written_text", *_TEXTS)
_START = closed("start", *(phone_time.clock_text(m) for m in range(8 * 60, 21 * 60, 30)))
_SPOKEN_SKIES = {"sunny": "sun", "cloudy": "cloud", "raining": "rain", "snowing": "snow"}
_PARTS = {"in the morning": (8, 12), "in the afternoon": (13, 17), "in the evening": (18, 22)}
_FACTS = {fact.key: fact for fact in content.FACTS}


def _write_note(control: Control, line: str) -> None:
    control.write_root("apps", "notes", "notes", "target", "body", to=line)


def _write_chat(control: Control, text: str) -> None:
    """The last message of the chat, and the only one with these words, is the other's."""
    messages = control.state["apps"]["messages"]["chats"]["target"]["messages"]
    kept = {key: message for key, message in messages.items() if message["text"] not in _TEXTS}
    kept["newest"] = {"text": text, "mine": False}
    control.write_root("apps", "messages", "chats", "target", "messages", to=kept)


def _write_start(control: Control, minutes: int) -> None:
    control.write_root("apps", "calendar", "events", "target", "minutes", to=minutes)


class NumberOf(Reading):
    """The phone number of a contact."""

    name, look, page = "number", "contact_number", "contact"
    says = ("the number of {person}", "{person}'s phone number", "{person}'s number")

    def value(self, p: Params) -> str:
        """It depends on the name alone."""
        return number_of(p["person"])


class NoteText(Reading):
    """What a note says."""

    name, look, page = "note_text", "open_note", "note"
    says = ("what my note {title} says", "the text of my note {title}")
    extra = {"line": _LINE}

    def arrange(self, control: Control, p: Params, rng: Random) -> None:
        """The note says it."""
        _write_note(control, p["line"])

    def value(self, p: Params) -> str:
        """The line."""
        return str(p["line"])


class LastMessage(Reading):
    """What somebody wrote last."""

    name, look, page = "last_message", "open_chat", "chat"
    says = ("the last message from {person}", "what {person} wrote last")
    extra = {"text": _TEXT}

    def arguments(self, p: Params) -> dict[str, object]:
        """A chat is known by the name."""
        return {"name": p["person"]}

    def arrange(self, control: Control, p: Params, rng: Random) -> None:
        """It was written."""
        _write_chat(control, p["text"])

    def value(self, p: Params) -> str:
        """The message."""
        return str(p["text"])


class StartOf(Reading):
    """When an event begins."""

    name, look, page = "start", "open_event", "event"
    says = ("the time of {title}", "the time that {title} starts", "the starting time of {title}")
    extra = {"start": _START}

    def arrange(self, control: Control, p: Params, rng: Random) -> None:
        """It begins then."""
        _write_start(control, 60 * 8 + 30 * _START.values.index(p["start"]))

    def value(self, p: Params) -> str:
        """The time, as the phone shows it."""
        return str(p["start"])


class Fact(Reading):
    """What the web knows."""

    name, look, page = "fact", "search_fact", "results"
    says = ("the answer to {fact} on the web", "what the web says about {fact}")

    def arguments(self, p: Params) -> dict[str, object]:
        """The page of the results."""
        return {"query": p["fact"]}

    def value(self, p: Params) -> str:
        """The answer, as the page shows it."""
        return _FACTS[p["fact"]].answer


class Sky(Reading):
    """Whether the weather of a city is of a kind."""

    name, look, page = "sky", "city_weather", "city"
    says = ("it is {sky} in {city}", "it's {sky} in {city}", "it is {sky} in {city} right now")
    extra = {"sky": closed("spoken_sky", *_SPOKEN_SKIES), "truth": TRUTH}

    def arrange(self, control: Control, p: Params, rng: Random) -> None:
        """It is, or it is something else."""
        asked = _SPOKEN_SKIES[p["sky"]]
        sky = asked if self.holds(p) else rng.choice([s for s in SKIES if s != asked])
        control.write_root("apps", "weather", "cities", "target", "sky", to=sky)


class NoteSays(Reading):
    """Whether a note says something."""

    name, look, page = "note_says", "open_note", "note"
    says = ('my note {title} says "{line}"', 'it says "{line}" in my note {title}')
    extra = {"line": _LINE, "truth": TRUTH}

    def arrange(self, control: Control, p: Params, rng: Random) -> None:
        """It does, or it says something else."""
        others = [line for line in _LINES if line != p["line"]]
        _write_note(control, p["line"] if self.holds(p) else rng.choice(others))


class HasWritten(Reading):
    """Whether somebody's last message is this one."""

    name, look, page = "has_written", "open_chat", "chat"
    says = (
        'the last message from {person} is "{text}"',
        'the last that {person} wrote is "{text}"',
    )
    extra = {"text": _TEXT, "truth": TRUTH}

    def arguments(self, p: Params) -> dict[str, object]:
        """A chat is known by the name."""
        return {"name": p["person"]}

    def arrange(self, control: Control, p: Params, rng: Random) -> None:
        """It is, or it is something else."""
        others = [text for text in _TEXTS if text != p["text"]]
        _write_chat(control, p["text"] if self.holds(p) else rng.choice(others))


class Begins(Reading):
    """Whether an event begins in some part of the day."""

    name, look, page = "begins", "open_event", "event"
    says = ("{title} starts {part}", "{title} is {part}")
    extra = {"part": closed("part_of_day", *_PARTS), "truth": TRUTH}

    def arrange(self, control: Control, p: Params, rng: Random) -> None:
        """It does, or it begins in another part."""
        others = [part for part in _PARTS if part != p["part"]]
        first, last = _PARTS[p["part"] if self.holds(p) else rng.choice(others)]
        _write_start(control, rng.randrange(60 * first, 60 * last, 30))


VALUES: tuple[Reading, ...] = (NumberOf(), NoteText(), LastMessage(), StartOf(), Fact())
CONDITIONS: tuple[Reading, ...] = (Sky(), NoteSays(), HasWritten(), Begins())
