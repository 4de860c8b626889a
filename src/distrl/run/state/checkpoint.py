"""Checkpoints on disk: whole or not there, newest whole one wins.

    FOLDER/step-400/tensors.safetensors    weights, ema weights, optimiser, torch's generator
    FOLDER/step-400/state.json             counters, replay contents, other generators
    FOLDER/step-400/manifest.json          SHA-256 of each of them

All of it is written aside and synced before one rename makes it visible. No pickle anywhere.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import logging
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors.torch
from torch import Tensor

from distrl.errors import ConfigError, WeightsError
from distrl.learn.learner_state import Snapshot, unflatten
from distrl.weights.file_channel import newest_whole, sync_folder, write_whole

FORMAT = 1
"""Increased whenever older checkpoints can no longer be read."""
_TENSORS, _STATE, _MANIFEST = "tensors.safetensors", "state.json", "manifest.json"
_NAME = re.compile(r"step-(\d+)")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """What `load_newest` came back with."""

    snapshot: Snapshot | None
    """None when there is no whole checkpoint."""
    path: Path | None
    skipped: tuple[tuple[Path, str], ...]
    """Newer ones that could not be used, and why."""


class Checkpoints:
    """The checkpoints of one run."""

    def __init__(self, folder: Path, *, keep: int = 3) -> None:
        """Use a folder; it is made at the first save. Older ones than the last `keep` go."""
        # With three, a damaged one still leaves a second to fall back on.
        if keep < 3:
            raise ConfigError(f"at least 3 checkpoints must be kept, got {keep}")
        self._folder = folder
        self._keep = keep

    def save(self, snapshot: Snapshot) -> Path:
        """Keep a snapshot; once this returns it survives anything."""
        files = {
            _TENSORS: safetensors.torch.save(snapshot.tensors),
            _STATE: json.dumps(snapshot.state, allow_nan=False).encode(),
        }
        self._folder.mkdir(parents=True, exist_ok=True)
        self._sweep_up()
        final = self._folder / f"step-{snapshot.step}"
        aside = self._folder / f".{final.name}.partial"
        aside.mkdir()
        digests = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
        manifest = {"format": FORMAT, "step": snapshot.step, "sha256": digests}
        # The manifest last: a folder with a manifest has all that the manifest names.
        for name, data in files.items():
            write_whole(aside / name, data)
        write_whole(aside / _MANIFEST, json.dumps(manifest, indent=1).encode())
        self._replace(aside, final)
        for old in self.paths()[: -self._keep]:
            shutil.rmtree(old)
        return final

    def _replace(self, aside: Path, final: Path) -> None:
        """Put a folder in place. One of that name can only be left from an abandoned branch."""
        # rename() cannot replace a folder that is not empty, so the old one is moved away first.
        if final.exists():
            final.rename(self._folder / f".{final.name}.replaced.partial")
        aside.rename(final)
        sync_folder(self._folder)
        self._sweep_up()

    def _sweep_up(self) -> None:
        """Remove what a crash left unfinished."""
        for path in self._folder.glob(".step-*.partial"):
            shutil.rmtree(path)

    def paths(self) -> list[Path]:
        """Folders of all checkpoints, oldest first, whole or not."""
        if not self._folder.is_dir():
            return []
        steps = ((_NAME.fullmatch(path.name), path) for path in self._folder.iterdir())
        return [path for _, path in sorted((int(m[1]), path) for m, path in steps if m)]

    def load_newest(self) -> Found:
        """The newest whole checkpoint; damaged ones are skipped, and it says why."""
        skipped: list[tuple[Path, str]] = []
        for path in reversed(self.paths()):
            try:
                return Found(load(path), path, tuple(skipped))
            except WeightsError as error:
                _log.warning("skipping a checkpoint: %s", error)
                skipped.append((path, str(error)))
        return Found(None, None, tuple(skipped))


def load(path: Path) -> Snapshot:
    """Read one checkpoint; WeightsError unless it is exactly what was saved."""
    try:
        manifest = json.loads((path / _MANIFEST).read_bytes())
        version, step = manifest["format"], manifest["step"]
        if version != FORMAT:
            raise WeightsError(f"{path} has format {version}, and this program reads {FORMAT}")
        data = {name: _read(path / name, manifest["sha256"][name]) for name in (_TENSORS, _STATE)}
        return Snapshot(step, safetensors.torch.load(data[_TENSORS]), json.loads(data[_STATE]))
    except FileNotFoundError as error:
        raise WeightsError(f"{path} is not whole: {error.filename} is missing") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(f"{path} cannot be read: {error!r}") from error


def _read(path: Path, digest: str) -> bytes:
    data = path.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != digest:
        raise WeightsError(f"{path} is damaged: SHA-256 is {found[:12]}, not {digest[:12]}")
    return data


def model_weights(snapshot: Snapshot) -> Mapping[str, Tensor]:
    """The weights to act with after training, or to start another run from.

    They are the ema ones where an algorithm keeps them: steadier than those of the last
    update, and measurably better.
    """
    algorithm: dict[str, Any] = unflatten(snapshot.state["algorithm"], snapshot.tensors)
    weights: dict[str, Tensor] = algorithm.get("ema", algorithm["model"])
    return weights


def weights_of_run(run: Path) -> tuple[Mapping[str, Tensor], Path]:
    """Weights of a run's newest whole checkpoint, and where they were; ConfigError without one."""
    if not run.is_dir():
        raise ConfigError(f"there is no run at {run}")
    found = Checkpoints(run / "checkpoints").load_newest()
    if found.snapshot is None or found.path is None:
        told = "".join(f"; {reason}" for _, reason in found.skipped)
        inside = sorted(path.parent.name for path in run.glob("*/checkpoints"))
        if inside and not found.skipped:
            told = f"; it holds runs, such as {run / inside[-1]}"
        raise ConfigError(f"the run {run} has no whole checkpoint{told}")
    return model_weights(found.snapshot), found.path


def require_whole_checkpoint(run: Path) -> None:
    """ConfigError when a run has checkpoints and all are damaged: going on would start over."""
    found = Checkpoints(run / "checkpoints").load_newest()
    if found.snapshot is not None or not found.skipped:
        return
    damaged = "; ".join(reason for _, reason in found.skipped)
    published = (
        ""
        if newest_whole(run / "weights") is None
        else f", or begin a new run with its newest published weights: "
        f"distrl train init={run / 'weights'}"
    )
    raise ConfigError(
        f"no checkpoint of the run {run} is whole: {damaged}. Its episodes are not lost: learn "
        f"from them anew, from its first weights: distrl train --run-dir {run} --resume "
        f"--from-scratch{published}"
    )


def set_damaged_aside(run: Path) -> Path | None:
    """Move a run's checkpoints away if none is whole; where they are now, None if nothing is moved.

    The learner then starts from the run's first weights.
    """
    folder = run / "checkpoints"
    found = Checkpoints(folder).load_newest()
    if found.snapshot is not None or not found.skipped:
        return None
    aside = next(
        path
        for path in (run / f"checkpoints.damaged-{number}" for number in itertools.count(1))
        if not path.exists()
    )
    return folder.rename(aside)
