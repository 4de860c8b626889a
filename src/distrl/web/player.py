"""Episodes as the page shows them: rows of a list, and one with all its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from distrl.collect.takeover import HUMAN
from distrl.run.report.film import describe
from distrl.types import Action, Episode, Step
from distrl.web.episode_index import (
    NO_VERSION,
    Extra,
    Filter,
    Order,
    Table,
    counters,
    order,
    select,
)


def listing(
    table: Table, wanted: Filter, by: Order, extra: Extra, *, offset: int, limit: int
) -> dict[str, Any]:
    """A page of episodes, and what else the filter leaves."""
    mask = select(table, wanted, extra)
    rows = order(table, mask, by, extra)
    return {
        "total": len(rows),
        "offset": offset,
        "rows": [summary(table, int(row), extra) for row in rows[offset : offset + limit]],
        "choices": {
            name: counters(table, mask, name) for name in ("outcome", "template", "device", "split")
        },
    }


def summary(table: Table, row: int, extra: Extra) -> dict[str, Any]:
    """One line of the list."""
    columns, name = table.columns, table.ids[row]
    first, last = int(columns["min_version"][row]), int(columns["max_version"][row])
    task = table.text("task_id", row)
    return {
        "id": name,
        "number": int(columns["number"][row]),
        "task": task,
        "goal": table.goals.get(task, ""),
        "template": table.text("template", row),
        "split": table.text("split", row),
        "outcome": table.text("outcome", row),
        "device": table.text("device", row),
        "steps": int(columns["steps"][row]),
        "reward": float(columns["reward"][row]),
        "seconds": float(columns["ended"][row] - columns["started"][row]),
        "first_version": None if first == NO_VERSION else first,
        "last_version": None if last == NO_VERSION else last,
        "lag": int(columns["lag"][row]),
        "priority": extra.priority.get(name),
        "ratio": extra.ratio.get(name),
        "fault": table.faults.get(row, ""),
    }


def film(episode: Episode) -> dict[str, Any]:
    """An episode with all its steps; screens are asked for one by one."""
    task = episode.task
    return {
        "id": episode.id,
        "task": {**asdict(task), "parameters": dict(task.parameters), "seed": str(task.seed)},
        "outcome": episode.outcome.value,
        "verdicts": [
            {**asdict(verdict), "side_effects": list(verdict.side_effects)}
            for verdict in episode.verdicts
        ],
        "device": episode.device,
        "started": episode.started,
        "ended": episode.ended,
        "fault": episode.fault,
        "steps": [step_view(step) for step in episode.steps],
        "final": episode.final is not None,
        "doubt": next(filter(None, _doubts(episode)), ""),
    }


def _doubts(episode: Episode) -> list[str]:
    """Of each screen, why it may differ from what the device showed."""
    seen = [step.observation for step in episode.steps]
    seen += [] if episode.final is None else [episode.final]
    return [observation.picture.doubt for observation in seen]


def step_view(step: Step) -> dict[str, Any]:
    """What was decided in one step, by whom, and what came of it."""
    choice = step.choice
    return {
        "action": action_view(choice.action),
        "words": describe(choice.action, step.observation),
        "app": step.observation.app,
        "human": choice.digest == HUMAN,
        "log_prob": choice.log_prob,
        "entropy": choice.entropy,
        "version": choice.version,
        "digest": choice.digest[:12],
        "reward": step.reward,
        "penalties": {name: value for name, value in step.penalties.items() if value},
        "decide_ms": 1000 * step.decide_seconds,
        "device_ms": 1000 * step.device_seconds,
    }


def action_view(action: Action) -> dict[str, Any]:
    """An action in plain values, for drawing."""
    plain: Mapping[str, Any] = asdict(action)
    return {**plain, "kind": action.kind.value, "key": action.key and action.key.value}
