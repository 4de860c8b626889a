"""The routes of the page of runs.

/api/runs                  every run in a line, groups of seeds, the best of each suite
/api/overlay               learning curves of the runs and groups that were picked
/api/overlay/templates     their success per template
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from fastapi import FastAPI, HTTPException, Query
from fastapi.responses import Response

from distrl.web.runs import Runs
from distrl.web.runs_page.bests import best_per_suite
from distrl.web.runs_page.grouping import RunGroup, group_runs
from distrl.web.runs_page.overlay import Over, Pick, overlay, templates_beside
from distrl.web.runs_page.summary import Summaries

Picked = Annotated[list[str], Query(min_length=1)]


def add_runs_page(app: FastAPI, runs: Runs, *, allow_control: bool) -> None:
    """Serve the page of runs over the runs that are watched."""
    summaries = Summaries()

    @app.get("/api/runs")
    def all_runs(wanted: str = "") -> Response:
        """All runs, and what to say of a run that is wanted and is not there."""
        runs.look()
        lines = summaries.of_all(runs)
        groups = group_runs(lines)
        return _answer(
            {
                "control": allow_control,
                "missing": runs.missing(wanted) if wanted else "",
                "runs": lines,
                "groups": groups,
                "bests": best_per_suite(groups, {line.run: line for line in lines}),
            }
        )

    @app.get("/api/overlay")
    def the_overlay(pick: Picked, over: Over = Over.MINUTES) -> Response:
        return _answer(overlay(_find(pick), over))

    @app.get("/api/overlay/templates")
    def the_templates(pick: Picked) -> Response:
        return _answer({"rows": templates_beside(_find(pick))})

    def _find(wanted: Sequence[str]) -> list[Pick]:
        groups = {group.id: group for group in group_runs(summaries.of_all(runs))}
        return [_pick(runs, groups, name) for name in dict.fromkeys(wanted)]


def _pick(runs: Runs, groups: dict[str, RunGroup], wanted: str) -> Pick:
    """A group by its id, or a run by its name; 404 with the nearest name when there is none."""
    if (group := groups.get(wanted)) is not None:
        return Pick(group.id, group.name, [runs[name] for name in group.runs])
    if missing := runs.missing(wanted):
        raise HTTPException(404, missing)
    return Pick(wanted, wanted, [runs[wanted]])


def _answer(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")
