"""`distrl eval`: how well a policy does on a task suite, per template."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from distrl.cli.arguments import parse
from distrl.cli.device_choice import named_settings
from distrl.cli.endpoint import EndpointArguments, open_client
from distrl.cli.output import print_json, print_table, progress_bar
from distrl.cli.second_judge import JudgeArguments, Opinion, open_opinion
from distrl.errors import ConfigError, ServiceError

if TYPE_CHECKING:
    from distrl.collect.evaluation.evaluate import PolicyFactory, Progress, Report, Watch
    from distrl.collect.evaluation.statistics import Row
    from distrl.config import RunConfig
    from distrl.config.devices import PhoneConfig
    from distrl.interfaces import Policy
    from distrl.types import Task

API = "api"
"""The prompted agent."""
_MOST_FAULTS = 5
"""Faults that are told one by one."""


@dataclass(frozen=True, kw_only=True)
class Arguments(JudgeArguments):
    """Evaluate a policy on the tasks of a suite, on the embedded phone or on web pages."""

    policy: str = "scripted"
    """What to evaluate: scripted (the oracle), noisy (the oracle with mistakes), random, pretrained
    (ships with the package), api (a prompted model at --endpoint), the folder of a run, or the name
    of a plug-in."""
    suite: str = "general"
    """Which tasks: general, shopping, miniwob, the YAML file of a web app or of goals for phones
    over adb, or the name of a plug-in; SUITE:A,B takes only the templates A and B of a suite."""
    split: str = "val"
    """Split of the suite: train, val, test (new values) or unseen (new templates); general also
    has wide (more training tasks), worded (the test tasks in other words), composed (known things
    in new compositions) and unseen_app (new apps)."""
    tasks: int | None = None
    """At most this many tasks; the whole split by default."""
    template: str | None = None
    """Only tasks of this template; all templates by default."""
    error_rate: float = 0.2
    """Share of the steps, from 0 to 1, at which the noisy policy errs."""
    nuisance_rate: float = 0.25
    """Share of the episodes, from 0 to 1, that have a nuisance such as a pop-up or a slow page."""
    layout: Literal[1, 2] = 1
    """Layout version of all apps."""
    phones: str | None = None
    """Recipe or folder of a run whose collect.android names the phones that goals for phones over
    adb are played on; by default the run that is evaluated."""
    without: Literal["nothing", "pixels", "elements"] = "nothing"
    """Withhold the screen or the elements from a trained policy, to measure what they are worth."""
    pictures: bool = False
    """Show a prompted model (--policy api) the screen, not only the elements."""
    temperature: float = 0.0
    """Sampling temperature of a prompted model; 0 takes the likeliest answer."""
    seed: int = 0
    """Seed of the policy's own draws; the tasks are always the same."""
    json: bool = False
    """Print one JSON object instead of a table."""


def main(argv: Sequence[str]) -> int:
    """Evaluate and print; 1 if no episode counts, or a judge that was asked decided none."""
    arguments = parse(Arguments, argv, prog="distrl eval")
    _refuse_idle_options(arguments)
    phone = _phone(arguments)
    with open_opinion(arguments, arguments.policy, phone) as opinion:
        with progress_bar() as progress:
            watch = None if opinion is None else opinion.watch
            report = _evaluate(arguments, phone, progress, watch)
        _tell(arguments, report, opinion)
        decided = opinion is None or opinion.decided
    return 0 if report.overall.episodes and decided else 1


def _refuse_idle_options(arguments: Arguments) -> None:
    """ConfigError for an option that would do nothing with this policy, judge or suite."""
    from distrl.tasks.suites import is_over_adb, load_suite

    prompted, noisy = arguments.policy == API, arguments.policy == "noisy"
    asks_model = prompted or arguments.judge is not None
    endpoint = tuple(field.name for field in fields(EndpointArguments))
    used = {
        "the policy noisy": (("error_rate",), noisy),
        "the policy api": (("pictures", "temperature"), prompted),
        "the policy api and for judges": (endpoint, asks_model),
        "goals for phones over adb": (("phones",), is_over_adb(arguments.suite)),
        "suites of embedded phones": (
            ("layout", "nuisance_rate"),
            load_suite(arguments.suite).device == "phone",
        ),
    }
    defaults = {field.name: field.default for field in fields(arguments)}
    for purpose, (names, is_used) in used.items():
        for name in names:
            if not is_used and getattr(arguments, name) != defaults[name]:
                option = name.replace("_", "-")
                raise ConfigError(f"--{option} is for {purpose}, and would do nothing here")


def _tell(arguments: Arguments, report: Report, opinion: Opinion | None) -> None:
    if arguments.json:
        judged = {} if opinion is None else opinion.as_json()
        print_json({**as_json(report), **_solved(arguments.suite, report), **judged})
    else:
        _print_report(arguments, report)
        if opinion is not None:
            print(opinion.sentence())
    _tell_faults(report)


def as_json(report: Report) -> dict[str, object]:
    """The report as one flat object with the overall figures, and a row per template."""
    overall = asdict(report.overall)
    del overall["template"], overall["faults"]
    return {**overall, "rows": [asdict(row) for row in report.rows]}


def _solved(suite: str, report: Report) -> dict[str, object]:
    """How many kinds of tasks are solved; nothing for suites of phones."""
    from distrl.collect.evaluation.statistics import SOLVED
    from distrl.tasks.seed_suite import SeedSuite
    from distrl.tasks.suites import load_suite

    if not isinstance(load_suite(suite), SeedSuite):
        return {}
    return {"solved": sum((row.success or 0.0) >= SOLVED for row in report.rows)}


def _phone(arguments: Arguments) -> PhoneConfig:
    # Imported here, so that `--help` and a mistyped option are answered at once.
    from distrl.config.devices import PhoneConfig
    from distrl.config.load import checked

    values = {
        "nuisance_rate": arguments.nuisance_rate,
        "layout": arguments.layout,
        "elements": arguments.without != "elements",
    }
    return checked(PhoneConfig, values)


def _evaluate(
    arguments: Arguments, phone: PhoneConfig, progress: Progress, watch: Watch | None
) -> Report:
    from distrl.collect.evaluation.evaluate import evaluate_tasks, select_tasks
    from distrl.envs.device_kinds import NoOracle
    from distrl.run.named_policy import is_trained
    from distrl.tasks.suites import is_over_adb

    tasks = select_tasks(
        arguments.suite, arguments.split, template=arguments.template, tasks=arguments.tasks
    )
    play = _player(arguments, phone, progress, watch)
    if arguments.policy == API:
        return _ask_for_actions(arguments, lambda policy: play(policy, tasks))
    if is_trained(arguments.policy):
        from distrl.run.builders.trained_policy import load_policy

        policy = load_policy(
            arguments.policy, pixels=False if arguments.without == "pixels" else None
        )
        return play(policy, tasks)
    build = _build(arguments)
    if is_over_adb(arguments.suite):
        return play(build(NoOracle(arguments.suite)), tasks)
    return evaluate_tasks(build, tasks, phone=phone, progress=progress, watch=watch)


def _player(
    arguments: Arguments, phone: PhoneConfig, progress: Progress, watch: Watch | None
) -> Callable[[Policy, Sequence[Task]], Report]:
    """What plays tasks with a policy, on the devices that the suite is for."""
    from distrl.collect.evaluation.evaluate import evaluate_policy
    from distrl.tasks.suites import is_over_adb

    if not is_over_adb(arguments.suite):
        return lambda policy, tasks: evaluate_policy(
            policy, tasks, phone=phone, progress=progress, watch=watch
        )
    from distrl.run.builders.android import evaluate_on_android

    config = _phones_of(arguments)
    return lambda policy, tasks: evaluate_on_android(config, policy, tasks, progress, watch)


def _phones_of(arguments: Arguments) -> RunConfig:
    """Settings with the phones that goals of a file are played on; ConfigError without any."""
    from distrl.config.load import CONFIG_FILE, load_run_config

    named = arguments.phones
    if named is None and (Path(arguments.policy) / CONFIG_FILE).is_file():
        named = arguments.policy
    if named is None:
        raise ConfigError(
            f"the goals in {arguments.suite} are for phones over adb: --phones RECIPE names a "
            "recipe, or the folder of a run, whose collect.android says which (docs/devices.md)"
        )
    config = load_run_config(named_settings(named))
    tasks = config.tasks.model_copy(update={"suite": arguments.suite, "split": arguments.split})
    return config.model_copy(update={"tasks": tasks})


def _ask_for_actions(arguments: Arguments, play: Callable[[Policy], Report]) -> Report:
    from distrl.policies.api import ApiPolicy
    from distrl.run.builders.action_kinds import suite_kinds

    if arguments.without == "elements":
        raise ConfigError("the policy api reads the elements; it cannot do without")
    if arguments.temperature < 0:
        raise ConfigError(f"--temperature must be 0 or more, got {arguments.temperature:g}")
    try:
        with open_client(
            arguments, what="the policy api", temperature=arguments.temperature
        ) as client:
            kinds = suite_kinds(arguments.suite)
            return play(ApiPolicy(client, pictures=arguments.pictures, kinds=kinds))
    except ServiceError as error:
        raise ConfigError(str(error)) from error


def _build(arguments: Arguments) -> PolicyFactory:
    """The policy of that name; ConfigError for one that there is not."""
    from distrl.policies import make_policy
    from distrl.run.builders.action_kinds import suite_kinds
    from distrl.run.named_policy import PRETRAINED, require_named

    require_named(arguments.policy, also=(API, PRETRAINED))
    if arguments.without != "nothing":
        raise ConfigError(
            f"--without {arguments.without} is for trained policies: name a run, or pretrained"
        )
    return partial(
        make_policy,
        arguments.policy,
        error_rate=arguments.error_rate,
        seed=arguments.seed,
        kinds=suite_kinds(arguments.suite),
    )


def _print_report(arguments: Arguments, report: Report) -> None:
    from distrl.collect.evaluation.statistics import SOLVED

    columns = (
        *("template", "success", "95 % interval", "episodes"),
        *("false complete", "side effects", "steps", "oracle steps"),
    )
    rows = [_cells(row) for row in (*report.rows, report.overall)]
    title = f"{arguments.policy} on {arguments.suite}/{arguments.split}"
    print_table(columns, rows, title=title)
    for name, count in _solved(arguments.suite, report).items():
        print(f"{name}: {count} of {len(report.rows)}, at {SOLVED:.2f} or more")
    _tell_repeated(arguments)


def _tell_repeated(arguments: Arguments) -> None:
    """Say that tasks ask for the same thing, for then they tell less than their number."""
    from distrl.collect.evaluation.evaluate import select_tasks
    from distrl.tasks.leak_check import worded_when_played
    from distrl.tasks.seed_suite import SeedSuite
    from distrl.tasks.suites import load_suite

    suite = load_suite(arguments.suite)
    if not isinstance(suite, SeedSuite):  # where tasks of one goal begin on different phones
        return
    tasks = select_tasks(
        arguments.suite, arguments.split, template=arguments.template, tasks=arguments.tasks
    )
    known = [task for task in tasks if not worded_when_played(suite, task.template)]
    goals = {(task.template, task.goal, *task.parameters.items()) for task in known}
    if len(goals) < len(known):
        print(
            f"{len(known)} of these tasks have {len(goals)} different goals: if the page does not "
            "depend on SEED, the others repeat them, and the interval is narrower than it should be"
        )


def _cells(row: Row) -> tuple[object, ...]:
    interval = None if row.low is None else f"{row.low:.3f} - {row.high:.3f}"
    return (
        row.template,
        row.success,
        interval,
        row.episodes,
        row.false_complete,
        row.side_effects,
        row.mean_steps,
        row.oracle_steps,
    )


def _tell_faults(report: Report) -> None:
    if not report.faults:
        return
    print(
        f"distrl eval: {len(report.faults)} episodes ended with a fault and do not count:",
        *(f"  {fault}" for fault in report.faults[:_MOST_FAULTS]),
        sep="\n",
        file=sys.stderr,
    )
