"""Settings of the policy."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from distrl.config.base import Config


class PolicyConfig(Config):
    """The pointer network."""

    name: str = "pointer"
    """Which policy."""
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
    captions: bool = True
    """Whether icons and photos without a label are named by how they look."""

    @model_validator(mode="after")
    def _heads_share_the_width(self) -> Self:
        if self.width % self.heads:
            raise ValueError(
                f"width ({self.width}) must be a multiple of heads ({self.heads}); "
                f"the nearest is {max(1, round(self.width / self.heads)) * self.heads}"
            )
        return self
