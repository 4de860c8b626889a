"""What a run counts of its acknowledged episodes."""

from __future__ import annotations

import threading
from collections import Counter, deque
from pathlib import Path

from distrl.collect.judging.verdicts import apart, opinions
from distrl.interfaces import Clock
from distrl.monitor.gauges import JUDGE_APART, RECENT_EPISODES
from distrl.types import Episode, Outcome

_ENOUGH_OPINIONS = 50
"""Episodes judged by both the state check and a judge before their difference is reported: with
fewer it is mostly chance, and would raise false alarms."""
_RATE_SECONDS = 30.0
"""Window of the rates: several episodes long even for slow devices."""
_LAG_SMOOTHING = 0.05
"""Weight of the newest episode in the moving average (EMA) of staleness: about the last twenty."""


class EpisodeCounters:
    """Counts; any thread may add."""

    def __init__(self, clock: Clock, *, episodes: int = 0, steps: int = 0) -> None:
        """Go on from what is stored already."""
        self._clock = clock
        self._lock = threading.Lock()
        self.episodes, self.steps = episodes, steps
        self._outcomes: Counter[Outcome] = Counter()
        self._recent: dict[str, deque[bool]] = {}
        self._decide_seconds = self._counted_steps = 0.0
        self._times: deque[tuple[float, int]] = deque()
        self._lag: float = 0.0
        self._disputes: deque[bool] = deque(maxlen=RECENT_EPISODES)
        self._opinions: deque[tuple[bool, bool]] = deque(maxlen=RECENT_EPISODES)

    def add(self, episode: Episode, *, version: int) -> None:
        """Count an episode that is durable; `version` is the newest that acts."""
        now = self._clock.now()
        with self._lock:
            self.episodes += 1
            self.steps += len(episode.steps)
            self._outcomes[episode.outcome] += 1
            self._times.append((now, len(episode.steps)))
            while self._times[0][0] < now - _RATE_SECONDS:
                self._times.popleft()
            self._decide_seconds += sum(step.decide_seconds for step in episode.steps)
            self._counted_steps += len(episode.steps)
            if episode.outcome.trainable:
                recent = self._recent.setdefault(episode.task.suite, deque(maxlen=RECENT_EPISODES))
                recent.append(episode.succeeded)
            said = [v.success for v in episode.verdicts if v.success is not None]
            if len(said) > 1:
                self._disputes.append(len(set(said)) > 1)
            both = opinions(episode)
            if both is not None:
                self._opinions.append(both)
            if episode.steps:
                # By its oldest step, as replay counts staleness.
                oldest = min(step.choice.version for step in episode.steps)
                self._lag += _LAG_SMOOTHING * (version - oldest - self._lag)

    def gauges(self) -> dict[str, float]:
        """How much there is, how fast it comes and how good it is."""
        now = self._clock.now()
        with self._lock:
            # At the start of a run there is less than a window to look back on.
            window = min(_RATE_SECONDS, max(1e-9, now))
            times = [(at, steps) for at, steps in self._times if at >= now - window]
            counted = max(1, sum(self._outcomes.values()))
            numbers = {
                "collect/episodes": float(self.episodes),
                "collect/steps": float(self.steps),
                "collect/episodes_per_second": len(times) / window,
                "collect/steps_per_second": sum(steps for _, steps in times) / window,
                "collect/decide_ms": 1000 * self._decide_seconds / max(1.0, self._counted_steps),
                "collect/lag": self._lag,
                "collect/faults": float(
                    sum(n for outcome, n in self._outcomes.items() if not outcome.trainable)
                ),
            }
            for suite, recent in self._recent.items():
                numbers[f"collect/success/{suite}"] = sum(recent) / len(recent)
            if self._disputes:
                numbers["collect/disputed"] = sum(self._disputes) / len(self._disputes)
            if len(self._opinions) >= _ENOUGH_OPINIONS:
                numbers[JUDGE_APART] = apart(self._opinions)
            for outcome in Outcome:
                numbers[f"collect/share/{outcome}"] = self._outcomes[outcome] / counted
            return numbers


class AcknowledgementLog:
    """Appends the id of each acknowledged episode to a file, to check the store against."""

    def __init__(self, path: Path) -> None:
        """Open the file; what a run of before wrote stays."""
        # Unbuffered: what was acknowledged must be in the file when the process is killed.
        self._file = path.open("ab", buffering=0)

    def note(self, episode: Episode) -> None:
        """One write, so that a line is never half there for a reader."""
        self._file.write(f"{episode.id}\n".encode())

    def close(self) -> None:
        """Close the file."""
        self._file.close()
