"""Make a judge from its name."""

from __future__ import annotations

import threading
from collections.abc import Callable

from distrl.config.judges import VOTE, judge_parts
from distrl.devices.phone.device import PhoneSettings
from distrl.interfaces import Judge
from distrl.services import ChatClient
from distrl.tasks.judges.cache import VerdictCache
from distrl.tasks.judges.ocr import OcrJudge
from distrl.tasks.judges.state import StateJudge
from distrl.tasks.judges.vlm import VlmJudge
from distrl.tasks.judges.vote import VoteJudge
from distrl.types import Episode, Verdict


class OneAtATime:
    """Serialises calls to a judge that is not thread-safe."""

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
    name: str,
    *,
    phone: PhoneSettings | None,
    client: Callable[[], ChatClient],
    cache: VerdictCache | None = None,
    human: Callable[[], Judge] | None = None,
) -> Judge:
    """The judge of a name, which any thread may ask; ConfigError for what is none.

    `phone` are the phones that the episodes come from. `client` is called only if a model is asked,
    whose verdicts are kept in the `cache`. `human` is whoever sits at the terminal, if anybody.
    """
    makers: dict[str, Callable[[], Judge]] = {
        "ocr": lambda: OneAtATime(OcrJudge()),
        "state": lambda: OneAtATime(StateJudge(phone)),
        "vlm": lambda: VlmJudge.at(client(), cache=cache),
    }
    if human is not None:
        makers["human"] = human
    judges = [makers[part]() for part in judge_parts(name, known=tuple(makers))]
    return VoteJudge(judges) if name.startswith(VOTE) else judges[0]
