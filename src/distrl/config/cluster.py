"""Settings of a run on a Ray cluster."""

from __future__ import annotations

from pydantic import Field

from distrl.config.base import Config


class ClusterConfig(Config):
    """How the device hosts of a cluster are used. `collect.devices` is per host there."""

    token_file: str | None = None
    """File with the cluster's token, readable by its owner only; null for the user's default."""
    gpus_per_host: float = Field(0.0, ge=0)
    """Share of a GPU that is reserved for the policy of every host; with 0, a language model acts
    on the CPU. A pointer does not need one."""
    learners: int = Field(0, ge=0)
    """Gradient workers on the cluster's `learner_hosts` that share every update of a language model
    with the learner: as many as there are, up to this number; they may come and go."""
    gpus_per_learner: float = Field(0.0, ge=0)
    """Share of a GPU that is reserved for every gradient worker; with 0 it computes on the CPU."""
    # Backpressure on a host whose link is down: it holds whole episodes in memory.
    max_unacknowledged: int = Field(64, ge=1)
    """Backpressure by the store: episodes that a host may hold which are not durable yet; at this
    bound its collectors wait."""
    # Backpressure on the whole fleet: beyond this, what is collected is stale before it is learned
    # from.
    max_unread: int = Field(2000, ge=1)
    """Backpressure by the learner: stored episodes that it has not read yet; at this bound hosts
    get no more jobs."""
    # As long as Ray itself takes to declare a node dead: giving a host up sooner may play its
    # episodes twice after every short outage of the network.
    host_timeout_seconds: float = Field(60.0, gt=0)
    """Seconds without a word after which a host is given up, and gives itself up; its jobs go to
    other hosts. Raise it if the network drops out for longer."""
    no_hosts_seconds: float = Field(120.0, gt=0)
    """Seconds without any host after which the run ends with an error."""
