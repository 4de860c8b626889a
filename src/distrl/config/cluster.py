"""Settings of a run on a Ray cluster."""

from __future__ import annotations

from pydantic import Field

from distrl.config.base import Config


class ClusterConfig(Config):
    """How the device hosts of a cluster are used. `collect.devices` is per host there."""

    token_file: str | None = None
    """File with the cluster's token, readable by its owner only; null for the user's own."""
    gpus_per_host: float = Field(0.0, ge=0)
    """Share of a GPU that every host's policy takes: a language model acts on it, and on the CPU
    with 0. A pointer does not need one."""
    learners: int = Field(0, ge=0)
    """Helpers on the cluster's `learner_hosts` that share every update of a language model with
    the learner: as many as there are, up to this number; they may come and go."""
    gpus_per_learner: float = Field(0.0, ge=0)
    """Share of a GPU that every helper takes; with 0 it computes on the CPU."""
    # Backpressure on a host whose link is down: it holds whole episodes in memory.
    max_unacknowledged: int = Field(64, ge=1)
    """Episodes that a host may hold which are not durable yet; then its collectors wait."""
    # Backpressure on the whole fleet: beyond this, what is collected is stale before it is learned
    # from.
    max_unread: int = Field(2000, ge=1)
    """Stored episodes that the learner may not have read yet; then no host gets more to do."""
    # As long as Ray itself takes to declare a node dead: giving a host up sooner may play its
    # episodes twice after every short outage of the network.
    host_timeout_seconds: float = Field(60.0, gt=0)
    """A host that says nothing for so long is given up, and what it was playing goes to others."""
    no_hosts_seconds: float = Field(120.0, gt=0)
    """How long a run may be without any host before it gives up."""
