"""The file of a cluster: which machines it has, and what each of them gives."""

from __future__ import annotations

from pydantic import Field

from distrl.config.base import Config


class NodeConfig(Config):
    """One machine, or one of several nodes on the same."""

    address: str = "127.0.0.1"
    """Its address in the network that the cluster uses; the loopback keeps everybody else out."""
    device_hosts: int = Field(1, ge=0)
    """How many hosts' worth of devices it collects with; each has `collect.devices` of them."""
    learner_hosts: int = Field(0, ge=0)
    """How many helpers of a learner it has room for; a run with `cluster.learners` uses them."""
    cpus: int = Field(2, ge=0)
    """Cores that Ray may plan with."""
    gpus: int = Field(0, ge=0)
    """GPUs that Ray may plan with."""
    object_store_mb: int = Field(512, ge=100)
    """Memory for weights on their way; a few times their size is enough."""


class InventoryConfig(Config):
    """A head, where training runs, and any number of workers."""

    name: str = Field("default", pattern=r"^[a-z0-9][a-z0-9-]{0,20}$")
    """What the cluster is called on this machine."""
    port: int = Field(6390, ge=1024, le=65535)
    """Where the head listens."""
    token_file: str | None = None
    """File with the token, made if it is missing; null for the user's own."""
    head: NodeConfig = NodeConfig()
    """The machine with the disk and the GPU: `distrl train` is started there."""
    workers: tuple[NodeConfig, ...] = ()
    """Machines with devices."""
