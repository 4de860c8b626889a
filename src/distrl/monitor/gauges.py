"""The names of the numbers that a run records, what they mean and when they look healthy.

Names are `part/number`, and `part/number/suite` where each suite has its own:

    collect/success/<suite>             share of the newest episodes that succeeded
    evaluate/success/<suite>/<split>    greedy success; evaluate/low/..., evaluate/high/... with it
    run/minutes                         minutes of training when it was measured, for curves

The rest are the rows of `GAUGES`. Parts may record more, under names of their own; monitors keep
whatever they are given. `reductions` declares how each is combined over the hosts of a cluster.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from distrl.config.run import RunConfig

SUCCESS = "collect/success/"
"""Prefix of the running success of each suite."""
RECENT_EPISODES = 200
"""Episodes in the moving window of success: its standard error is below 4 percentage points."""
EVALUATED, EVALUATED_LOW, EVALUATED_HIGH = "evaluate/success/", "evaluate/low/", "evaluate/high/"
"""Prefixes of an evaluation's success and of the ends of its interval."""

MINUTES = "run/minutes"
"""Minutes of training so far. Without it, curves are drawn over the time of writing."""
JUDGE_APART = "collect/judge_apart"
"""The success rate of a run's judge less that of the state check, on the same episodes."""
LAG = "Policy lag: versions published since an episode's oldest decision"
"""What lag means, wherever it is shown. It is measured at two moments: when an episode arrives in
the store, and when the learner trains on it."""


class Form(StrEnum):
    """How a number is shown."""

    COUNT = "count"
    NUMBER = "number"
    PERCENT = "percent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """One number that people look at."""

    name: str
    words: str
    """What a person calls it."""
    form: Form = Form.NUMBER
    total: bool = False
    """Whether it only grows, so that its last value says all."""
    healthy: str = ""
    """What to expect, and what it means when it is otherwise; empty where anything goes."""
    low: float | None = None
    high: float | None = None


GAUGES: tuple[Gauge, ...] = (
    Gauge(name="collect/episodes", words="episodes", form=Form.COUNT, total=True),
    Gauge(name="collect/steps", words="steps", form=Form.COUNT, total=True),
    Gauge(name="collect/steps_per_second", words="steps/s"),
    Gauge(
        name="collect/utilisation",
        words="devices busy",
        form=Form.PERCENT,
        healthy="95 % or more with phones and browsers: devices do not wait for the policy. Less "
        "is normal on the embedded phone, which answers faster than the policy decides.",
    ),
    Gauge(
        name="collect/held_back",
        words="held for the learner",
        form=Form.PERCENT,
        healthy="0 without collect.max_ahead: share of the time that devices stood still so that "
        "the learner could catch up with learner.replay_ratio.",
    ),
    Gauge(
        name="collect/faults",
        words="faults",
        form=Form.COUNT,
        total=True,
        healthy="Few: episodes that a device or a task ended. They are stored, never trained on.",
    ),
    Gauge(
        name="collect/disputed",
        words="disputed",
        form=Form.PERCENT,
        healthy="Low and level: episodes that judges have different opinions of. A rise means that "
        "one of them drifts.",
        high=0.2,
    ),
    Gauge(
        name=JUDGE_APART,
        words="judge apart",
        form=Form.PERCENT,
        healthy="Within 10 points of 0: the judge's success rate less that of the state check on "
        "the same episodes. Above, it can be deceived; below, it does not believe successes.",
        low=-0.1,
        high=0.1,
    ),
    Gauge(
        name="judge/void",
        words="void verdicts",
        form=Form.COUNT,
        total=True,
        healthy="Few: episodes on which the judge did not decide. If it rewards, nobody learns "
        "from them.",
    ),
    Gauge(
        name="judge/passed_by",
        words="not judged",
        form=Form.COUNT,
        total=True,
        healthy="None: episodes that a judge which looks on had no time for.",
    ),
    Gauge(name="services/cost", words="cost", total=True),
    Gauge(
        name="fleet/retired",
        words="devices lost",
        form=Form.COUNT,
        total=True,
        healthy="None: devices that were given up after too many losses in a row.",
        high=0,
    ),
    Gauge(
        name="batcher/batch",
        words="decisions/pass",
        healthy="Near the number of devices when the policy is the bottleneck, near 1 when the "
        "devices are.",
    ),
    Gauge(
        name="text/hit_rate",
        words="texts known",
        form=Form.PERCENT,
        healthy="99 % or more: texts whose vectors were known when the policy asked. Each of the "
        "others holds the policy up for milliseconds.",
        low=0.99,
    ),
    Gauge(name="store/waiting", words="unstored", form=Form.COUNT),
    Gauge(name="cluster/hosts", words="hosts", form=Form.COUNT),
    Gauge(
        name="cluster/hosts_silent",
        words="silent hosts",
        form=Form.COUNT,
        healthy="None: hosts of a cluster that have not answered for seconds. They go on with what "
        "they have, and are given up after cluster.host_timeout_seconds.",
        high=0,
    ),
    Gauge(
        name="cluster/collectors_waiting",
        words="held by the store",
        form=Form.COUNT,
        healthy="None: collectors that stand still because their host holds as many unstored "
        "episodes as it may. The disk or the network is the bottleneck.",
        high=0,
    ),
    Gauge(
        name="cluster/held_back",
        words="held by the learner",
        form=Form.COUNT,
        healthy="None: jobs that nobody gets because the learner has too much left to read. The "
        "learner is the bottleneck.",
        high=0,
    ),
    Gauge(
        name="canary/mismatches",
        words="parity errors",
        form=Form.COUNT,
        total=True,
        healthy="None: collectors and learner compute the same log-probability for the same "
        "weights.",
        high=0,
    ),
    Gauge(name="learn/updates", words="updates", form=Form.COUNT, total=True),
    Gauge(name="learn/updates_per_second", words="updates/s"),
    Gauge(name="learn/version", words="version", form=Form.COUNT, total=True),
    Gauge(
        name="learn/lag_mean",
        words="policy lag",
        healthy=f"{LAG}, here when the learner trains on it. Well below replay.max_lag; episodes "
        "beyond it train the critics only.",
    ),
    Gauge(
        name="learn/replay_ratio",
        words="replay ratio",
        # No lower end unless collectors wait too: learner.replay_ratio is a cap, at which the
        # learner waits. Without collect.max_ahead, a quickstart on two cores allows 4 and reaches
        # 0.5 (1,212 updates on 77,554 steps), at 84 % success.
        healthy="Up to learner.replay_ratio, at which the learner waits: trained steps per "
        "collected step. Far below it, the learner is the bottleneck, as is normal where the "
        "embedded phone collects and a CPU trains. With collect.max_ahead at least half of it, "
        "after the first minutes: collectors wait for the learner.",
    ),
    Gauge(
        name="learn/effective",
        words="effective sample",
        form=Form.PERCENT,
        # A batch of few episodes is noisy: over five updates, quickstart is between 39 % and 80 %
        # nine times out of ten while it improves.
        healthy="30 % or more, over several updates: how much of a batch counts after the "
        "off-policy correction.",
        low=0.3,
    ),
    Gauge(
        name="learn/entropy",
        words="entropy",
        # No lower end: near 0 is where a solved task ends. The alert looks at success as well.
        healthy="Falling slowly. Near 0 nats the policy no longer explores: right once nearly all "
        "episodes succeed, too early before.",
    ),
    Gauge(
        name="learn/invalid",
        words="invalid mass",
        form=Form.PERCENT,
        healthy="Falling, below 10 %: probability of what cannot be carried out.",
        high=0.1,
    ),
    Gauge(
        name="learn/ratio/clipped",
        words="clipped ratios",
        form=Form.PERCENT,
        healthy="Below 20 % with algorithm.rho_max at 2 or more: steps whose ratio is above it. "
        "At 1, as in quickstart, about half, for ratios lie on both sides of 1.",
    ),
    Gauge(
        name="learn/busy",
        words="learner busy",
        form=Form.PERCENT,
        healthy="Anything. At 100 % the learner is the bottleneck, far below it the fleet is.",
    ),
    Gauge(name="replay/episodes", words="replay buffer", form=Form.COUNT),
    Gauge(
        name="replay/eligible",
        words="fresh episodes",
        form=Form.COUNT,
        healthy="500 or more once that many were collected: episodes that may train the policy.",
    ),
)
BY_NAME: Mapping[str, Gauge] = {gauge.name: gauge for gauge in GAUGES}

_LEARNER_NAMES = {
    "lag/mean": "learn/lag_mean",
    "lag/max": "learn/lag_max",
    "replay/ratio": "learn/replay_ratio",
    "ratio/effective": "learn/effective",
}
_KEPT = ("learn/", "replay/", "collected/", "weights/")


def learner_name(name: str) -> str:
    """The name under which a number of the learner or its algorithm is recorded."""
    if name in _LEARNER_NAMES:
        return _LEARNER_NAMES[name]
    if name.startswith(_KEPT):
        return name
    return f"learn/{name.removeprefix('learner/')}"


def show(name: str, value: float | None) -> str:
    """A number as its gauge wants it; a dash where there is none."""
    if value is None:
        return "-"
    match BY_NAME[name].form if name in BY_NAME else Form.NUMBER:
        case Form.COUNT:
            return f"{value:,.0f}"
        case Form.PERCENT:
            # Devices that answer in a blink are not devices that stand still.
            return "<1 %" if 0 < value < 0.005 else f"{100 * value:.0f} %"
        case _:
            return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def clock_time(seconds: float) -> str:
    """Seconds as m:ss, or h:mm:ss from an hour on."""
    whole = max(0, round(seconds))
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


_MOST_CLIPPED, _WIDE = 0.2, 2.0
"""Share of ratios above algorithm.rho_max, and from which limit on it says something: a ratio above
1 is as likely as one below, whereas one above 2 means that the policy has moved far."""


def is_healthy(name: str, value: float, config: RunConfig | None = None) -> bool | None:
    """Whether a number is where it should be; None where nobody can say."""
    low, high = _range(name, config)
    if low is None and high is None:
        return None
    return (low is None or value >= low) and (high is None or value <= high)


def _range(name: str, config: RunConfig | None) -> tuple[float | None, float | None]:
    if config is not None and name == "learn/lag_mean":
        return None, float(config.replay.max_lag)
    if config is not None and name == "learn/replay_ratio":
        asked = config.learner.replay_ratio
        # Half, because what may be ahead counts: it is reached when twice as much is collected.
        low = None if config.collect.max_ahead is None else asked / 2
        # The learner looks before an update and not within, so that it ends a little above.
        return low, 1.1 * asked
    if config is not None and name == "learn/ratio/clipped":
        return None, _MOST_CLIPPED if config.algorithm.rho_max >= _WIDE else None
    gauge = BY_NAME.get(name)
    return (gauge.low, gauge.high) if gauge else (None, None)
