"""Carries out one message of a client: the same over WebSocket and over HTTP."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from distrl.errors import ActionError, ConfigError, DeviceError, TaskError
from distrl.integrations.messages import read_action, why_refused
from distrl.integrations.openenv.protocol import (
    Code,
    MessageError,
    NoData,
    ResetData,
    RestoreData,
    StateData,
    StepData,
    observation_data,
)
from distrl.integrations.openenv.sessions import Held, Sessions
from distrl.integrations.play_session import TaskBook, Turn
from distrl.types import Task

_Data = TypeVar("_Data", bound=BaseModel)


class Exchange:
    """Answers messages."""

    def __init__(self, sessions: Sessions, book: TaskBook, *, screens: bool) -> None:
        """`screens` says whether pictures are sent where a message does not say it."""
        self.sessions, self.book, self._screens = sessions, book, screens
        self._types: Mapping[str, Callable[[Held, Any], dict[str, Any]]] = {
            "reset": self._reset,
            "step": self._step,
            "state": self._state,
            "snapshot": self._snapshot,
            "restore": self._restore,
            "fork": self._fork,
        }

    @property
    def types(self) -> tuple[str, ...]:
        """Types of messages that are carried out."""
        return tuple(self._types)

    def answer(self, held: Held, kind: object, data: object) -> dict[str, Any]:
        """Carry out one message; MessageError for everything that a client can get wrong."""
        act = self._types.get(kind) if isinstance(kind, str) else None
        if act is None:
            raise MessageError(
                Code.UNKNOWN_TYPE,
                f"unknown message type {str(kind)[:80]!r} (allowed: {', '.join(self._types)}, "
                "close)",
            )
        try:
            return act(held, {} if data is None else data)
        except ValidationError as error:
            raise MessageError(Code.VALIDATION_ERROR, why_refused(error)) from error
        except (ActionError, ConfigError) as error:
            raise MessageError(Code.VALIDATION_ERROR, str(error)) from error
        except (TaskError, DeviceError) as error:
            raise MessageError(Code.EXECUTION_ERROR, str(error)) from error

    def _reset(self, held: Held, data: object) -> dict[str, Any]:
        asked = _checked(ResetData, data)
        if asked.restore is not None:
            turn = held.play.resume(self.sessions.snapshot(asked.restore))
        else:
            turn = held.play.reset(self._task(asked))
        held.episode_id, held.step_count = asked.episode_id or secrets.token_hex(8), 0
        return self._shown(held, turn, asked.screen, snapshot=asked.snapshot)

    def _task(self, asked: ResetData) -> Task:
        if asked.task is not None:
            return self.book.named(asked.task)
        return self.book.drawn(asked.seed, asked.split)

    def _step(self, held: Held, data: object) -> dict[str, Any]:
        asked = _checked(StepData, data)
        action, why_none = read_action(asked, held.play.turn.seen)
        turn = held.play.step(action, why_none=why_none)
        held.step_count += 1
        return self._shown(held, turn, asked.screen, snapshot=asked.snapshot)

    def _state(self, held: Held, data: object) -> dict[str, Any]:
        _checked(NoData, data)
        turn = held.play.turn if held.play.begun else None
        state = StateData(
            session_id=held.id,
            episode_id=held.episode_id,
            step_count=held.step_count,
            task=None if turn is None else turn.task.id,
            steps_left=0 if turn is None else turn.steps_left,
            done=turn is not None and turn.done,
            snapshots=list(held.snapshots),
        )
        return {"type": "state", "data": state.model_dump()}

    def _snapshot(self, held: Held, data: object) -> dict[str, Any]:
        _checked(NoData, data)
        name = self.sessions.keep(held, held.play.save())
        return {"type": "snapshot", "data": {"snapshot": name}}

    def _restore(self, held: Held, data: object) -> dict[str, Any]:
        asked = _checked(RestoreData, data)
        turn = held.play.resume(self.sessions.snapshot(asked.snapshot))
        return self._shown(held, turn, asked.screen, snapshot=False)

    def _fork(self, held: Held, data: object) -> dict[str, Any]:
        _checked(NoData, data)
        saved = held.play.save()
        twin = self.sessions.open()
        twin.play.resume(saved)
        twin.episode_id, twin.step_count = held.episode_id, held.step_count
        return {"type": "fork", "data": {"session_id": twin.id}}

    def _shown(
        self, held: Held, turn: Turn, screen: bool | None, *, snapshot: bool
    ) -> dict[str, Any]:
        name = self.sessions.keep(held, held.play.save()) if snapshot else None
        shown = observation_data(
            turn, screen=self._screens if screen is None else screen, snapshot=name
        )
        return {"type": "observation", "data": {**shown, "metadata": {"session_id": held.id}}}


def _checked(kind: type[_Data], data: object) -> _Data:
    return kind.model_validate(data)
