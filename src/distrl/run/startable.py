"""Whether a run can start: everything that can be known before anything is built or written.

`distrl train`, `distrl train --dry-run` and `distrl.train` call `check_startable`. It takes a few
seconds at most and leaves nothing behind, so a mistyped name or an absent phone costs seconds and
not the minutes of a warm start. Names are looked up and files and packages are looked for; phones,
servers and GPUs are asked whether they are there. torch is imported only where it is asked about.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from distrl.collect.demonstrations import any_to_clone
from distrl.config import RunConfig
from distrl.config.judges import SCRIPTED
from distrl.config.learn import OptimiserKind
from distrl.config.options import refuse_options
from distrl.devices.android.emulator import find_emulator
from distrl.devices.browser.chromium import find_chromium
from distrl.envs.device_kinds import device_factory
from distrl.errors import ConfigError, unknown_name
from distrl.learn.algorithms import require_algorithm
from distrl.monitor.trackers import require_trackers
from distrl.run.builders.adb_servers import require_phones_there
from distrl.run.builders.android import check_phones
from distrl.run.builders.judge import require_judge
from distrl.run.builders.policy_names import BUILT_IN_POLICIES, require_trainable_policy
from distrl.run.state.episode_sources import open_episodes
from distrl.run.state.folder import require_writable
from distrl.tasks.suites import Suite, is_over_adb, load_suite
from distrl.tasks.web.trial import require_working_checks

_ANSWER_SECONDS = 5.0
"""How long a server may take to accept a connection: several round trips over a bad network, and
short enough for somebody who waits for a dry run."""
_NOBODY_KNOWS = ("page", "openenv", "browsergym", "mobilegym")
"""Kinds of devices on which there is no oracle."""
_INITS = ("warm_start", "scratch", "pretrained")

Check = Callable[[RunConfig], None]
"""Raises ConfigError for one thing that would keep a run from starting."""


def check_startable(config: RunConfig, *, resumed: bool = False) -> None:
    """ConfigError that tells all that would keep a run from starting, a line each.

    A resumed run has its first weights already, so where they came from is not looked at.
    """
    problems: list[str] = []
    for check in (*_ALWAYS, *(() if resumed else _AT_THE_FIRST_START)):
        try:
            check(config)
        except ConfigError as error:
            problems.append(str(error))
    if problems:
        raise ConfigError("\n".join(dict.fromkeys(problems)))


def _algorithm(config: RunConfig) -> None:
    require_algorithm(config.algorithm.name)
    if config.algorithm.optimiser is OptimiserKind.ADAMW_8BIT:
        from distrl.learn.optimisers import require_bitsandbytes

        require_bitsandbytes()


def _policy(config: RunConfig) -> None:
    require_trainable_policy(config.policy.name)
    refuse_options(config.policy.options, "policy.options", config.policy.name, BUILT_IN_POLICIES)
    if config.policy.name == "lm":
        from distrl.policies.lm.loading import require_language_model

        require_language_model(config.policy.lm.model)


def _tasks(config: RunConfig) -> None:
    """The suite, its splits, and what its devices need on this machine."""
    suite = _suite(config)
    _split(suite, "tasks.split", config.tasks.split)
    _split(suite, "evaluate.split", config.evaluate.split)
    cloned = config.init == "warm_start" and config.warm_start.target is not None
    if cloned or config.evaluate.every_minutes is not None:
        _split(suite, "evaluate.every_minutes, or a warm start, looks at a split that", "val")
    if suite.device == "page":
        find_chromium()
        if config.engine != "ray":  # there, pages are opened on machines that have a browser
            require_working_checks(config.tasks.suite)
    if not is_over_adb(config.tasks.suite):
        factory = device_factory(
            config.tasks.suite,
            phone=config.phone,
            factors=config.tasks.factors,
            options=config.collect.options,
        )
        if factory.kind == "phone":
            factory.make_device("check")  # it knows the names of nuisances and of apps


def _suite(config: RunConfig) -> Suite:
    name = config.tasks.suite
    suite = load_suite(name)
    if name.partition(":")[2] and not any(suite.tasks(split) for split in suite.splits):
        raise ConfigError(f"tasks.suite is {name!r}, whose templates have no tasks")
    return suite


def _split(suite: Suite, key: str, split: str) -> None:
    if split not in suite.splits:
        raise unknown_name(key, split, suite.splits)
    if not suite.tasks(split):
        filled = [name for name in suite.splits if suite.tasks(name)]
        raise ConfigError(
            f"{key} is {split!r}, and {suite.name} has no tasks in it "
            f"(splits with tasks: {', '.join(filled) or 'none'})"
        )


def _engine(config: RunConfig) -> None:
    if config.engine == "virtual":
        from distrl.run.virtual.training import require_virtual

        require_virtual(config)


def _torch_device(config: RunConfig) -> None:
    several = config.learner.processes > 1
    if config.device in ("auto", "cpu") and not several:
        return
    from distrl.run.builders.torch_device import choose_device
    from distrl.run.multi_learner.process_group import own_device, require_accelerate

    own_device(choose_device(config.device), 0, config.learner.processes)
    if several:
        require_accelerate()


def _judge(config: RunConfig) -> None:
    if config.engine == "ray":  # hosts judge what they play, with what is installed there
        return
    require_judge(config)
    if config.judge.asks_a_model and config.judge.endpoint != SCRIPTED:
        _answers("judge.endpoint", config.judge.endpoint)


def _served_model(config: RunConfig) -> None:
    served = config.policy.lm.served.endpoint
    if config.policy.name == "lm" and served and config.engine != "ray":
        _answers("policy.lm.served.endpoint", served)


def _answers(key: str, address: str) -> None:
    """ConfigError unless somebody accepts connections at the address of a server."""
    url = urlsplit(address)
    port = url.port or (443 if url.scheme == "https" else 80)
    try:
        socket.create_connection((url.hostname or "", port), timeout=_ANSWER_SECONDS).close()
    except OSError as error:
        raise ConfigError(
            f"{key} is {address}, where nobody answers ({error.strerror or error}): start the "
            "server, or correct the address"
        ) from error


def _phones(config: RunConfig) -> None:
    if config.engine == "ray":  # phones are at the hosts
        return
    check_phones(config)
    if config.collect.android.emulators.count:
        find_emulator(config.collect.android.emulators.program)
    require_phones_there(config.collect.android)


def _cassettes(config: RunConfig) -> None:
    kept = config.collect.cassettes
    if kept is None or config.engine == "ray":  # there, hosts keep what they play
        return
    try:
        require_writable(Path(kept))
    except ConfigError as error:
        raise ConfigError(f"collect.cassettes: {error}") from error


def _trackers(config: RunConfig) -> None:
    require_trackers(config.monitor)
    if config.monitor.wandb is not None and find_spec("wandb") is None:
        raise ConfigError(
            "monitor.wandb needs the package wandb: pip install 'distrl[wandb]', or set "
            "monitor.wandb=null"
        )


def _initial_weights(config: RunConfig) -> None:
    init = config.init
    given = config.warm_start.episodes
    if given is not None and init != "warm_start":
        raise ConfigError(
            f"warm_start.episodes is {given}, and init is {init}, which clones nothing: set "
            "init=warm_start, or leave warm_start.episodes out"
        )
    if init == "scratch":
        return
    if init == "warm_start":
        _demonstrations(config)
        return
    if Path(init).is_file():
        raise ConfigError(
            f"init is {init}, a file; it takes {', '.join(_INITS)} or the folder of a run"
        )
    if not Path(init).is_dir() and init.partition(":")[0] != "pretrained":
        raise unknown_name("init", init, (*_INITS, "the folder of a run"))
    # Imported here, for torch comes with it.
    from distrl.run.builders.given_sizes import fit_sizes
    from distrl.run.builders.initial_weights import weights_of_init
    from distrl.run.builders.pointer import require_fitting

    offered = weights_of_init(init)
    if config.policy.name == "pointer":
        require_fitting(fit_sizes(config), offered.weights, offered.where)
    elif init.partition(":")[0] == "pretrained" and config.policy.name in BUILT_IN_POLICIES:
        raise ConfigError(
            f"init is {init}, a pointer, and policy.name is {config.policy.name}: set "
            "policy.name=pointer, or init to the folder of a run of this policy"
        )


def _demonstrations(config: RunConfig) -> None:
    """There are episodes to clone, or somebody knows the way and can record them."""
    where = config.warm_start.episodes
    if where is not None:
        with open_episodes(where) as source:
            if not len(source.episodes):
                raise ConfigError(f"warm_start.episodes is {where}, which holds no episode")
            suite, split = config.tasks.suite, config.tasks.split
            if not any_to_clone(source.episodes, suite=suite, split=split):
                raise ConfigError(
                    f"warm_start.episodes is {where}, none of whose {len(source.episodes)} "
                    f"episodes can be cloned: only successes are, and of {suite} only those of "
                    f"the split {split}"
                )
    elif load_suite(config.tasks.suite).device in _NOBODY_KNOWS:
        raise ConfigError(
            f"nobody knows the way in {config.tasks.suite}, so no demonstrations can be recorded: "
            "set init to scratch, or to the folder of a run, or name recorded episodes with "
            "warm_start.episodes"
        )


_ALWAYS: tuple[Check, ...] = (
    _algorithm,
    _policy,
    _tasks,
    _engine,
    _torch_device,
    _judge,
    _served_model,
    _phones,
    _cassettes,
    _trackers,
)
_AT_THE_FIRST_START: tuple[Check, ...] = (_initial_weights,)
