"""Trained policies that ship with the package: weights in half precision, and what they are.

    policies/pretrained/general.safetensors    weights that a run was evaluated with, as float16
    policies/pretrained/general.json           its settings, where it comes from, how good it is

`distrl pretrained make --run RUN` makes them. A policy is called `pretrained`, which is the one of
the general suite, or `pretrained:NAME`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from distrl.collect.evaluation.evaluate import Progress, evaluate_policy, select_tasks
from distrl.config import RunConfig, load_run_config, recipe_names
from distrl.config.load import check
from distrl.config.policies import PolicyConfig
from distrl.errors import ConfigError, unknown_name
from distrl.run.builders.pointer import Pointer, build_pointer
from distrl.run.state.checkpoint import weights_of_run
from distrl.run.state.folder import RunFolder
from distrl.run.state.provenance import Code, this_code
from distrl.weights.file_channel import write_whole

PREFIX = "pretrained"
DEFAULT = "general"
"""The one that is meant when no name is said."""
FOLDER = Path(__file__).resolve().parents[2] / "policies" / "pretrained"
MOST_BYTES = 3_000_000
"""What all of them may take together: they are in every installation."""
FORMAT = 1
"""Raised when files of before can no longer be read."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a pretrained policy is."""

    format: int
    suite: str
    """That it was trained on."""
    split: str
    """That it was evaluated on, greedily, with the weights in the file."""
    tasks: int
    """Tasks that count."""
    success: float
    low: float
    """Ends of the 95 % Wilson interval of success."""
    high: float
    recipe: str | None
    """The recipe that it was trained by; None if some of its settings were changed."""
    seed: int
    updates: int
    parameters: int
    bytes: int
    """Of the file with the weights."""
    sha256: str
    """Of the same file."""
    code: Code
    """That made the file."""
    settings: dict[str, Any]
    """All settings of the run; `policy` is what the network is built from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pretrained:
    """A pretrained policy, read and checked."""

    name: str
    card: Card
    policy: PolicyConfig
    weights: Mapping[str, Tensor]
    """In single precision."""


def is_pretrained(policy: str) -> bool:
    """Whether a policy is called like a pretrained one, whether or not there is one."""
    return policy == PREFIX or policy.startswith(f"{PREFIX}:")


def pretrained_names(folder: Path | None = None) -> tuple[str, ...]:
    """Names of those that are in a folder; by default, in the package."""
    return tuple(sorted(path.stem for path in (folder or FOLDER).glob("*.safetensors")))


def read_pretrained(policy: str, folder: Path | None = None) -> Pretrained:
    """Read one, by `pretrained` or `pretrained:NAME`; ConfigError unless it is what was made."""
    folder = folder or FOLDER
    name, card = read_card(policy, folder)
    path = folder / f"{name}.safetensors"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _damaged(path, str(error)) from error
    # Before they are decoded: a half-downloaded file is told as such, and not as a strange tensor.
    if hashlib.sha256(data).hexdigest() != card.sha256:
        raise _damaged(path, f"its SHA-256 is not the one in {name}.json")
    try:
        halves = safetensors.torch.load(data)
        settings = check({"policy": card.settings["policy"]}).policy
    except (SafetensorError, KeyError) as error:
        raise _damaged(path, repr(error)) from error
    except ConfigError as error:
        raise _damaged(path, str(error)) from error
    weights = {key: tensor.float() for key, tensor in halves.items()}
    return Pretrained(name=name, card=card, policy=settings, weights=weights)


def read_card(policy: str, folder: Path | None = None) -> tuple[str, Card]:
    """The name of a pretrained policy and what it is; nothing is said about its weights."""
    folder = folder or FOLDER
    names = pretrained_names(folder)
    _, said, name = policy.partition(":")
    if not said:
        name = DEFAULT
    if not names:
        raise ConfigError(
            "no pretrained policy is installed; train one and name its folder, or make one of it: "
            "distrl pretrained make --run RUN"
        )
    if name not in names:
        raise unknown_name("pretrained policy", name, names)
    path = folder / f"{name}.json"
    try:
        card = msgspec.json.decode(path.read_bytes(), type=Card)
    except (OSError, msgspec.DecodeError) as error:
        raise _damaged(path, str(error)) from error
    if card.format != FORMAT:
        raise _damaged(path, f"its format is {card.format}, and this program reads {FORMAT}")
    return name, card


def make_pretrained(
    run: Path,
    *,
    name: str | None = None,
    folder: Path | None = None,
    tasks: int | None = None,
    progress: Progress | None = None,
) -> tuple[str, Card]:
    """Keep the policy of a run, evaluated in the precision that it is kept in.

    It is called like the suite that it was trained on unless a `name` is given, and replaces one
    of that name. The evaluation is on the run's own suite and phone, on the first `tasks` of the
    test split or on all of them.
    """
    folder = folder or FOLDER
    weights, checkpoint = weights_of_run(run)
    config = RunFolder(run).load_config()
    name = name or config.tasks.suite
    if not _NAME.fullmatch(name):
        raise ConfigError(f"a name has small letters, digits, - and _ only; got {name!r}")
    data = _halved(weights, run)
    others = (path for path in folder.glob("*.safetensors") if path.stem != name)
    total = len(data) + sum(path.stat().st_size for path in others)
    if total > MOST_BYTES:
        raise ConfigError(
            f"all pretrained policies together would take {total:,} bytes, and the package has "
            f"room for {MOST_BYTES:,}; keep a smaller network"
        )
    card = _evaluated(config, data, tasks=tasks, progress=progress, updates=_step_of(checkpoint))
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{name}.safetensors", data)
    pretty = msgspec.json.format(msgspec.json.encode(card), indent=2)
    write_whole(folder / f"{name}.json", pretty + b"\n")
    return name, card


def _halved(weights: Mapping[str, Tensor], run: Path) -> bytes:
    """The file: every number in half precision, if it has a place there."""
    halves = {key: tensor.half().contiguous() for key, tensor in weights.items()}
    for key, tensor in halves.items():
        # Half precision ends at 65,504; a larger weight would become infinite without a word.
        if not torch.isfinite(tensor).all():
            raise ConfigError(f"the weights of {run} have no place in half precision: {key}")
    return safetensors.torch.save(halves)


def _evaluated(
    config: RunConfig, data: bytes, *, tasks: int | None, progress: Progress | None, updates: int
) -> Card:
    # Read back from the bytes that are shipped: the figures on the card are those of half
    # precision.
    weights = {key: tensor.float() for key, tensor in safetensors.torch.load(data).items()}
    pointer = pointer_with(config, weights, "the run")
    chosen = select_tasks(config.tasks.suite, "test", tasks=tasks)
    policy = pointer.policy(greedy=True)
    report = evaluate_policy(policy, chosen, phone=config.phone, progress=progress)
    row = report.overall
    if row.success is None or row.low is None or row.high is None:
        raise ConfigError(f"no episode of the evaluation counts: {report.faults[0]}")
    return Card(
        format=FORMAT,
        suite=config.tasks.suite,
        split="test",
        tasks=row.episodes,
        success=row.success,
        low=row.low,
        high=row.high,
        recipe=recipe_of(config),
        seed=config.seed,
        updates=updates,
        parameters=sum(tensor.numel() for tensor in weights.values()),
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        code=this_code(),
        settings=config.model_dump(mode="json"),
    )


def pointer_with(config: RunConfig, weights: Mapping[str, Tensor], where: str) -> Pointer:
    """The pointer of these settings with these weights, which come from `where`."""
    torch.set_num_threads(1)
    pointer = build_pointer(config)
    pointer.take(weights, where)
    return pointer


def recipe_of(config: RunConfig) -> str | None:
    """The recipe with exactly these settings, whatever the seed."""
    for name in recipe_names():
        if load_run_config(name, [f"seed={config.seed}"]) == config:
            return name
    return None


def _step_of(checkpoint: Path) -> int:
    return int(checkpoint.name.removeprefix("step-"))


def _damaged(path: Path, why: str) -> ConfigError:
    return ConfigError(
        f"the pretrained policy in {path} cannot be used: {why}; install distrl again, or make it "
        f"anew: distrl pretrained make --run RUN"
    )
