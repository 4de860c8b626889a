"""Settings of learning: the algorithm, the learner's loop and the warm start."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from distrl.config.base import Config

Correction = Literal["retrace", "truncated_is", "none", "monte_carlo"]


class DigirlConfig(Config):
    """What only digirl uses."""

    form: Literal["paper", "code"] = "paper"
    """Which of the two published rules chooses the steps that are imitated."""
    keep: float = Field(0.5, gt=0, le=1)
    """Share of a batch's episodes that are kept: those that ended better than was thought."""
    decay: float = Field(0.5, gt=0, lt=1)
    """How fast the outcome fades into the difference of values, from the end."""
    threshold: float = Field(1 / 15, ge=0)
    """Steps of a larger advantage are imitated; one over the horizon in the paper."""


class AlgorithmConfig(Config):
    """A-RIDE and what it is compared with. Every term is a switch: 0 takes it out of the loss."""

    name: str = "a_ride"
    """Which algorithm: a_ride, digirl, filtered_bc, grpo, ppo, or one of a plug-in. grpo learns
    only from tasks that a batch has several episodes of."""
    optimiser: Literal["adamw", "adamw_8bit"] = "adamw"
    """adamw_8bit keeps the averages of gradients in a quarter of the memory: for large models."""
    learning_rate: float = Field(5e-4, gt=0)
    """Of AdamW."""
    anneal: float = Field(1.0, ge=0, le=1)
    """Learning rate at the end of the budget, as a share of the first."""
    gradient_clip: float = Field(1.0, gt=0)
    """Largest norm of a gradient."""
    gamma: float = Field(0.97, gt=0, le=1)
    """Discount per step."""
    lam: float = Field(0.95, ge=0, le=1)
    """Lambda of the traces."""
    correction: Correction = "retrace"
    """How data of older policies is used; none treats it as if the newest had acted."""
    critic_target: Correction | None = None
    """Another estimator for the critic alone; null for the same one."""
    critic_form: Literal["v", "q"] = "v"
    """What critics judge: v situations, q every decision in a situation (the full form of Retrace),
    which takes a policy that can list its decisions, such as the pointer."""
    trace_clip: float = Field(1.0, gt=0)
    """Threshold of the ratios inside retrace; above 1 is wider than it allows."""
    goal_filter: float = Field(1.0, gt=0, le=1)
    """Share of a batch's episodes that a_ride learns its policy from: those that ended better than
    the goal critic thought."""
    rho_max: float = Field(2.0, gt=0)
    """Largest ratio in the policy loss and in priorities."""
    entropy: float = Field(0.003, ge=0)
    """Weight of the entropy bonus."""
    invalid: float = Field(0.05, ge=0)
    """Weight of the probability of what cannot be carried out."""
    critic: float = Field(0.5, ge=0)
    """Weight of the critics' loss."""
    goal: float = Field(0.1, ge=0)
    """Weight of the goal critic's loss."""
    imitation: float = Field(0.1, ge=0)
    """Weight of imitating demonstrations that succeeded."""
    critic_warmup: int = Field(50, ge=0)
    """Updates at the start in which only the critics and the imitation term learn."""
    ema_decay: float = Field(0.99, ge=0, lt=1)
    """How slowly the averaged weights follow, which policies are evaluated with."""
    target_critics: bool = True
    """Take values from the averaged critics; the newest ones are rasher but cost nothing."""
    normalise: bool = True
    """Divide advantages by their spread in the batch."""
    clip: float = Field(0.2, gt=0)
    """How far the ratio may leave 1 in ppo and grpo."""
    digirl: DigirlConfig = DigirlConfig()
    """What only digirl uses."""


class LearnerConfig(Config):
    """The learner's loop."""

    batch: int = Field(16, ge=1)
    """Episodes per update."""
    group: int = Field(1, ge=1)
    """Attempts at one task that are made in a row and learned from together; grpo needs several."""
    min_episodes: int = Field(64, ge=1)
    """Collected episodes before the first update."""
    replay_ratio: float = Field(4.0, gt=0)
    """Trained steps per collected step; the learner waits while it is spent."""
    publish_every: int = Field(4, ge=1)
    """Updates from one publish to the next."""
    swap_names: bool = True
    """Exchange rare words of goals, mostly names, whenever an episode is learned from."""
    sweep_share: float = Field(0.05, ge=0, lt=1)
    """Share of the learner's work that goes into refreshing the priorities of other episodes."""
    checkpoint_every: int = Field(100, ge=1)
    """Updates from one checkpoint to the next."""
    keep_checkpoints: int = Field(3, ge=3)
    """Checkpoints kept."""
    keep_weights: int = Field(8, ge=2)
    """Published versions kept for those who still act with them."""
    processes: int = Field(1, ge=1)
    """Processes that share every update, each with a GPU of its own if there are enough."""
    shard: bool = False
    """Each of several processes keeps a share of a language model's frozen weights (FSDP)."""
    canaries: int = Field(4, ge=0)
    """Steps whose log-probabilities travel with every publish, to be recomputed by who acts."""


class WarmStartConfig(Config):
    """Cloning noisy demonstrations until the policy is barely useful."""

    episodes: str | None = None
    """Clone the successes in here, a run or a file of episodes, and record no demonstrations."""
    demonstrations: int = Field(128, ge=1)
    """Demonstrations per suite; more where a suite has many templates."""
    per_template: int = Field(2, ge=1)
    """Demonstrations of each template at least."""
    error_rate: float = Field(0.1, ge=0, le=1)
    """How often a demonstrator errs; mistakes are shown but not cloned."""
    learning_rate: float = Field(1e-3, gt=0)
    """Of AdamW, while cloning."""
    batch: int = Field(64, ge=1)
    """Steps per update."""
    target: float | None = Field(0.38, ge=0, le=1)
    """Stop at the first success on val that reaches it; null trains to the end."""
    check_every: int = Field(10, ge=1)
    """Updates from one look at val to the next."""
    max_updates: int = Field(1500, ge=1)
    """Stop here in any case."""
    reuse: bool = True
    """Take the result of an earlier warm start with the same settings from the cache."""


class SuccessPoolConfig(Config):
    """Self-imitation of each task's shortest success so far."""

    enabled: bool = False
    """Whether there is a pool."""
    only_failing: bool = True
    """Offer only tasks whose newest attempt failed; off keeps every task's shortest way in mind."""
    kappa: float = Field(0.1, ge=0)
    """Weight of the term in the loss."""
    shortfall: bool = True
    """Weigh by 1 - V: the less a success is expected, the more it is imitated."""
    batch: int = Field(4, ge=1)
    """Episodes of the pool per update."""
