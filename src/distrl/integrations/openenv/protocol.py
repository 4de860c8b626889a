"""What travels between an OpenEnv client and this server.

    client                                          server
    {"type": "reset", "data": {"seed": 7}}          {"type": "observation", "data": {...}}
    {"type": "step", "data": {"action": "tap(3)"}}  {"type": "observation", "data": {...}}
    {"type": "state"}                               {"type": "state", "data": {...}}
    {"type": "close"}                               (the connection ends, and its session)
    anything else                                   {"type": "error", "data": {"code": ...}}

Those are OpenEnv's own. These are added; the ones above can do the same, for clients that know no
others (`snapshot` in a reset or step, `restore` in a reset):

    {"type": "snapshot"}                            {"type": "snapshot", "data": {"snapshot": ID}}
    {"type": "restore", "data": {"snapshot": ID}}   {"type": "observation", "data": {...}}
    {"type": "fork"}                                {"type": "fork", "data": {"session_id": ID}}

Over HTTP each type is a path, and its data is the body, with a `session_id` that the answer to
/reset has in its metadata.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec
from pydantic import BaseModel, ConfigDict, Field

from distrl.checks import LARGEST_SEED
from distrl.errors import DistrlError
from distrl.integrations.messages import ActionMessage, ElementMessage, screen_base64
from distrl.integrations.play_session import Turn
from distrl.types import Outcome

MOST_BYTES = 1 << 20
"""Of a message of a client."""


class Code(StrEnum):
    """Why a message was not carried out, in OpenEnv's words."""

    INVALID_JSON = "INVALID_JSON"
    UNKNOWN_TYPE = "UNKNOWN_TYPE"
    VALIDATION_ERROR = "VALIDATION_ERROR"
    EXECUTION_ERROR = "EXECUTION_ERROR"
    CAPACITY_REACHED = "CAPACITY_REACHED"
    SESSION_ERROR = "SESSION_ERROR"


STATUS: Mapping[Code, int] = {
    Code.INVALID_JSON: 400,
    Code.UNKNOWN_TYPE: 404,
    Code.VALIDATION_ERROR: 422,
    Code.EXECUTION_ERROR: 409,
    Code.CAPACITY_REACHED: 503,
    Code.SESSION_ERROR: 404,
}
"""The same over HTTP."""


class MessageError(DistrlError):
    """A message that was not carried out."""

    def __init__(self, code: Code, message: str) -> None:
        """Say why."""
        super().__init__(message)
        self.code, self.message = code, message

    def answer(self) -> dict[str, Any]:
        """What the client is told."""
        return {"type": "error", "data": {"message": self.message, "code": self.code}}


class ResetData(BaseModel):
    """How an episode begins: with a task, with the task of a seed, or from a snapshot."""

    model_config = ConfigDict(extra="forbid")

    task: str | None = Field(None, max_length=400, description="Such as general/val/0.")
    seed: int | None = Field(
        None, ge=0, le=LARGEST_SEED, description="Draws a task; the same seed, the same task."
    )
    split: str | None = Field(None, max_length=100, description="To draw from.")
    restore: str | None = Field(
        None, max_length=100, description="Go on from this snapshot instead."
    )
    episode_id: str | None = Field(None, max_length=255)
    screen: bool | None = Field(None, description="Whether to send the screen as a PNG.")
    snapshot: bool = Field(False, description="Whether to take a snapshot afterwards.")


class StepData(ActionMessage):
    """An action, and what to tell of what it led to."""

    screen: bool | None = Field(None, description="Whether to send the screen as a PNG.")
    snapshot: bool = Field(False, description="Whether to take a snapshot afterwards.")
    metadata: dict[str, Any] = Field(default_factory=dict, description="Ignored.")


class RestoreData(BaseModel):
    """Which snapshot to go on from."""

    model_config = ConfigDict(extra="forbid")

    snapshot: str = Field(max_length=100)
    screen: bool | None = None


class NoData(BaseModel):
    """Nothing."""

    model_config = ConfigDict(extra="forbid")


class ObservationData(BaseModel):
    """What the device shows, and how the episode stands."""

    task: str
    goal: str
    app: str
    keyboard: bool
    elements: list[ElementMessage] | None = Field(
        description="What is on the screen; null where the device has no accessibility tree."
    )
    screen: str | None = Field(description="PNG in base64; null unless it was asked for.")
    steps_left: int
    refused: str = Field(description="Why the last action had no effect; empty if it had.")
    outcome: Outcome | None = Field(description="How the episode ended.")
    success: bool | None = Field(description="The verdict, at the end.")
    judge: str = Field(description="Whose verdict it is.")
    side_effects: list[str] = Field(
        description="Lasting changes that the task did not allow, at the end."
    )
    fault: str = Field(description="What went wrong outside of the episode, if something did.")
    snapshot: str | None = Field(description="Id of the snapshot, if one was asked for.")


class StateData(BaseModel):
    """How a session stands."""

    session_id: str
    episode_id: str | None
    step_count: int
    task: str | None
    steps_left: int
    done: bool
    snapshots: list[str] = Field(description="Ids that can be restored, oldest first.")


def observation_data(turn: Turn, *, screen: bool, snapshot: str | None) -> dict[str, Any]:
    """A turn as OpenEnv's clients expect it."""
    seen, verdict = turn.seen, turn.verdict
    observation = {
        "task": turn.task.id,
        "goal": turn.task.goal,
        "app": seen.app,
        "keyboard": seen.keyboard,
        # As they are: msgspec writes dataclasses by their fields, which ElementMessage has.
        "elements": seen.elements,
        "screen": screen_base64(seen) if screen else None,
        "steps_left": turn.steps_left,
        "refused": turn.refused,
        "outcome": turn.outcome,
        "success": None if verdict is None else verdict.success,
        "judge": "" if verdict is None else verdict.judge,
        "side_effects": turn.side_effects,
        "fault": turn.fault,
        "snapshot": snapshot,
    }
    return {"observation": observation, "reward": turn.reward, "done": turn.done}


def schemas() -> dict[str, Any]:
    """The JSON schemas of actions, observations and states."""
    return {
        "action": StepData.model_json_schema(),
        "observation": ObservationData.model_json_schema(),
        "state": StateData.model_json_schema(),
    }


def decoded(raw: str | bytes) -> Any:
    """JSON that a client sent; MessageError for what is none."""
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise MessageError(Code.INVALID_JSON, f"this is no JSON: {error}") from error


def encoded(answer: Any) -> bytes:
    """JSON for a client."""
    return msgspec.json.encode(answer)
