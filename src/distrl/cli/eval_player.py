"""Who plays the tasks of `distrl eval`: the policy of a name, on the devices of the suite."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from distrl.cli.device_choice import named_settings
from distrl.cli.endpoint import open_client
from distrl.errors import ConfigError, ServiceError

if TYPE_CHECKING:
    from distrl.cli.eval import Arguments
    from distrl.collect.evaluation.evaluate import Progress, Report, Watch
    from distrl.config import RunConfig
    from distrl.config.devices import PhoneConfig
    from distrl.interfaces import Policy
    from distrl.run.evaluate import Play
    from distrl.types import Task

API = "api"
"""The prompted agent."""


def player_of(arguments: Arguments, tasks: Sequence[Task]) -> Play:
    """What plays these tasks, as often as it is called; weights are loaded now.

    ConfigError for a policy that there is not, or that cannot do without what is withheld.
    """
    from distrl.run.evaluate import player
    from distrl.run.named_policy import PRETRAINED, is_trained, require_named
    from distrl.tasks.suites import is_over_adb

    policy, suite = arguments.policy, arguments.suite
    if policy == API:
        return partial(_ask_for_actions, arguments, tasks)
    if not is_trained(policy):
        require_named(policy, also=(API, PRETRAINED))
        if arguments.without != "nothing":
            raise ConfigError(
                f"--without {arguments.without} is for trained policies: name a run, or pretrained"
            )
    pixels = False if arguments.without == "pixels" else None
    if is_over_adb(suite):
        return _on_phones(arguments, tasks, _policy(arguments, pixels))
    return player(
        policy, suite, tasks, seed=arguments.seed, error_rate=arguments.error_rate, pixels=pixels
    )


def _policy(arguments: Arguments, pixels: bool | None) -> Policy:
    """The policy by its name, where nobody knows the way."""
    from distrl.envs.device_kinds import NoOracle
    from distrl.policies import make_policy
    from distrl.run.builders.action_kinds import suite_kinds
    from distrl.run.named_policy import is_trained

    if is_trained(arguments.policy):
        from distrl.run.builders.trained_policy import load_policy

        return load_policy(arguments.policy, pixels=pixels)
    return make_policy(
        arguments.policy,
        NoOracle(arguments.suite),
        error_rate=arguments.error_rate,
        seed=arguments.seed,
        kinds=suite_kinds(arguments.suite),
    )


def _on_phones(arguments: Arguments, tasks: Sequence[Task], policy: Policy) -> Play:
    """Goals of a file are played on phones over adb."""
    from distrl.run.builders.android import evaluate_on_android

    config = _phones_of(arguments)

    def play(
        *, phone: PhoneConfig | None, progress: Progress | None = None, watch: Watch | None = None
    ) -> Report:
        del phone  # how embedded ones are made
        return evaluate_on_android(config, policy, tasks, progress, watch)

    return play


def _phones_of(arguments: Arguments) -> RunConfig:
    """Settings with the phones that goals of a file are played on; ConfigError without any."""
    from distrl.config.load import CONFIG_FILE, load_run_config

    named = arguments.phones
    if named is None and (Path(arguments.policy) / CONFIG_FILE).is_file():
        named = arguments.policy
    if named is None:
        raise ConfigError(
            f"the goals in {arguments.suite} are for phones over adb: --phones RECIPE names a "
            "recipe, or the folder of a run, whose collect.android says which (docs/devices.md)"
        )
    config = load_run_config(named_settings(named))
    tasks = config.tasks.model_copy(update={"suite": arguments.suite, "split": arguments.split})
    return config.model_copy(update={"tasks": tasks})


def _ask_for_actions(
    arguments: Arguments,
    tasks: Sequence[Task],
    *,
    phone: PhoneConfig | None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Report:
    from distrl.collect.evaluation.evaluate import evaluate_policy
    from distrl.policies.api import ApiPolicy
    from distrl.run.builders.action_kinds import suite_kinds
    from distrl.tasks.suites import is_over_adb

    if arguments.without == "elements":
        raise ConfigError("the policy api reads the elements; it cannot do without")
    if arguments.temperature < 0:
        raise ConfigError(f"--temperature must be 0 or more, got {arguments.temperature:g}")
    try:
        with open_client(
            arguments, what="the policy api", temperature=arguments.temperature
        ) as client:
            kinds = suite_kinds(arguments.suite)
            policy = ApiPolicy(client, pictures=arguments.pictures, kinds=kinds)
            if is_over_adb(arguments.suite):
                play = _on_phones(arguments, tasks, policy)
            else:
                play = partial(evaluate_policy, policy, tasks)
            return play(phone=phone, progress=progress, watch=watch)
    except ServiceError as error:
        raise ConfigError(str(error)) from error
