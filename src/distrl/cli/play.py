"""`distrl play`: the phone, or any suite's device, in a browser page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from distrl.cli.arguments import parse
from distrl.cli.device_choice import DeviceArguments, hand_config, needs_android, refuse_beside_task
from distrl.cli.endpoint import EndpointArguments, open_client
from distrl.cli.eval_player import API
from distrl.cli.serving import ServingArguments, print_address
from distrl.cli.signals import signals_noted
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.collect.evaluation.evaluate import PolicyFactory
    from distrl.web.play.serve import Show

_MISSING = "distrl play needs FastAPI and uvicorn: pip install 'distrl[dashboard]'"


@dataclass(frozen=True, kw_only=True)
class Arguments(DeviceArguments, EndpointArguments, ServingArguments):
    """Play tasks in a browser page on this machine: by mouse and keyboard, or watch a policy.

    The page lists the tasks of the suite, lets a person take over from the policy and give back,
    and keeps episodes as demonstrations. The address that is printed contains a token, a new one
    every time.
    """

    suite: str = "general"
    """Which tasks: general, shopping, miniwob, the YAML file of a web app or of goals for phones
    over adb, or the name of a plug-in; SUITE:A,B takes only the templates A and B of a suite."""
    split: str = "train"
    """Split to begin with, such as train, val, test or unseen; the page can switch."""
    task: str | None = None
    """Task to begin with, such as general/val/0; it decides the suite and the split."""
    policy: tuple[str, ...] = ()
    """Who acts: scripted (the oracle), noisy (the oracle with mistakes), random, pretrained (ships
    with the package), api (a prompted model at --endpoint), the folder of a run, or the name of a
    plug-in. Of several, the first acts and the page offers all; by default you act."""
    out: Path = Path("demonstrations")
    """Folder that episodes are kept in as demonstrations; made when the first is."""
    seed: int = 0
    """Seed of the policies' own draws; the tasks are always the same."""
    no_open: bool = False
    """Do not open the page in the browser of this desktop; without a desktop it never is."""


def main(argv: Sequence[str]) -> int:
    """Serve until interrupted."""
    arguments = parse(Arguments, argv, prog="distrl play")
    try:
        from distrl.web.play.serve import open_page, playing
        from distrl.web.serve import Place
    except ModuleNotFoundError as cause:
        raise ConfigError(f"{_MISSING} ({cause.name} is missing)") from cause

    refuse_beside_task(arguments, "suite", "split")
    place = Place(host=arguments.host, port=arguments.port, names=arguments.allow_host)
    with (
        _own_policies(arguments) as own,
        signals_noted() as until_one_came,
        playing(_show(arguments, own), place) as served,
    ):
        print_address(arguments, "Play here", served.address, can="play")
        if not arguments.no_open:
            open_page(served.address)
        until_one_came()
    return 0


def _show(arguments: Arguments, own: Mapping[str, PolicyFactory]) -> Show:
    from distrl.config.devices import PhoneConfig
    from distrl.config.load import checked
    from distrl.tasks.suites import find_task
    from distrl.web.play.serve import Show

    suite = arguments.suite if arguments.task is None else find_task(arguments.task).suite
    over_adb = needs_android(suite, arguments)
    phone = {"nuisance_rate": arguments.nuisance_rate, "layout": arguments.layout}
    return Show(
        suite=arguments.suite,
        split=arguments.split,
        task=arguments.task,
        policies=arguments.policy,
        own_policies=own,
        demonstrations=arguments.out,
        phone=checked(PhoneConfig, phone),
        android=hand_config(suite, arguments) if over_adb else None,
        seed=arguments.seed,
    )


@contextmanager
def _own_policies(arguments: Arguments) -> Iterator[Mapping[str, PolicyFactory]]:
    """The prompted agent, if it is named; ConfigError when its endpoint is not."""
    if API not in arguments.policy:
        yield {}
        return
    from distrl.policies.api import ApiPolicy

    with open_client(arguments, what="the policy api") as client:
        policy = ApiPolicy(client)
        yield {API: lambda _: policy}
