"""`distrl eval`: how well a policy does on a task suite, per template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from distrl.cli.arguments import parse
from distrl.cli.endpoint import EndpointArguments
from distrl.cli.eval_player import API, player_of
from distrl.cli.eval_tables import as_json, print_factors, print_report, solved, tell_faults
from distrl.cli.output import print_json, print_table, progress_bar
from distrl.cli.second_judge import JudgeArguments, Opinion, open_opinion
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.collect.evaluation.evaluate import Report
    from distrl.config.devices import PhoneConfig
    from distrl.types import Task


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
    factors: bool = False
    """Play the same tasks under each factor of robustness too (docs/robustness.md)."""
    card: Path | None = None
    """Write a score card to this file, a page (.html) with its figures (.json) beside it."""
    verify: Path | None = None
    """Play the score card in this file again, and name each figure that differs; of the other
    options, only --policy and --json count, and --policy says where the policy is now."""
    json: bool = False
    """Print one JSON object instead of a table."""


def main(argv: Sequence[str]) -> int:
    """Evaluate and print; 1 if no episode counts, a judge decided none, or a card does not hold."""
    arguments = parse(Arguments, argv, prog="distrl eval")
    if arguments.verify is not None:
        return _verify(arguments, arguments.verify)
    _refuse_idle_options(arguments)
    if arguments.card is not None:
        return _write_card(arguments, arguments.card)
    phone = _phone(arguments)
    if arguments.factors:
        return _by_factor(arguments, phone)
    with open_opinion(arguments, arguments.policy, phone) as opinion:
        with progress_bar() as progress:
            watch = None if opinion is None else opinion.watch
            report = player_of(arguments, _tasks(arguments))(
                phone=phone, progress=progress, watch=watch
            )
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
        "evaluations without --card, which has them anyway": (
            ("factors",),
            arguments.card is None,
        ),
        "evaluations without --factors and --card": (
            ("judge",),
            not arguments.factors and arguments.card is None,
        ),
        "suites of embedded phones": (
            ("factors", "layout", "nuisance_rate"),
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
        print_json({**as_json(report), **solved(arguments.suite, report), **judged})
    else:
        print_report(_title(arguments), arguments.suite, _tasks(arguments), report)
        if opinion is not None:
            print(opinion.sentence())
    tell_faults(report)


def _title(arguments: Arguments) -> str:
    return f"{arguments.policy} on {arguments.suite}/{arguments.split}"


def _by_factor(arguments: Arguments, phone: PhoneConfig) -> int:
    from distrl.collect.evaluation.factors import evaluate_factors

    play = player_of(arguments, _tasks(arguments))
    with progress_bar() as progress:
        report, rows = evaluate_factors(lambda made: play(phone=made, progress=progress), phone)
    if arguments.json:
        named = {"policy": arguments.policy, "suite": arguments.suite, "split": arguments.split}
        print_json({**named, "rows": [asdict(row) for row in rows]})
    else:
        print_factors(_title(arguments), rows)
    tell_faults(report)
    return 0 if report.overall.episodes else 1


def _write_card(arguments: Arguments, path: Path) -> int:
    from distrl.run.score_card.card import encode, files_of
    from distrl.run.score_card.conditions import Conditions
    from distrl.run.score_card.make import make_card
    from distrl.run.score_card.page import make_page
    from distrl.weights.file_channel import write_whole

    figures, page = files_of(path)
    values = {field.name: getattr(arguments, field.name) for field in fields(Conditions)}
    with progress_bar() as progress:
        card = make_card(Conditions(**values), path.name, progress)
    figures.parent.mkdir(parents=True, exist_ok=True)
    write_whole(figures, encode(card))
    write_whole(page, make_page(card).encode())
    if arguments.json:
        print_json({"figures": str(figures), "page": str(page), **asdict(card.overall)})
    else:
        print_factors(_title(arguments), card.factors)
        print(f"The score card is {page}; its figures are {figures}.")
    return 0 if card.overall.episodes else 1


def _verify(arguments: Arguments, path: Path) -> int:
    from distrl.run.score_card.verify import verify_card

    _refuse_beside_verify(arguments)
    moved = None if arguments.policy == _default("policy") else arguments.policy
    with progress_bar("verifying") as progress:
        found = verify_card(path, policy=moved, progress=progress)
    rows = [asdict(difference) for difference in found.differences]
    if arguments.json:
        print_json({"holds": found.holds, "other_code": found.other_code, "differences": rows})
        return 0 if found.holds else 1
    if rows:
        print_table(("figure", "card", "played"), [tuple(row.values()) for row in rows])
    if found.other_code:
        print(f"The card was made by other code: {found.card.code.label}.")
    print("the card holds" if found.holds else f"the card does not hold: {len(rows)} differ")
    return 0 if found.holds else 1


def _refuse_beside_verify(arguments: Arguments) -> None:
    """ConfigError for options beside --verify that the card decides."""
    for field in fields(arguments):
        used = field.name in ("verify", "policy", "json")
        if not used and getattr(arguments, field.name) != field.default:
            option = field.name.replace("_", "-")
            raise ConfigError(f"--{option} would do nothing beside --verify: the card says it")


def _default(name: str) -> object:
    return next(field.default for field in fields(Arguments) if field.name == name)


def _tasks(arguments: Arguments) -> Sequence[Task]:
    from distrl.collect.evaluation.evaluate import select_tasks

    return select_tasks(
        arguments.suite, arguments.split, template=arguments.template, tasks=arguments.tasks
    )


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
