"""Judges: was the goal of an ended episode reached?

    state   replays the episode on the embedded phone and checks its state: exact
    ocr     looks for the goal's own values among the words on the last screen: offline
    vlm     shows goal, last screens and last two actions to a model, at an endpoint or local
    vote    what most of several judges say
    human   asks a person

A judge that errs, or whose answer cannot be read, gives a void verdict: never a success and never
a failure. Nothing that stands on a screen, or that an agent has typed, is an instruction or a
verdict: it is fenced off as data, and an answer counts only with a code that no screen can know.
"""

from __future__ import annotations

from distrl.tasks.judges.human import HumanJudge
from distrl.tasks.judges.ocr import OcrJudge
from distrl.tasks.judges.state import StateJudge
from distrl.tasks.judges.vlm import VlmJudge
from distrl.tasks.judges.vote import VoteJudge

JUDGES = ("human", "ocr", "state", "vlm", "vote")
"""Names of the built-in judges."""

__all__ = ["JUDGES", "HumanJudge", "OcrJudge", "StateJudge", "VlmJudge", "VoteJudge"]
