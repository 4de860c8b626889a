"""Settings of a whole run."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from distrl.checks import LARGEST_SEED
from distrl.config.base import Config
from distrl.config.cluster import ClusterConfig
from distrl.config.collect import CollectConfig
from distrl.config.devices import PhoneConfig
from distrl.config.judges import JudgeConfig
from distrl.config.learn import AlgorithmConfig, LearnerConfig, SuccessPoolConfig, WarmStartConfig
from distrl.config.policies import PolicyConfig
from distrl.config.replay import ReplayConfig
from distrl.config.tasks import CurriculumConfig, TasksConfig


class EvaluateConfig(Config):
    """When a run evaluates its policy: greedily, and outside of the budget."""

    split: str = "test"
    """Split of the suite that the final evaluation plays."""
    tasks: int | None = Field(None, ge=1)
    """Tasks per evaluation, the first of the split; null for all. Lower it for quick runs."""
    every_minutes: float | None = Field(None, gt=0)
    """Minutes between two evaluations on val while training; null for none."""
    before: bool = True
    """Whether the first weights are evaluated too, so that the report shows the gain."""


class AlertsConfig(Config):
    """When somebody should look. Each rule is a limit; null switches it off."""

    success_falls: float | None = Field(0.15, gt=0, le=1)
    """How far the running success of a suite may fall below its best."""
    entropy_below: float | None = Field(0.02, gt=0)
    """Entropy, in nats, at which the policy no longer explores."""
    judges_disagree: float | None = Field(0.2, gt=0, le=1)
    """Share of the newest episodes on which judges may disagree."""
    judge_apart: float | None = Field(0.10, gt=0, le=1)
    """How far a judge's success rate may be from that of the state check on the same episodes."""
    devices_lost: int | None = Field(1, ge=1)
    """Number of devices out of use from which on it is told."""
    disk_below_gb: float | None = Field(1.0, gt=0)
    """Free space on the run's disk, in GB, below which it is told."""
    webhook_variable: str = "DISTRL_WEBHOOK"
    """Environment variable with an address that alerts are posted to, if it is set."""


class MonitorConfig(Config):
    """Where numbers go. They are always written to the run's folder."""

    console: bool = True
    """Whether to draw a live view, if the output is a terminal."""
    tensorboard: bool = True
    """Whether to write TensorBoard files into the run's folder."""
    wandb: str | None = None
    """Project of Weights & Biases; null for none."""
    trackers: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Trackers of plug-ins, each with its own settings, such as {mlflow: {server: ...}}."""
    every_seconds: float = Field(1.0, gt=0)
    """Seconds between two updates of the live view and of written gauges."""
    alerts: AlertsConfig = AlertsConfig()
    """When somebody should look."""


class RunConfig(Config):
    """All settings of a run, by the part that they belong to."""

    seed: int = Field(0, ge=0, le=LARGEST_SEED)
    """Decides everything random that does not depend on timing."""
    device: Literal["auto", "cpu", "cuda", "mps"] = "auto"
    """Where the network is trained, and where a language model acts; auto takes the best one there
    is. A pointer acts on the CPU."""
    minutes: float | None = Field(6.5, gt=0)
    """Budget of training in minutes, without set-up and evaluation; null for no limit."""
    max_episodes: int | None = Field(None, ge=1)
    """Budget in episodes; null for no limit. The first budget that is spent ends the run."""
    init: str = "warm_start"
    """First weights: warm_start, scratch, pretrained, or the folder of a run, whose newest
    checkpoint is taken; RUN/weights takes its newest published weights."""
    engine: Literal["local", "ray", "virtual"] = "local"
    """Where episodes are collected: local on this machine, ray on the device hosts of a Ray
    cluster, virtual on simulated devices under virtual time (deterministic by `seed`; minutes are
    virtual ones)."""
    address: str | None = None
    """Address of the Ray cluster, HOST:PORT; null takes the one that `cluster up` wrote down."""
    cluster: ClusterConfig = ClusterConfig()
    """How the hosts of a cluster are used."""
    policy: PolicyConfig = PolicyConfig()
    """What is trained."""
    tasks: TasksConfig = TasksConfig()
    """What it is trained on."""
    phone: PhoneConfig = PhoneConfig()
    """How phones look and behave."""
    curriculum: CurriculumConfig = CurriculumConfig()
    """Which tasks are drawn more."""
    collect: CollectConfig = CollectConfig()
    """Who collects."""
    judge: JudgeConfig = JudgeConfig()
    """Who looks at what was collected."""
    replay: ReplayConfig = ReplayConfig()
    """What is kept and drawn."""
    algorithm: AlgorithmConfig = AlgorithmConfig()
    """How it is learned from."""
    success_pool: SuccessPoolConfig = SuccessPoolConfig()
    """Whether old successes are imitated."""
    learner: LearnerConfig = LearnerConfig()
    """The learner's loop."""
    warm_start: WarmStartConfig = WarmStartConfig()
    """What comes before."""
    evaluate: EvaluateConfig = EvaluateConfig()
    """What comes after."""
    monitor: MonitorConfig = MonitorConfig()
    """What is shown."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        # Schedules (learning rate, importance exponent) are functions of the share of the budget
        # that is spent; without one they would never move.
        if self.minutes is None and self.max_episodes is None:
            raise ValueError("minutes and max_episodes are both null; give the run a budget")
        if self.replay.capacity < self.learner.min_episodes:
            raise ValueError(
                f"replay.capacity ({self.replay.capacity}) must be at least "
                f"learner.min_episodes ({self.learner.min_episodes})"
            )
        if self.learner.shard and (self.learner.processes == 1 or self.policy.name != "lm"):
            raise ValueError(
                f"learner.shard is for policy.name: lm and learner.processes above 1; they are "
                f"{self.policy.name!r} and {self.learner.processes}"
            )
        if self.learner.processes > 1 and self.cluster.learners:
            raise ValueError(
                f"learner.processes is {self.learner.processes} and cluster.learners is "
                f"{self.cluster.learners}; use one of them: DDP workers here, or gradient workers"
            )
        if self.algorithm.critic_form == "q" and self.learner.processes > 1:
            raise ValueError(
                f"algorithm.critic_form: q is for one process, and learner.processes is "
                f"{self.learner.processes}"
            )
        if self.cluster.learners and (self.engine != "ray" or self.policy.name != "lm"):
            raise ValueError(
                f"cluster.learners is for engine: ray and policy.name: lm; they are "
                f"{self.engine!r} and {self.policy.name!r}"
            )
        if self.address is not None and self.engine != "ray":
            raise ValueError(
                f"address is {self.address!r} and engine is {self.engine!r}; a run on a cluster "
                "has engine: ray"
            )
        return self

    @model_validator(mode="after")
    def _virtual_engine_can_do_it(self) -> Self:
        """The virtual engine trains the pointer on embedded phones in one process, on the CPU."""
        if self.engine != "virtual":
            return self
        needed = {
            "policy.name": (self.policy.name, "pointer"),
            "device": (self.device, "cpu" if self.device != "auto" else "auto"),
            "number of collect.android phones": (self.collect.android.phones, 0),
            "collect.latency": (self.collect.latency, 0.0),
            "collect.cassettes": (self.collect.cassettes, None),
            "judge.name": (self.judge.name, None),
            "learner.processes": (self.learner.processes, 1),
            "evaluate.every_minutes": (self.evaluate.every_minutes, None),
        }
        for name, (found, wanted) in needed.items():
            if found != wanted:
                raise ValueError(f"engine: virtual needs {name}: {wanted}, and it is {found}")
        return self
