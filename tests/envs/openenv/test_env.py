"""OpenEnv servers as devices of ours: one that comes with OpenEnv itself, and our own."""

from __future__ import annotations

import importlib.resources
import importlib.util
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from distrl import actions
from distrl.clock import RealClock
from distrl.envs.device_kinds import device_factory, env_on
from distrl.errors import ConfigError, DeviceLost
from distrl.interfaces import Env
from distrl.run.train import train
from distrl.tasks.suites import find_task, load_suite
from distrl.types import Outcome

pytest.importorskip("websockets")
from distrl.integrations.openenv.serve import Offer, serving_openenv


@contextmanager
def echoing(folder: Path) -> Iterator[str]:
    """The environment that `openenv init` begins with, on OpenEnv's own server."""
    server = pytest.importorskip(
        "openenv.core.env_server.http_server", reason="openenv is not installed"
    )
    import uvicorn

    template = importlib.resources.files("openenv.cli") / "templates" / "openenv_env"
    for source, name in (
        (template / "models.py", "models"),
        (template / "server" / "__ENV_NAME___environment.py", "echo_environment"),
    ):
        text = source.read_text("utf-8").replace("__ENV_CLASS_NAME__", "Echo")
        (folder / f"{name}.py").write_text(text.replace("__ENV_TITLE_NAME__", "Echo"))
    models, environment = (_module(folder, name) for name in ("models", "echo_environment"))
    app = server.create_fastapi_app(
        environment.EchoEnvironment,
        models.EchoAction,
        models.EchoObservation,
        max_concurrent_envs=8,
    )
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        running = uvicorn.Server(
            uvicorn.Config(app, log_level="warning", ws="websockets-sansio", lifespan="off")
        )
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        assert RealClock().wait_until(lambda: running.started, timeout=30)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            running.should_exit = True
            thread.join(10)


def _module(folder: Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with echoing(tmp_path_factory.mktemp("echo")) as url:
        yield url
    for name in ("models", "echo_environment"):
        sys.modules.pop(name, None)


def env_of(suite: str) -> Env:
    env, oracle = env_on(device_factory(suite).make_device("served"))
    assert oracle is None
    return env


def test_an_environment_that_we_did_not_write_is_played(echo: str) -> None:
    suite = f"openenv:{echo}#steps=4"
    env = env_of(suite)
    seen = env.reset(find_task(f"{suite}/train/3"))
    assert [e.text for e in seen.elements or ()][:1] == ["echoed_message: Echo environment ready!"]
    after = env.step(actions.type_text("hello"))
    assert (after.outcome, after.refused) == (None, "")
    assert "echoed_message: hello" in [e.text for e in after.observation.elements or ()]
    wasted = env.step(actions.swipe(0.1, 0.1, 0.2, 0.2))
    assert wasted.refused == "this server takes a text"
    end = env.step(actions.complete())  # its last reward was 0.5
    assert (end.outcome, end.reward) == (Outcome.SUCCEEDED, 1.0)
    assert env.verdicts()[0].judge == "server"
    env.reset(find_task(f"{suite}/train/0"))
    env.step(actions.type_text("no"))
    assert env.step(actions.complete()).outcome is Outcome.FALSE_COMPLETE
    env.reset(find_task(f"{suite}/train/0"))
    ends = [env.step(actions.type_text("long enough")) for _ in range(4)]
    assert ends[-1].outcome is Outcome.STEP_LIMIT
    env.close()


@pytest.mark.slow
def test_a_policy_is_trained_on_it(echo: str, tmp_path: Path) -> None:
    overrides = [f"tasks.suite=openenv:{echo}#steps=3", "max_episodes=20", "collect.devices=2"]
    result = train("debug", overrides, run_dir=tmp_path / "run")
    assert result.success is not None
    assert result.episodes >= 20
    assert result.updates > 0


def test_our_own_server_is_played_as_the_phone_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving_openenv(Offer(suite="starter", sessions=2)) as served:
        monkeypatch.setenv("DISTRL_OPENENV_TOKEN", served.access.token)
        suite = f"openenv:{served.origin}"
        env = env_of(suite)
        seen = env.reset(find_task(f"{suite}/val/0"))
        assert env.goal  # type: ignore[attr-defined]
        assert seen.elements
        after = env.step(actions.press("home"))
        assert after.observation.app == "launcher"
        assert after.observation.screen.shape == (400, 180, 3)
        assert env.step(actions.complete()).outcome is Outcome.FALSE_COMPLETE
        env.close()


def test_a_server_that_does_not_answer_is_a_lost_device(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        suite = f"openenv:http://127.0.0.1:{nobody.getsockname()[1]}"
    with pytest.raises(DeviceLost, match="gave no answer"):
        env_of(suite).reset(find_task(f"{suite}/train/0"))
    with serving_openenv(Offer(suite="starter")) as served:
        monkeypatch.setenv("DISTRL_OPENENV_TOKEN", served.access.token)
        suite = f"openenv:{served.origin}"
        env = env_of(suite)
        env.reset(find_task(f"{suite}/train/0"))
    cut_off = env.step(actions.press("home"))
    assert (cut_off.outcome, cut_off.truncated) == (Outcome.DEVICE_LOST, True)


@pytest.mark.parametrize(
    "name",
    ["openenv:", "openenv:localhost", "openenv:ftp://x", "openenv:http://x#steps=0",
     "openenv:http://x?token=abc", "openenv:http://me:secret@x"],
)  # fmt: skip
def test_what_is_no_address_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="an OpenEnv server is named openenv:URL"):
        load_suite(name)


def test_the_seeds_of_the_splits_differ() -> None:
    suite = load_suite("openenv:http://127.0.0.1:1")
    seeds = [{task.seed for task in suite.tasks(split)} for split in suite.splits]
    assert sum(map(len, seeds)) == len(set().union(*seeds))
