"""Writes a LoRA adapter as a folder that peft, vLLM and others load."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

_OURS, _THEIRS = "adapter.", "base_model.model."
"""Prefix of the adapter's weight names in published weights, and in peft's format."""


def write_adapter(
    folder: Path, weights: Mapping[str, Tensor], *, rank: int, alpha: float, base: str
) -> None:
    """Write the adapter part of published weights; the folder is complete or absent.

    `base` names the base model. OSError if the folder exists already.
    """
    import peft
    from safetensors.torch import save_file

    ours = {
        name.removeprefix(_OURS): weight.detach().cpu().contiguous()
        for name, weight in weights.items()
        if name.startswith(_OURS)
    }
    library: Any = peft
    settings = library.LoraConfig(
        r=rank,
        lora_alpha=alpha,
        lora_dropout=0.0,
        target_modules=sorted({name.rpartition(".lora_")[0] for name in ours}),
        task_type="CAUSAL_LM",
        base_model_name_or_path=base,
        inference_mode=True,
    )
    # Under another name first, so that a crash leaves no half-written adapter under its own.
    aside = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    named = {f"{_THEIRS}{name}": weight for name, weight in ours.items()}
    save_file(named, aside / "adapter_model.safetensors", metadata={"format": "pt"})
    settings.save_pretrained(aside)
    aside.rename(folder)
