"""`distrl judge`: how far judges can be trusted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import tyro

from distrl.cli.arguments import Commands, run_subcommand
from distrl.cli.endpoint import EndpointArguments, open_client
from distrl.cli.output import print_json, print_table, progress_bar
from distrl.config.judges import HUMAN, JUDGE_PARTS, judge_parts
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.collect.judging.audit import Figures
    from distrl.config.devices import PhoneConfig
    from distrl.interfaces import Judge
    from distrl.services import ChatClient
    from distrl.tasks.judges.evidence import Case
    from distrl.types import Episode

_BUILT_IN = (*JUDGE_PARTS, HUMAN)


@dataclass(frozen=True, kw_only=True)
class AuditArguments(EndpointArguments):
    """Compare judges with the known outcomes of stored episodes.

    With --endpoint scripted, the vlm judge asks a model on this machine that believes whatever a
    screen says. The exit code is 1 when a judge accepted a fake verdict, when its success rate is
    more than 10 points from the known one, or when all of its verdicts are void.
    """

    source: Annotated[str, tyro.conf.Positional]
    """Folder of a run, or a file of episodes such as `distrl judge adversarial` makes."""
    judge: tuple[str, ...] | None = None
    """One or more of state, ocr, vlm, human, the name of a plug-in and vote:NAME,NAME; state by
    default, and vlm too if there is an --endpoint."""
    episodes: int | None = None
    """At most this many episodes, evenly spread over the source; all by default."""
    cache: Path | None = None
    """File that keeps the verdicts of the vlm judge by content, so that nothing is asked twice;
    none by default."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class AdversarialArguments:
    """Make failed episodes on the embedded phone that try to look like successes."""

    out: Path
    """File to write (.sqlite), for `distrl judge audit`."""
    episodes: int = 240
    """Number of episodes; each trick is played equally often."""
    json: bool = False
    """Print one JSON object instead of a sentence."""


def _audit(arguments: AuditArguments) -> int:
    if arguments.episodes is not None and arguments.episodes < 1:
        raise ConfigError(f"--episodes must be at least 1, got {arguments.episodes}")
    judges = _judges(arguments)
    for name in judges:
        judge_parts(name, built_in=_BUILT_IN)
    from distrl.collect.judging.audit import audit, figures, judge_all, undecided
    from distrl.run.state.episode_sources import open_episodes

    rows: list[Figures] = []
    everything = []
    idle = []
    with open_episodes(arguments.source) as source, ExitStack() as stack:
        if not len(source.episodes):
            raise ConfigError(f"there are no episodes in {arguments.source}")
        wanted = set(_spread(len(source.episodes), arguments.episodes))
        judge_of = _maker(arguments, source.phone, stack)
        advance = _advance_of(judges, len(wanted), stack)
        for number, name in enumerate(judges):
            chosen = (e for n, e in enumerate(source.episodes) if n in wanted)
            counted = _counted(chosen, partial(advance, number))
            judged = judge_all(judge_of(name), counted)
            everything += judged
            rows += audit(name, judged)
            if (nothing := undecided(judged)) is not None:
                idle.append((name, *nothing))
    overall = figures("all", "all", everything)
    if arguments.json:
        print_json(as_json(overall, rows))
    else:
        _print_figures(rows, arguments.source)
    whole = [row for row in rows if row.part == "all"]
    for row in whole:
        _tell_alarm(row)
    for name, count, reason in idle:
        print(
            f"distrl judge audit: {name} decided none of {count} episodes: {reason}",
            file=sys.stderr,
        )
    good = overall.fake_verdicts_accepted == 0 and not any(row.alarming for row in whole)
    return 0 if good and everything and not idle else 1


def _advance_of(
    judges: Sequence[str], episodes: int, stack: ExitStack
) -> Callable[[int, int], None]:
    """Shows progress until `stack` ends; takes a judge's number and how many it has judged."""
    # A person at the terminal is asked there, and knows how far they are.
    if any(HUMAN in name for name in judges):
        return lambda _number, _done: None
    show = stack.enter_context(progress_bar("judging episodes"))
    return lambda number, done: show(number * episodes + done, len(judges) * episodes)


def _counted(episodes: Iterable[Episode], advance: Callable[[int], None]) -> Iterator[Episode]:
    """The same episodes; `advance` is told how many are done whenever one is."""
    for done, episode in enumerate(episodes, 1):
        yield episode
        advance(done)


def _judges(arguments: AuditArguments) -> tuple[str, ...]:
    """The judges that are asked for; whoever names an endpoint wants it asked."""
    if arguments.judge is None:
        return ("state", "vlm") if arguments.endpoint else ("state",)
    if not arguments.judge:
        raise ConfigError("--judge needs the name of a judge")
    return arguments.judge


def _maker(
    arguments: AuditArguments, phone: PhoneConfig, stack: ExitStack
) -> Callable[[str], Judge]:
    """What makes a judge of its name: all share one endpoint with its budget, and one cache."""
    from distrl.tasks.judges import HumanJudge
    from distrl.tasks.judges.cache import VerdictCache
    from distrl.tasks.judges.factory import JudgeContext, make_judge
    from distrl.tasks.judges.gullible_model import gullible

    def client() -> ChatClient:
        opened = open_client(arguments, what="the judge vlm", script=gullible)
        return stack.enter_context(opened)

    folder = stack.enter_context(TemporaryDirectory(prefix="distrl-judge-"))
    context = JudgeContext(phone=phone, client=cache(client), cache=VerdictCache(arguments.cache))
    return partial(
        make_judge,
        context=context,
        human=lambda: HumanJudge(lambda case: _ask(case, Path(folder))),
    )


def as_json(overall: Figures, rows: Sequence[Figures]) -> dict[str, object]:
    """The figures over all judges, flat, and a row per judge and part."""
    flat = asdict(overall)
    for key in ("judge", "part", "drift"):
        del flat[key]
    return {**flat, "rows": [{**asdict(row), "alarm": row.alarming} for row in rows]}


def _ask(case: Case, folder: Path) -> str:
    """Show a case to whoever sits at the terminal."""
    from distrl.actions import to_text

    for number, picture in enumerate(case.pictures(), 1):
        (folder / f"screen-{number}.png").write_bytes(picture)
    shown = ", ".join(str(path) for path in sorted(folder.glob("screen-*.png")))
    done = ", ".join(repr(to_text(action)) for action in case.actions)
    print(f"goal: {case.goal!r}\nlast actions: {done}\nscreens: {shown}", file=sys.stderr)
    print("Was the goal reached? [y/n, anything else for void] ", end="", file=sys.stderr)
    return input()


def _spread(total: int, limit: int | None) -> Iterator[int]:
    count = total if limit is None else min(limit, total)
    return (place * total // count for place in range(count))


def _print_figures(rows: Sequence[Figures], source: str) -> None:
    columns = (
        *("judge", "part", "episodes", "agreement", "false positive", "false negative"),
        *("fakes accepted", "void", "apart", "drift"),
    )
    cells = [
        (
            *(row.judge, row.part, row.episodes),
            _interval(row.agreement, row.agreement_low, row.agreement_high),
            _interval(row.false_positive, row.false_positive_low, row.false_positive_high),
            _interval(row.false_negative, row.false_negative_low, row.false_negative_high),
            *(row.fake_verdicts_accepted, row.void, row.apart, row.drift),
        )
        for row in rows
    ]
    print_table(columns, cells, title=f"judges on {source}")


def _interval(share: float | None, low: float | None, high: float | None) -> str | None:
    return None if share is None else f"{share:.3f} ({low:.2f}-{high:.2f})"


def _tell_alarm(row: Figures) -> None:
    if row.alarming:
        print(
            f"distrl judge audit: the success rate of {row.judge} is {row.apart:+.3f} from the "
            "known one; do not reward with it",
            file=sys.stderr,
        )


def _adversarial(arguments: AdversarialArguments) -> int:
    if arguments.episodes < 1:
        raise ConfigError(f"--episodes must be at least 1, got {arguments.episodes}")
    if arguments.out.suffix != ".sqlite":
        raise ConfigError(f"--out must end in .sqlite, got {arguments.out}")
    if arguments.out.exists():
        raise ConfigError(f"{arguments.out} is there already")
    if not arguments.out.parent.is_dir():
        raise ConfigError(f"there is no folder {arguments.out.parent}")
    from distrl.collect.judging.adversarial import make_adversarial
    from distrl.run.state.episode_sources import write_store

    count, steps = write_store(make_adversarial(arguments.episodes), arguments.out)
    if arguments.json:
        print_json({"episodes": count, "steps": steps})
    else:
        print(f"{count} failed episodes in {arguments.out}")
    return 0


COMMANDS: Commands = {
    "audit": (AuditArguments, _audit),
    "adversarial": (AdversarialArguments, _adversarial),
}


def main(argv: Sequence[str]) -> int:
    """Run one of the sub-commands."""
    return run_subcommand(
        COMMANDS, argv, prog="distrl judge", about="How far judges can be trusted."
    )
