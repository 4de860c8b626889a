"""Reports, episodes and stories to tell, small enough for a test."""

from collections.abc import Mapping, Sequence

import numpy as np

from distrl import actions
from distrl.collect.evaluation.evaluate import Report
from distrl.collect.evaluation.statistics import Result, summarise
from distrl.config import RunConfig
from distrl.run.report import Comparison, Story, Totals
from distrl.types import (
    Action,
    Choice,
    Element,
    Episode,
    Observation,
    Outcome,
    Picture,
    Step,
    Task,
)


def report_of(successes: Mapping[str, str]) -> Report:
    """An evaluation from a letter per episode and template: s(ucceeded) or f(ailed)."""
    results = {
        template: [
            Result(
                template=template,
                outcome=Outcome.SUCCEEDED if letter == "s" else Outcome.FALSE_COMPLETE,
                steps=4,
                side_effects=False,
                oracle_steps=3,
            )
            for letter in letters
        ]
        for template, letters in successes.items()
    }
    everything = [result for some in results.values() for result in some]
    rows = tuple(summarise(template, some) for template, some in sorted(results.items()))
    return Report(overall=summarise("all", everything), rows=rows, faults=())


BEFORE = report_of({"set_alarm": "sfff", "send_mail": "ffff", "open_app": "ssss"})
AFTER = report_of({"set_alarm": "ssss", "send_mail": "sfff", "open_app": "ssss"})


def screen(*elements: Element, shade: int = 200, size: tuple[int, int] = (40, 18)) -> Observation:
    pixels = np.full((*size, 3), shade, np.uint8)
    return Observation(picture=Picture(pixels), elements=elements, keyboard=False, app="clock")


def episode_of(
    steps: Sequence[Action],
    *,
    goal: str = "Set an alarm",
    template: str = "set_alarm",
    outcome: Outcome = Outcome.SUCCEEDED,
    penalties: Mapping[str, float] | None = None,
    id: str = "e1",
) -> Episode:
    task = Task(
        id=f"general/test/{id}",
        goal=goal,
        suite="general",
        split="test",
        template=template,
        parameters={},
        seed=0,
        step_limit=15,
    )
    seen = screen(Element("button", text="Save", bounds=(0.0, 0.0, 1.0, 1.0)))
    return Episode(
        id=id,
        task=task,
        steps=tuple(
            Step(observation=seen, choice=Choice(action=action), penalties=penalties or {})
            for action in steps
        ),
        final=screen(shade=90),
        outcome=outcome,
        verdicts=(),
        device="phone-1",
        started=0.0,
        ended=1.0,
    )


def story_of(**changes: object) -> Story:
    values: dict[str, object] = {
        "name": "quickstart",
        "config": RunConfig(),
        "comparisons": [Comparison(name="general/test", before=BEFORE, after=AFTER)],
        "totals": Totals(
            seconds=390,
            episodes=8000,
            steps=46800,
            updates=1560,
            phases={"cloning": 48.0, "training": 390.0},
        ),
        "best": [episode_of([actions.tap(0.5, 0.5), actions.complete()])],
        "worst": [episode_of([actions.complete()], outcome=Outcome.FALSE_COMPLETE)],
        "repeat": "distrl eval --policy runs/a",
        **changes,
    }
    return Story(**values)  # type: ignore[arg-type]
