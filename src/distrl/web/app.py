"""The dashboard's routes: a name in, a read model out. What may be asked is decided in `guard`.

    /health                                      somebody is here
    /                                            the page; /static/NAME what it is made of
    /api/runs, /api/overlay                      the page of runs, in `runs_page`
    /api/runs/RUN/status, overview, tasks, lag, fleet    the pages
    /api/runs/RUN/episodes[/ID[/...]]            the list, the player, its screens, its branches
    /api/runs/RUN/events                         server-sent events: something has changed
    /api/runs/RUN/duel                           two checkpoints on the same tasks

Nothing in a request is ever part of a path: runs, episodes, devices, checkpoints and files are
looked up by name among those that there are.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import FastAPI, HTTPException, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from distrl import actions
from distrl.errors import ConfigError
from distrl.run.local.fleet_control import REQUESTS
from distrl.web import live_fleet
from distrl.web.episode_index import Extra, Filter, Order, Range
from distrl.web.front import FOREVER, Files, add_front, answer, files_in
from distrl.web.guard import Access
from distrl.web.microscope import RATIO_EPISODES, microscope
from distrl.web.overview import overview, status
from distrl.web.player import film, listing
from distrl.web.runs import Run, Runs
from distrl.web.runs_page.routes import add_runs_page
from distrl.web.tasks import templates
from distrl.web.torch_worker import TorchWorker

_TICK_SECONDS, _GLANCES = 1.0, 10
"""How often a run is looked at for news, and how often meanwhile whether it is time to end."""
_QUIET_TICKS = 15
"""Ticks without news after which a comment keeps the line open."""
_THINKING_SECONDS = 120.0
_MOST_TASKS = 12
_RATIO_NOTE = f"Ratios are known of the newest {RATIO_EPISODES} episodes only; others are left out."


@dataclass(frozen=True)
class Site:
    """What the routes work with."""

    runs: Runs
    access: Access
    thinker: TorchWorker
    closing: threading.Event = field(default_factory=threading.Event)
    """Set when the server is about to stop: nobody waits for news any more."""

    def run(self, name: str) -> Run:
        """A run by its name; 404 with the nearest name when there is none."""
        try:
            return self.runs[name]
        except KeyError:
            raise HTTPException(404, self.runs.missing(name)) from None

    def known(self, run: Run, *, ratios: bool) -> Extra:
        """Priorities of a run's episodes, and their ratios if somebody asks for them."""
        measured = self.thinker.ratios(run)[0] if ratios else {}
        return Extra(run.priorities(), measured)


class Wanted(BaseModel):
    """A filter, as the address bar says it."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field("", max_length=200)
    suite: str = ""
    split: str = ""
    template: str = ""
    outcome: str = ""
    device: str = ""
    version_low: float | None = None
    version_high: float | None = None
    reward_low: float | None = None
    reward_high: float | None = None
    steps_low: float | None = None
    steps_high: float | None = None
    lag_low: float | None = None
    lag_high: float | None = None
    priority_low: float | None = None
    priority_high: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    order: Order = Order.NEWEST
    offset: int = Field(0, ge=0, le=10_000_000)
    limit: int = Field(50, ge=1, le=200)

    def filter(self) -> Filter:
        """The same for the index."""
        return Filter(
            text=self.text,
            suite=self.suite,
            split=self.split,
            template=self.template,
            outcome=self.outcome,
            device=self.device,
            version=Range(low=self.version_low, high=self.version_high),
            reward=Range(low=self.reward_low, high=self.reward_high),
            steps=Range(low=self.steps_low, high=self.steps_high),
            lag=Range(low=self.lag_low, high=self.lag_high),
            priority=Range(low=self.priority_low, high=self.priority_high),
            ratio=Range(low=self.ratio_low, high=self.ratio_high),
        )


class Asked(BaseModel):
    """What a running fleet should do with one device."""

    model_config = ConfigDict(extra="forbid")

    do: Literal["quarantine", "release", "take", "give", "act"]
    action: str = Field("", max_length=4000)


class Forked(BaseModel):
    """Where and how an episode is branched."""

    model_config = ConfigDict(extra="forbid")

    step: int = Field(ge=0, le=10_000)
    action: str = Field("", max_length=4000)
    then: str = "run"


def make_app(runs: Runs, access: Access) -> FastAPI:
    """The application without its guard; `guarded` puts it in front."""
    site = Site(runs, access, TorchWorker())
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.state.site = site
    app.add_exception_handler(TimeoutError, _ask_again)
    app.add_exception_handler(Exception, _admit)
    add_front(app, static_files(), unchanging=PLOTLY)
    add_runs_page(app, runs, allow_control=access.allow_control)
    _add_pages(app, site)
    _add_episodes(app, site)
    _add_live(app, site)
    return app


async def _ask_again(_: Request, error: Exception) -> Response:
    """What takes torch may take long on a machine that trains."""
    del error
    return JSONResponse({"detail": "this takes too long now; ask again later"}, 503)


async def _admit(_: Request, error: Exception) -> Response:
    """Say what went wrong on the page, too; the server logs the traceback."""
    return JSONResponse({"detail": f"this cannot be read: {type(error).__name__}: {error}"}, 500)


PLOTLY = "plotly.min.js"


def static_files() -> Files:
    """What the page is made of, by name: files of this package, and the plotting library."""
    return {**files_in("distrl.web"), PLOTLY: _plotly}


def _plotly() -> bytes:
    return resources.files("plotly").joinpath("package_data", PLOTLY).read_bytes()


def _add_pages(app: FastAPI, site: Site) -> None:
    @app.get("/api/runs/{run}/status")
    def the_status(run: str) -> Response:
        return answer(status(site.run(run)))

    @app.get("/api/runs/{run}/overview")
    def the_overview(run: str) -> Response:
        return answer(overview(site.run(run)))

    @app.get("/api/runs/{run}/tasks")
    def the_tasks(run: str) -> Response:
        return answer({"templates": templates(site.run(run).index.table())})

    @app.get("/api/runs/{run}/lag")
    def the_lag(run: str) -> Response:
        found = site.run(run)
        ratios, measuring = site.thinker.ratios(found)
        extra = Extra(found.priorities(), ratios)
        config = found.settings.config
        max_lag = config.replay.max_lag if config else None
        charts = microscope(found.index.table(), extra, max_lag=max_lag)
        return answer({"charts": charts, "measuring": measuring, "measured": len(ratios)})

    @app.get("/api/runs/{run}/duel")
    def the_duel(
        run: str, left: str, right: str, tasks: Annotated[int, Query(ge=1, le=_MOST_TASKS)] = 4
    ) -> Response:
        found = site.run(run)
        names = [checkpoint.name for checkpoint in found.checkpoints()]
        for name in (left, right):
            if name not in names:
                raise HTTPException(404, f"there is no checkpoint named {name!r}")
        played = site.thinker.do(partial(_play_duel, found, (left, right), tasks))
        return answer({"rows": played.result(_THINKING_SECONDS)})


def _play_duel(run: Run, checkpoints: tuple[str, ...], count: int) -> list[dict[str, Any]]:
    from distrl.collect.evaluation.evaluate import select_tasks
    from distrl.run.inspection.critic_values import policy_of
    from distrl.web.duel import duel

    config = run.config
    policies = [policy_of(run.folder, config, name) for name in checkpoints]
    tasks = select_tasks(config.tasks.suite, config.evaluate.split, tasks=count)
    return duel(policies, tasks, config.phone)


def _add_episodes(app: FastAPI, site: Site) -> None:
    @app.get("/api/runs/{run}/episodes")
    def the_list(run: str, wanted: Annotated[Wanted, Query()]) -> Response:
        found = site.run(run)
        by_ratio = wanted.ratio_low is not None or wanted.ratio_high is not None
        extra = site.known(found, ratios=by_ratio)
        page = listing(
            found.index.table(),
            wanted.filter(),
            wanted.order,
            extra,
            offset=wanted.offset,
            limit=wanted.limit,
        )
        return answer({**page, "note": _RATIO_NOTE if by_ratio else ""})

    @app.get("/api/runs/{run}/episodes/{episode}")
    def the_player(run: str, episode: str) -> Response:
        found = site.run(run)
        table = found.index.table()
        row = _row(found, episode)
        around = {
            "before": table.ids[row - 1] if row > 0 else None,
            "after": table.ids[row + 1] if row + 1 < len(table) else None,
        }
        reader = found.index.reader
        assert reader is not None, "the episode was found in it"
        return answer(
            {
                **film(reader.get(episode)),
                **around,
                "lag": int(table.columns["lag"][row]),
                "priority": found.priorities().get(episode),
            }
        )

    @app.get("/api/runs/{run}/episodes/{episode}/insight")
    def the_insight(run: str, episode: str) -> Response:
        found = site.run(run)
        number = int(found.index.table().columns["number"][_row(found, episode)])
        seen = site.thinker.look(found, number, timeout=_THINKING_SECONDS)
        if seen is None:
            return answer({"checkpoint": None, "steps": []})
        return answer({"checkpoint": seen[0], "steps": seen[1].steps})

    @app.get("/api/runs/{run}/episodes/{episode}/screens/{place}")
    def the_screen(run: str, episode: str, place: int) -> Response:
        reader = site.run(run).index.reader
        try:
            picture = b"" if reader is None else reader.picture(episode, place)
        except KeyError:
            picture = b""
        if not picture:
            raise HTTPException(404, "there is no such screen")
        kind = "image/png" if picture.startswith(b"\x89PNG") else "image/webp"
        return Response(picture, media_type=kind, headers={"cache-control": FOREVER})

    @app.get("/api/runs/{run}/episodes/{episode}/branch")
    def the_branch(run: str, episode: str, fork: Annotated[Forked, Query()]) -> Response:
        found = site.run(run)
        _row(found, episode)
        forked = site.thinker.do(partial(_fork, found, episode, fork))
        return answer(forked.result(_THINKING_SECONDS))


def _fork(run: Run, episode: str, fork: Forked) -> dict[str, Any]:
    from distrl.run.inspection.critic_values import policy_of
    from distrl.web.branch import branch

    reader = run.index.reader
    assert reader is not None, "the episode was found in it"
    return branch(
        reader.get(episode),
        step=fork.step,
        action=fork.action,
        then=fork.then,
        phone=run.config.phone,
        load_policy=partial(policy_of, run.folder, run.config),
    )


def _row(run: Run, episode: str) -> int:
    """The place of an episode in the index; 404 when there is none."""
    try:
        return run.index.table().ids.index(episode)
    except ValueError:
        raise HTTPException(404, f"there is no episode named {episode!r}") from None


def _add_live(app: FastAPI, site: Site) -> None:
    @app.get("/api/runs/{run}/fleet")
    def the_fleet(run: str) -> Response:
        found = site.run(run)
        live_fleet.watch(found)
        return answer(
            {
                **live_fleet.fleet(found),
                "last": live_fleet.last_episodes(found),
                "control": site.access.allow_control,
            }
        )

    @app.get("/api/runs/{run}/fleet/{device}/screen")
    def the_device(run: str, device: str) -> Response:
        picture = live_fleet.screen(site.run(run), device)
        if picture is None:
            raise HTTPException(404, "there is no such screen")
        return Response(picture, media_type="image/png")

    @app.post("/api/runs/{run}/fleet/{device}")
    def the_request(run: str, device: str, asked: Asked) -> Response:
        assert asked.do in REQUESTS
        found = site.run(run)
        if not any(row.get("device") == device for row in live_fleet.fleet(found)["devices"]):
            raise HTTPException(404, f"there is no device named {device!r}")
        if asked.do == "act" and actions.parse(asked.action) is None:
            raise ConfigError(f"{asked.action!r} is no action, such as tap(0.5, 0.25)")
        live_fleet.ask(found, {"do": asked.do, "device": device, "action": asked.action})
        return answer({"asked": asked.do})

    @app.get("/api/runs/{run}/events")
    async def the_events(run: str, request: Request) -> Response:
        found = site.run(run)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        news = _news(found, request, site.closing)
        return StreamingResponse(news, media_type="text/event-stream", headers=headers)


async def _news(run: Run, request: Request, closing: threading.Event) -> AsyncIterator[str]:
    """A line whenever the run has something new, and now and then one without news."""
    told, quiet = "", 0
    while not await request.is_disconnected():
        now = json.dumps(await to_thread.run_sync(status, run))
        if now != told:
            told, quiet = now, 0
            yield f"event: status\ndata: {now}\n\n"
        elif (quiet := quiet + 1) >= _QUIET_TICKS:
            quiet = 0
            yield ": still here\n\n"
        for _ in range(_GLANCES):
            if closing.is_set():
                return
            await asyncio.sleep(_TICK_SECONDS / _GLANCES)
