"""A second judge in `distrl eval`, beside the state check: one that did not reward the policy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from distrl.cli.endpoint import EndpointArguments, open_client
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.collect.judging.audit import Judged
    from distrl.config.devices import PhoneConfig
    from distrl.interfaces import Judge
    from distrl.types import Episode


@dataclass(frozen=True, kw_only=True)
class JudgeArguments(EndpointArguments):
    """Options of the second judge."""

    judge: str | None = None
    """A second judge beside the state check: state, ocr, vlm, the name of a plug-in, or
    vote:NAME,NAME; none by default. It may not be the one that rewarded the policy."""
    judge_endpoint: str = ""
    """Address of the second judge's model; that of --endpoint by default."""
    judge_model: str = ""
    """Name of the second judge's model; that of --model by default."""


class Opinion:
    """Collects a judge's verdicts on the episodes of an evaluation, and compares them."""

    def __init__(self, name: str, judge: Judge) -> None:
        """`name` is the judge's name in what is printed."""
        self.name = name
        self._judge = judge
        self._rows: list[Judged] = []

    def watch(self, episode: Episode) -> None:
        """Judge an episode, unless a fault of its device has ended it."""
        from distrl.collect.judging.audit import judge_one

        if episode.outcome.trainable:
            self._rows.append(judge_one(self._judge, episode))

    @property
    def decided(self) -> int:
        """Number of episodes on which the judge's verdict is not void."""
        return sum(row.said is not None for row in self._rows)

    def as_json(self) -> dict[str, object]:
        """The figures by name; rates are over the verdicts that are not void."""
        from distrl.collect.judging.audit import figures

        found = figures(self.name, "all", self._rows)
        said = sum(row.said is True for row in self._rows)
        return {
            "judge": self.name,
            "judge_success": said / self.decided if self.decided else None,
            "judge_void": found.void,
            "judge_agreement": found.agreement,
            "judge_false_positive": found.false_positive,
            "judge_false_negative": found.false_negative,
            "judge_apart": found.apart,
        }

    def sentence(self) -> str:
        """The figures as one sentence for people."""
        told = self.as_json()
        if not self.decided:
            return f"held-out judge {self.name}: every verdict is void"
        return (
            f"held-out judge {self.name}: success {told['judge_success']:.3f} where it decided, "
            f"void {told['judge_void']:.3f}, agrees with the state check on "
            f"{told['judge_agreement']:.3f} of its verdicts"
        )


@contextmanager
def open_opinion(
    arguments: JudgeArguments, policy: str, phone: PhoneConfig
) -> Iterator[Opinion | None]:
    """Yield the judge that the arguments name, or None if they name none.

    ConfigError when it is the one that rewarded the run of `policy`.
    """
    if arguments.judge is None:
        yield None
        return
    from distrl.tasks.judges.factory import JudgeContext, make_judge
    from distrl.tasks.judges.gullible_model import gullible

    asked = replace(
        arguments,
        endpoint=arguments.judge_endpoint or arguments.endpoint,
        model=arguments.judge_model or arguments.model,
    )
    require_held_out(asked, policy)
    with ExitStack() as stack:
        what = f"the judge {arguments.judge}"
        context = JudgeContext(
            phone=phone,
            client=lambda: stack.enter_context(open_client(asked, what=what, script=gullible)),
        )
        yield Opinion(arguments.judge, make_judge(arguments.judge, context))


def require_held_out(arguments: JudgeArguments, policy: str) -> None:
    """ConfigError when the judge, or one that votes in it, rewarded the run of a policy."""
    from distrl.config.judges import opinions_of
    from distrl.config.load import CONFIG_FILE, load_run_config

    assert arguments.judge is not None
    asked = opinions_of(arguments.judge, arguments.endpoint, arguments.model)
    if not (Path(policy) / CONFIG_FILE).is_file():
        return
    rewarding = load_run_config(Path(policy)).judge
    if rewarding.name is None or not rewarding.rewards:
        return
    shared = asked & opinions_of(rewarding.name, rewarding.endpoint, rewarding.model)
    if shared:
        raise ConfigError(
            f"{', '.join(sorted(shared))} rewarded the run {policy}, which has learned to please "
            "it; evaluate with another --judge"
        )
