"""The phone as an environment of TRL's GRPOTrainer.

    from distrl.integrations.trl import PhoneEnvironment, phone_dataset

    GRPOTrainer(..., train_dataset=phone_dataset(tasks=64), environment_factory=PhoneEnvironment)

The trainer makes a tool of every action, gives each rollout a phone of its own, and asks it for the
reward at the end. examples/trl_phone.py is the whole script.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PIL import Image

from distrl.checks import require_whole
from distrl.errors import ConfigError
from distrl.integrations.phone_tools import PhoneTools, told
from distrl.integrations.play_session import PlaySession, TaskBook, Turn
from distrl.policies.text_actions import WARNING

if TYPE_CHECKING:
    from datasets import Dataset

PROMPT = (
    "You operate a phone to reach a goal. Each call of a tool is one step and shows the screen "
    f"after it. Call complete when the goal is reached. {WARNING}\n\n"
)


class PhoneEnvironment(PhoneTools):
    """One phone. Its public methods, but for `reset` and `get_reward`, are the model's tools."""

    def __init__(
        self, suite: str = "general", split: str = "train", *, pictures: bool = False
    ) -> None:
        """Play tasks of a suite; with `pictures`, tools answer with the screen as well.

        Pictures are for models that see. A factory with other arguments than the defaults is
        `functools.partial(PhoneEnvironment, pictures=True)`.
        """
        super().__init__(PlaySession(TaskBook(suite, split), name="trl"))
        self._pictures = pictures

    def reset(self, task: str | None = None, seed: int | None = None, **row: Any) -> str:
        """Begin the task of a row of the data set, and tell what the phone shows.

        The rollouts of a group are compared with one another, so their row has to name the `task`
        or the `seed`. Other columns are ignored.
        """
        del row
        book = self._session.book
        chosen = book.drawn(seed) if task is None else book.named(task)
        return told(self._session.reset(chosen))

    def get_reward(self) -> float:
        """1 for a rollout that has reached its goal and said so, 0 for any other."""
        return self._session.turn.reward

    def _told(self, turn: Turn) -> Any:
        text = told(turn)
        if not self._pictures:
            return text
        image = Image.fromarray(turn.seen.screen)
        return [{"type": "image", "image": image}, {"type": "text", "text": text}]


def phone_dataset(suite: str = "general", split: str = "train", *, tasks: int = 64) -> Dataset:
    """A row for each of the first tasks of a split: a prompt, and the task's name for `reset`."""
    require_whole("tasks", tasks, low=1)
    try:
        from datasets import Dataset
    except ModuleNotFoundError as cause:
        raise ConfigError("this needs pip install 'distrl[trl]' (datasets is missing)") from cause
    book = TaskBook(suite, split)
    named = [task.id for task in book.suite.tasks(split)[:tasks]]
    prompts = [[{"role": "user", "content": PROMPT}] for _ in named]
    return Dataset.from_dict({"prompt": prompts, "task": named})
