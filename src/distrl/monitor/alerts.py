"""Alerts: rules over a run's metrics, reported once when they begin to hold and once when they end.

    numbers --> check (pure) --> what is new --> the terminal, RUN/alerts.jsonl, a webhook

The dashboard reads the file. A webhook that does not answer is reported once, and blocks nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from http.client import HTTPException
from pathlib import Path
from queue import Queue
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from distrl.config.run import AlertsConfig
from distrl.errors import ConfigError
from distrl.monitor.gauges import JUDGE_APART, SUCCESS

ALERTS = "alerts.jsonl"
_ENOUGH = 200
"""Episodes before a success rate counts: the running mean is over as many, and noisy before."""
_SMOOTHED = 10
"""Newest values of the entropy that are averaged: that of a single update is noisy."""
_SOLVED = 0.9
"""Success from which a low entropy is no alarm: there is little left to find by exploring."""
_DISK_SECONDS = 30.0
"""Between two looks at the free space: a disk does not fill faster than that matters."""
_WEBHOOK_SECONDS = 5.0
_GB = 1e9


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that a person should look at."""

    name: str
    """The rule, and what it is about, if there are several."""
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """The numbers that the rules are checked against."""

    success: Mapping[str, float]
    """Running success by suite."""
    best: Mapping[str, float]
    """The highest it has been."""
    entropy: Sequence[float] = ()
    """The newest values."""
    disputed: float | None = None
    judge_apart: float | None = None
    """A judge's success rate less that of the state check."""
    lost: float = 0.0
    free_gb: float | None = None


def check(rules: AlertsConfig, signs: Signs) -> list[Alert]:
    """The rules that hold now; a pure function."""
    return [
        *_success(rules.success_falls, signs),
        *_entropy(rules.entropy_below, signs),
        *_judges(rules.judges_disagree, signs),
        *_judge_apart(rules.judge_apart, signs),
        *_devices(rules.devices_lost, signs),
        *_disk(rules.disk_below_gb, signs),
    ]


def _success(limit: float | None, signs: Signs) -> list[Alert]:
    return [
        Alert(
            f"success/{suite}",
            f"Success on {suite} falls.",
            f"It is {now:.2f} and was {signs.best[suite]:.2f}.",
        )
        for suite, now in signs.success.items()
        if limit is not None and signs.best.get(suite, now) - now > limit
    ]


def _entropy(limit: float | None, signs: Signs) -> list[Alert]:
    """A policy that stopped exploring too early: before nearly every episode succeeds.

    Success has to be known: a policy that was cloned well is at 0 nats from its first update.
    """
    if limit is None or len(signs.entropy) < _SMOOTHED or not signs.success:
        return []
    level, lowest = sum(signs.entropy) / len(signs.entropy), min(signs.success.values())
    if level >= limit or lowest >= _SOLVED:
        return []
    text = (
        f"It is {level:.3f} nats at a success of {lowest:.2f}: the policy hardly explores any more."
    )
    return [Alert("entropy", "The entropy has collapsed.", text)]


def _judges(limit: float | None, signs: Signs) -> list[Alert]:
    if limit is None or signs.disputed is None or signs.disputed <= limit:
        return []
    text = f"They disagree on {100 * signs.disputed:.0f} % of the newest episodes."
    return [Alert("judges", "A judge drifts.", text)]


def _judge_apart(limit: float | None, signs: Signs) -> list[Alert]:
    if limit is None or signs.judge_apart is None or abs(signs.judge_apart) <= limit:
        return []
    points = 100 * signs.judge_apart
    text = f"Its success rate is {points:+.0f} points from theirs on the newest episodes."
    return [Alert("judge_apart", "The judge parts from the state checks.", text)]


def _devices(limit: int | None, signs: Signs) -> list[Alert]:
    if limit is None or signs.lost < limit:
        return []
    return [Alert("devices", "Devices are lost.", f"{signs.lost:.0f} are out of use.")]


def _disk(limit: float | None, signs: Signs) -> list[Alert]:
    if limit is None or signs.free_gb is None or signs.free_gb >= limit:
        return []
    return [Alert("disk", "The disk is nearly full.", f"{signs.free_gb:.1f} GB are left.")]


class AlertMonitor:
    """A Monitor that raises alerts. Any thread may record."""

    def __init__(self, folder: Path, rules: AlertsConfig, *, tell: Callable[[str], None]) -> None:
        """Go on in a run's folder; ConfigError when the webhook is no address."""
        self._folder, self._rules, self._tell = folder, rules, tell
        self._lock = threading.Lock()
        self._success: dict[str, float] = {}
        self._best: dict[str, float] = {}
        self._entropy: deque[float] = deque(maxlen=_SMOOTHED)
        self._disputed: float | None = None
        self._judge_apart: float | None = None
        self._lost = 0.0
        self._free: tuple[float, float | None] = (-_DISK_SECONDS, None)
        self._raised = {alert.name: alert for alert in raised(folder)}
        self._webhook = Webhook.of(os.environ.get(rules.webhook_variable, ""), tell)

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Look at new numbers."""
        with self._lock:
            self._note(numbers, step)
            signs = Signs(
                success=self._success,
                best=self._best,
                entropy=tuple(self._entropy),
                disputed=self._disputed,
                judge_apart=self._judge_apart,
                lost=self._lost,
                free_gb=self._free_gb(),
            )
            # By name, not by text: the text has numbers in it, which change while an alert holds.
            holding = {alert.name: alert for alert in check(self._rules, signs)}
            begun = [alert for name, alert in holding.items() if name not in self._raised]
            ended = [alert for name, alert in self._raised.items() if name not in holding]
            self._raised = holding
            for alert, is_on in [*((a, True) for a in begun), *((a, False) for a in ended)]:
                self._report(alert, is_on=is_on)

    def close(self) -> None:
        """Send what is still to be sent."""
        if self._webhook is not None:
            self._webhook.close()

    def _note(self, numbers: Mapping[str, float], step: int) -> None:
        for name, value in numbers.items():
            if name.startswith(SUCCESS) and step >= _ENOUGH:
                suite = name.removeprefix(SUCCESS)
                self._success[suite] = value
                self._best[suite] = max(value, self._best.get(suite, value))
        # Collectors and the learner record apart: what is not among these numbers keeps its value.
        if "learn/entropy" in numbers:
            self._entropy.append(numbers["learn/entropy"])
        self._disputed = numbers.get("collect/disputed", self._disputed)
        self._judge_apart = numbers.get(JUDGE_APART, self._judge_apart)
        self._lost = numbers.get("fleet/retired", self._lost)

    def _free_gb(self) -> float | None:
        at, free = self._free
        if time.monotonic() - at >= _DISK_SECONDS:
            free = shutil.disk_usage(self._folder).free / _GB
            self._free = time.monotonic(), free
        return free

    def _report(self, alert: Alert, *, is_on: bool) -> None:
        line = {"at": round(time.time(), 3), "on": is_on, **asdict(alert)}
        with (self._folder / ALERTS).open("ab", buffering=0) as file:
            file.write(json.dumps(line).encode() + b"\n")
        self._tell(f"{'alert' if is_on else 'over'}: {alert.title} {alert.text}")
        if self._webhook is not None:
            self._webhook.send({"run": self._folder.name, **line})


class Webhook:
    """Posts JSON to an address, from a thread of its own, so that no caller waits."""

    def __init__(self, address: str, tell: Callable[[str], None]) -> None:
        """ConfigError unless it is an http or https address."""
        if not _is_address(address):
            raise ConfigError(
                "the webhook for alerts must be an http or https address (it is not shown here)"
            )
        self._address, self._tell = address, tell
        self._queue: Queue[dict[str, object] | None] = Queue()
        self._thread = threading.Thread(target=self._run, name="webhook", daemon=True)
        self._thread.start()

    @classmethod
    def of(cls, address: str, tell: Callable[[str], None]) -> Webhook | None:
        """None where there is no address."""
        return cls(address, tell) if address else None

    def send(self, message: dict[str, object]) -> None:
        """Queue a message; returns at once."""
        self._queue.put(message)

    def close(self) -> None:
        """Wait, for two timeouts at most, until queued messages were sent."""
        self._queue.put(None)
        self._thread.join(2 * _WEBHOOK_SECONDS)

    def _run(self) -> None:
        failed = False
        while (message := self._queue.get()) is not None:
            body = json.dumps(message).encode()
            request = Request(  # noqa: S310 - the scheme was checked
                self._address, body, {"Content-Type": "application/json"}, method="POST"
            )
            try:
                with urlopen(request, timeout=_WEBHOOK_SECONDS):  # noqa: S310 - as above
                    pass
            except (OSError, HTTPException) as error:
                if not failed:
                    # Not the address: it may hold a secret.
                    self._tell(f"the webhook for alerts does not work: {type(error).__name__}")
                failed = True


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def raised(folder: Path) -> list[Alert]:
    """The alerts of a run that have begun and not ended."""
    try:
        lines = (folder / ALERTS).read_bytes().splitlines()
    except FileNotFoundError:
        return []
    holding: dict[str, Alert] = {}
    for line in lines:
        try:
            row = json.loads(line)
            alert = Alert(str(row["name"]), str(row["title"]), str(row["text"]))
        except (ValueError, KeyError, TypeError):
            continue
        holding.pop(alert.name, None)
        if row.get("on"):
            holding[alert.name] = alert
    return list(holding.values())
