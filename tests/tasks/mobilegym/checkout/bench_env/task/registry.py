"""Tasks by their ids."""

from __future__ import annotations

from random import Random
from typing import Any


class Task:
    templates: list[str] = []  # noqa: RUF012 - declared as MobileGym's tasks are
    apps: list[str] = []  # noqa: RUF012
    difficulty = "L1"
    optimal_paths: list[list[Any]] = []  # noqa: RUF012
    criteria: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, _seed: int | None = None) -> None:
        self.params: dict[str, Any] = {"word": Random(_seed).choice(["milk", "bread", "salt"])}

    @property
    def name(self) -> str:
        return type(self).__name__

    @property
    def id(self) -> str:
        return f"{self.apps[0]}.{self.name}"

    @property
    def description(self) -> str:
        return self.templates[0].format(**self.params)

    async def setup(self, env: Any) -> Any:
        env.stopwatch.reset()
        with env.stopwatch.phase("reset"):
            await env.reset(app_ids=self.apps)
        if len(self.apps) > 1:
            await env.warm_apps(self.apps)
        else:
            await env.open_app(self.apps[0], wait_stable=True)
        await self.prepare(env)
        await env.get_state(required_apps=self.apps)
        return await env.get_observation()

    async def prepare(self, env: Any) -> None:
        """Nothing, for most tasks."""


class SwitchAlarm(Task):
    templates = ["Switch the alarm on"]  # noqa: RUF012
    apps = ["clock"]  # noqa: RUF012
    criteria = {"alarm": True}  # noqa: RUF012

    async def prepare(self, env: Any) -> None:
        await env.set_state({"apps": {"clock": {"alarm": False}}}, deep=True, reload=False)

    def reached(self, apps: Any, route: Any, answer: str | None) -> bool:
        return bool(apps["clock"]["alarm"])


class AddNote(Task):
    templates = ["Write the note {word}"]  # noqa: RUF012
    apps = ["notes"]  # noqa: RUF012
    difficulty = "L2"
    optimal_paths = [["add", {"id": "save"}]]  # noqa: RUF012

    def reached(self, apps: Any, route: Any, answer: str | None) -> bool:
        return self.params["word"] in apps["notes"]["items"] and route["app"] == "notes"


class CountNotes(Task):
    templates = ["How many notes are there?"]  # noqa: RUF012
    apps = ["notes", "clock"]  # noqa: RUF012

    async def prepare(self, env: Any) -> None:
        count = await env.page.evaluate(
            """async ({words}) => {
                await new Promise(done => setTimeout(done, 3000));
                words.forEach(word => window.__SIM_FS__.add(word));
                return words.length;
            }""",
            {"words": ["one", "two"]},
        )
        assert count == 2

    def reached(self, apps: Any, route: Any, answer: str | None) -> bool:
        return answer == str(len(apps["notes"]["items"]))


class Broken(Task):
    apps = ["notes"]  # noqa: RUF012
    templates = ["Nobody can set this up"]  # noqa: RUF012

    @property
    def description(self) -> str:
        raise ValueError("only when it is set up")

    async def prepare(self, env: Any) -> None:
        await env.page.evaluate("() => { throw new Error('no such folder'); }")


class JudgeFails(Task):
    apps = ["clock"]  # noqa: RUF012
    templates = ["Whatever"]  # noqa: RUF012


class TaskRegistry:
    def get_by_id(self, task: str) -> Any:
        found = (SwitchAlarm, AddNote, CountNotes, Broken, JudgeFails)
        return next(kind for kind in found if kind.__name__ == task.partition(".")[2])
