"""From the name of a judge to the judge, for whoever has nobody at the terminal."""

from __future__ import annotations

import threading
from collections.abc import Callable

from distrl.config.judges import VOTE, judge_parts
from distrl.devices.phone.device import PhoneSettings
from distrl.interfaces import Judge
from distrl.services import ChatClient
from distrl.tasks.judges.ocr import OcrJudge
from distrl.tasks.judges.state import StateJudge
from distrl.tasks.judges.vlm import VlmJudge
from distrl.tasks.judges.vote import VoteJudge
from distrl.types import Episode, Verdict


class OneAtATime:
    """A judge for many threads, of which it hears one after the other."""

    def __init__(self, judge: Judge) -> None:
        """Wrap a judge that is made for one thread."""
        self._judge = judge
        self._turn = threading.Lock()

    @property
    def name(self) -> str:
        """What its verdicts are filed under."""
        return self._judge.name

    def judge(self, episode: Episode) -> Verdict:
        """The judge's verdict, when its turn comes."""
        with self._turn:
            return self._judge.judge(episode)


def make_judge(
    name: str, *, phone: PhoneSettings | None, client: Callable[[], ChatClient]
) -> Judge:
    """The judge of a name, which any thread may ask; ConfigError for what is none.

    `phone` are the phones that the episodes come from. `client` is called only if a model is asked.
    """
    judges = [_make(part, phone, client) for part in judge_parts(name)]
    return VoteJudge(judges) if name.startswith(VOTE) else judges[0]


def _make(part: str, phone: PhoneSettings | None, client: Callable[[], ChatClient]) -> Judge:
    match part:
        case "state":
            return OneAtATime(StateJudge(phone))
        case "ocr":
            return OneAtATime(OcrJudge())
        case _:
            return VlmJudge.at(client())
