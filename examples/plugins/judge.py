"""A judge that looks at one thing: whether the policy itself said that it was done.

[project.entry-points."distrl.judges"]: trusting = "judge:TrustingJudge"
"""

from distrl.config.base import Config
from distrl.config.options import read_options
from distrl.tasks.judges.factory import JudgeContext
from distrl.types import Episode, Kind, Verdict


class Options(Config):
    most_steps: int = 1000


class TrustingJudge:
    """Asked by several threads at the same time, so it keeps nothing."""

    name = "trusting"

    def __init__(self, context: JudgeContext) -> None:
        options = read_options(Options, context.options, "judge.options")
        self._most = options.most_steps

    def judge(self, episode: Episode) -> Verdict:
        if not episode.steps or not episode.outcome.trainable:
            return Verdict(judge=self.name, success=None, reason="a fault ended it")
        said = episode.steps[-1].choice.action.kind is Kind.COMPLETE
        return Verdict(judge=self.name, success=said and len(episode.steps) <= self._most)
