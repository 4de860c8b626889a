"""Questions about to-do lists, the Store and settings."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.devices.phone.apps.settings_tables import TITLES, page_of
from distrl.devices.phone.apps.store import APPS
from distrl.devices.phone.apps.todo import LISTS
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.answers import same_answer
from distrl.tasks.general import settings, store, todo
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import REMINDER, closed
from distrl.tasks.question import Question, yes_or_no
from distrl.tasks.template import Draw, Params, Scene, Template


class TaskList(Question):
    """Which list a task is on."""

    name = "q_task_list"
    unseen = True
    phrasings = (
        "On which of my lists is the task {title}: Personal, Work or Home?",
        "Is {title} on the Personal, the Work or the Home list?",
        "Personal, Work or Home: where did I put the task {title}?",
    )
    params = {"title": REMINDER}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is on one of them."""
        chosen = rng.choice([title for _, title, _ in LISTS])
        todo.FinishTask().setup(control, {**p, "list": chosen}, rng)

    def look(self, hand: Hand, p: Params) -> None:
        """Its list is in front."""
        hand.open("todo")
        hand.on("main")
        hand.tab(self.right(hand.state, p))
        if not hand.sees(p["title"]):
            hand.scroll_to(p["title"])

    def right(self, state: State, p: Params) -> str:
        """The name of its list."""
        chosen = state["apps"]["todo"]["tasks"]["target"]["list"]
        return next(title for key, title, _ in LISTS if key == chosen)


class TaskDone(Question):
    """Whether a task is done."""

    name = "q_task_done"
    phrasings = (
        "Have I already done the task {title} on my {list} list?",
        "Is {title} on the {list} list completed?",
        "Did I tick off {title} in my {list} tasks, yes or no?",
    )
    params = todo.FinishTask.params

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It may be."""
        todo.FinishTask().setup(control, p, rng)
        control.write_root("apps", "todo", "tasks", "target", "done", to=rng.random() < 0.5)

    def look(self, hand: Hand, p: Params) -> None:
        """Its list is in front."""
        hand.open("todo")
        hand.on("main")
        hand.tab(p["list"])
        if not hand.sees(p["title"]):
            hand.scroll_to(p["title"])

    def right(self, state: State, p: Params) -> str:
        """Its box."""
        return yes_or_no(state["apps"]["todo"]["tasks"]["target"]["done"])


class AppRating(Question):
    """The stars of an app."""

    name = "q_app_rating"
    phrasings = (
        "How many stars does the app {app} have in the Store?",
        "What is the rating of {app} in the Store?",
        "How do people rate the app {app}? Tell me the stars",
    )
    place = store.OpenStorePage()

    def right(self, state: State, p: Params) -> str:
        """What the page says: stars, size, and for whom."""
        app = APPS[p["app"]]
        return f"{app.rating} stars {app.size_mb} MB everyone"

    def check(self, scene: Scene, p: Params) -> bool:
        """The stars alone are enough."""
        stars = str(APPS[p["app"]].rating)
        alone = scene.answer is not None and same_answer(scene.answer, stars)
        return alone or super().check(scene, p)


class AppMaker(Question):
    """Who makes an app."""

    name = "q_app_maker"
    phrasings = (
        "Who makes the app {app}?",
        "Which developer is the app {app} from?",
        "Look {app} up in the Store and tell me its developer",
    )
    place = store.OpenStorePage()

    def right(self, state: State, p: Params) -> str:
        """The developer's name."""
        return APPS[p["app"]].developer


class SettingOn(Question):
    """Whether something is switched on."""

    name = "q_setting_on"
    phrasings = (
        "Is {setting} on?",
        "Is {setting} turned on right now?",
        "Yes or no: is {setting} switched on?",
        "Have I switched {setting} on?",
        "Tell me whether {setting} is on",
        "Check in Settings whether {setting} is on",
        "Do I have {setting} enabled?",
    )
    KEYS = {
        words: key
        for words, key in settings.SwitchSetting.KEYS.items()
        if key not in ("wifi", "bluetooth", "saver")
    }
    params = {"setting": closed("asked_setting", *KEYS)}

    def sample(self, draw: Draw) -> dict[str, Any]:
        """Any of them."""
        return {"setting": draw.rng.choice(list(self.KEYS))}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It may be."""
        control.write_root("system", self.KEYS[p["setting"]], to=rng.random() < 0.5)

    def look(self, hand: Hand, p: Params) -> None:
        """Its switch is on the screen."""
        key = self.KEYS[p["setting"]]
        settings.reach(hand, page_of(key))
        if not hand.sees(TITLES[key]):
            hand.scroll_to(TITLES[key])

    def right(self, state: State, p: Params) -> str:
        """Its switch."""
        return yes_or_no(state["system"][self.KEYS[p["setting"]]])


TEMPLATES: tuple[Template, ...] = (
    TaskList(),
    TaskDone(),
    AppRating(),
    AppMaker(),
    SettingOn(),
)
