"""The phone as a taskset of Prime Intellect's verifiers, with pictures in its messages.

verifiers finds a taskset by the name of a module without dots, so give it one of your own:

    # phone.py
    from distrl.integrations.verifiers import PhoneEnv, PhoneTaskset
    __all__ = ["PhoneEnv", "PhoneTaskset"]

The phone plays the user: it shows the screen, the model answers with one action in text, and the
phone shows what came of it, until the episode ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf

from distrl.integrations.messages import screen_base64
from distrl.integrations.phone_tools import told
from distrl.integrations.play_session import PlaySession, TaskBook, Turn
from distrl.policies.text_actions import system_prompt

__all__ = ["PhoneConfig", "PhoneData", "PhoneEnv", "PhoneEnvConfig", "PhoneTask", "PhoneTaskset"]


class PhoneConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Which tasks are played, and what the model sees of the phone."""

    suite: str = "general"
    split: str = "train"
    pictures: bool = False
    """Whether messages have the screen, for models that see."""


class PhoneData(vf.TaskData):  # type: ignore[misc]
    """One task."""

    suite: str
    task: str
    """Its name, such as general/val/0."""
    pictures: bool


class PhoneTask(vf.Task[PhoneData]):  # type: ignore[misc]
    """One task, which the phone itself judges."""


class PhoneTaskset(vf.Taskset[PhoneTask, PhoneConfig]):  # type: ignore[misc]
    """The tasks of a split of a suite."""

    def load(self) -> Iterator[PhoneTask]:
        """All of them, in their fixed order."""
        config = self.config
        book = TaskBook(config.suite, config.split)
        for task in book.suite.tasks(config.split):
            data = PhoneData(
                name=task.id,
                prompt=None,
                system_prompt=system_prompt(),
                suite=config.suite,
                task=task.id,
                pictures=config.pictures,
            )
            yield PhoneTask(data, config.task)


class PhoneEnvConfig(vf.EnvConfig):  # type: ignore[misc]
    """Who plays."""

    player: vf.AgentConfig = vf.AgentConfig()


class PhoneEnv(vf.Env[PhoneEnvConfig]):  # type: ignore[misc]
    """A phone for every episode. The reward is 1 for a goal that is reached and declared."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play one task; the reward and the verdict go to the player's trace."""
        data = task.data
        session = PlaySession(TaskBook(data.suite), name="verifiers")
        try:
            # In a thread: setting a task up takes long enough to hold other episodes up.
            turn = await asyncio.to_thread(session.reset, session.book.named(data.task))
            async with agents.player.interaction(task) as interaction:
                segment = await interaction.turn(shown(turn, pictures=data.pictures))
                while not segment.terminated:
                    turn = await asyncio.to_thread(session.write, segment.last_reply)
                    if turn.done:
                        break
                    segment = await interaction.turn(shown(turn, pictures=data.pictures))
        finally:
            session.close()
        trace = interaction.trace
        trace.record_reward("phone_reward", turn.reward)
        trace.info["phone_outcome"] = "unfinished" if turn.outcome is None else turn.outcome.value
        trace.info["phone_side_effects"] = list(turn.side_effects)


def shown(turn: Turn, *, pictures: bool) -> list[Any]:
    """A turn as a message of the user."""
    parts: list[Any] = [vf.TextContentPart(text=told(turn))]
    if pictures:
        url = f"data:image/png;base64,{screen_base64(turn.seen)}"
        parts.append(vf.ImageUrlContentPart(image_url=vf.ImageUrlSource(url=url)))
    return [vf.UserMessage(content=parts)]
