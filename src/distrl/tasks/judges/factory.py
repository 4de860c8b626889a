"""Make a judge from its name."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from distrl.config.devices import PhoneConfig
from distrl.config.judges import HUMAN, JUDGE_PARTS, VOTE, judge_parts
from distrl.interfaces import Judge
from distrl.plugins import Part, Registry
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


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeContext:
    """What a judge may work with."""

    phone: PhoneConfig | None = None
    """How the embedded phones are made that the episodes come from; None for the defaults."""
    client: Callable[[], ChatClient]
    """Opens the model endpoint of the settings; called only by judges that ask a model."""
    cache: VerdictCache | None = None
    """Verdicts of the model by content, if they are kept."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """`judge.options`, which only judges of plug-ins read."""


def make_ocr(context: JudgeContext) -> Judge:
    """Reads the last screens."""
    del context
    return OneAtATime(OcrJudge())


def make_state(context: JudgeContext) -> Judge:
    """Plays the episode again and asks the state check."""
    return OneAtATime(StateJudge(context.phone))


def make_vlm(context: JudgeContext) -> Judge:
    """Asks a model about the last screens."""
    return VlmJudge.at(context.client(), cache=context.cache)


JUDGES = Registry(
    Part.JUDGE,
    {name: f"{__name__}:make_{name}" for name in JUDGE_PARTS},
    Judge,
)


def make_judge(
    name: str, context: JudgeContext, *, human: Callable[[], Judge] | None = None
) -> Judge:
    """The judge of a name, which any thread may ask; ConfigError for what is none.

    `human` makes the judge who sits at the terminal, if anybody does.
    """
    built_in = JUDGE_PARTS if human is None else (*JUDGE_PARTS, HUMAN)
    judges = [
        human() if part == HUMAN and human is not None else JUDGES.make(part, context)
        for part in judge_parts(name, built_in=built_in)
    ]
    return VoteJudge(judges) if name.startswith(VOTE) else judges[0]
