"""Settings of learning: the algorithm, the learner's loop, the success pool, the warm start."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from distrl.config.base import Choice, Config


class Correction(StrEnum):
    """How off-policy data, collected by older policies, is corrected for."""

    RETRACE = "retrace"
    TRUNCATED_IS = "truncated_is"
    """No correction along the trace; the importance ratio weighs each step of the policy loss."""
    NONE = "none"
    """As if the newest policy had acted."""
    MONTE_CARLO = "monte_carlo"
    """The discounted return; no bootstrapping."""


class CriticForm(StrEnum):
    """What critics estimate."""

    V = "v"
    """V(s): the value of a situation."""
    Q = "q"
    """Q(s, d): the value of every decision in a situation."""


class DigirlForm(StrEnum):
    """Which of the two published rules chooses the steps that digirl imitates."""

    PAPER = "paper"
    CODE = "code"


class OptimiserKind(StrEnum):
    """In what precision AdamW keeps its two moving averages of gradients."""

    ADAMW = "adamw"
    """In that of the weights."""
    ADAMW_8BIT = "adamw_8bit"
    """In blocks of 8 bits, a quarter of the memory; tensors of fewer than 4,096 numbers stay in
    32 bits. It needs bitsandbytes."""


class DigirlConfig(Config):
    """What only digirl uses."""

    form: Choice[DigirlForm] = DigirlForm.PAPER
    """Which of the two published rules chooses the steps that are imitated: paper or code."""
    keep: float = Field(0.5, gt=0, le=1)
    """Share of a batch's episodes that are kept, of those that may train the policy: the ones whose
    outcome exceeds the goal critic's estimate most."""
    decay: float = Field(0.5, gt=0, lt=1)
    """Factor per step, counted back from the end, by which the outcome fades out of the advantage
    and the difference of values comes in."""
    # 1/15: the horizon of the general suite is 15 steps.
    threshold: float = Field(1 / 15, ge=0)
    """Steps with an advantage above this are imitated; in the paper, one over the horizon."""


class AlgorithmConfig(Config):
    """A-RIDE and the algorithms it is compared with. A weight of 0 takes its term out of the loss.

    Built-in algorithms read what they need of this, and so do those of plug-ins.
    """

    name: str = "a_ride"
    """Algorithm: a_ride, digirl, filtered_bc, grpo, ppo, or one of a plug-in. grpo learns only from
    tasks that have several episodes in a batch (see learner.group)."""
    optimiser: Choice[OptimiserKind] = OptimiserKind.ADAMW
    """adamw, or adamw_8bit, which keeps its averages of gradients in a quarter of the memory: for
    large models."""
    learning_rate: float = Field(5e-4, gt=0)
    """Learning rate of AdamW at the start of the budget."""
    anneal: float = Field(1.0, ge=0, le=1)
    """Learning rate at the end of the budget as a share of the first, linear in between; 1 keeps it
    constant."""
    gradient_clip: float = Field(1.0, gt=0)
    """Largest L2 norm of a gradient; larger ones are scaled down to it."""
    gamma: float = Field(0.97, gt=0, le=1)
    """Discount factor per step."""
    lam: float = Field(0.95, ge=0, le=1)
    """Lambda of the traces: 0 bootstraps after one step, 1 uses whole returns."""
    correction: Choice[Correction] = Correction.RETRACE
    """Off-policy correction: retrace, truncated_is, monte_carlo, or none, which treats all data as
    if the newest policy had acted."""
    critic_target: Choice[Correction] | None = None
    """Estimator of the critics' targets, such as monte_carlo; null for that of `correction`."""
    critic_form: Choice[CriticForm] = CriticForm.V
    """What critics estimate: v, the value of situations, or q, that of every decision (the full
    form of Retrace), which needs a policy that lists its decisions, such as the pointer."""
    # 1 keeps the targets within [0, 1] without clipping them: rewards are 0 or 1, and so are the
    # ends of every value.
    trace_clip: float = Field(1.0, gt=0)
    """Upper bound of the importance ratios inside retrace; above 1, which the method does not
    allow, is for ablations."""
    goal_filter: float = Field(1.0, gt=0, le=1)
    """Share of a batch's episodes that a_ride trains its policy on, of those that may train it: the
    ones whose outcome exceeds the goal critic's estimate most. 1 takes all."""
    rho_max: float = Field(2.0, gt=0)
    """Upper bound of the importance ratios in the policy loss and in replay priorities."""
    policy: float = Field(1.0, ge=0)
    """Weight of the algorithm's own policy loss; with 0 the policy learns by imitation alone, of
    demonstrations and of the success pool."""
    entropy: float = Field(0.003, ge=0)
    """Weight of the entropy bonus; raise it if the policy stops exploring."""
    invalid: float = Field(0.05, ge=0)
    """Weight of the probability that the policy gives to actions that cannot be carried out."""
    critic: float = Field(0.5, ge=0)
    """Weight of the critics' loss."""
    goal: float = Field(0.1, ge=0)
    """Weight of the goal critic's loss: it predicts success from the first step."""
    imitation: float = Field(0.1, ge=0)
    """Weight of imitating the successful demonstrations in replay."""
    self_imitation: float = Field(0.1, ge=0)
    """Weight of imitating the run's own successes; counts only with success_pool.enabled."""
    self_imitation_advantage: bool = True
    """Weigh each step of self-imitation by its advantage 1 - V(s), so that unexpected successes
    count more; off weighs all steps alike."""
    # Advantages of untrained critics are noise; a policy that follows them would forget what it was
    # cloned from.
    critic_warmup: int = Field(50, ge=0)
    """Updates at the start in which only the critics and the imitation terms learn."""
    ema_decay: float = Field(0.99, ge=0, lt=1)
    """Decay per update of the exponential moving average (EMA) of the weights, which policies are
    evaluated with; closer to 1 follows more slowly."""
    target_critics: bool = True
    """Take values from the EMA copy as a target network; off takes them from the newest critics,
    which is less stable and saves a forward pass."""
    normalise: bool = True
    """Divide advantages by their root mean square in the batch."""
    clip: float = Field(0.2, gt=0)
    """How far the importance ratio may leave 1 in ppo and grpo (PPO's epsilon)."""
    digirl: DigirlConfig = DigirlConfig()
    """What only digirl uses."""


class LearnerConfig(Config):
    """The learner's loop: sample, update, publish."""

    batch: int = Field(16, ge=1)
    """Episodes per update."""
    group: int = Field(1, ge=1)
    """Attempts at one task that are made in a row and sampled into a batch together, as many as
    fit; grpo needs several."""
    min_episodes: int = Field(64, ge=1)
    """Collected episodes before the first update."""
    # A bound in steps rather than in time: a slow fleet must not be overfitted by a quick learner.
    replay_ratio: float = Field(4.0, gt=0)
    """Trained steps per collected step; the learner waits for collectors at this bound. Lower it if
    the policy overfits to old data."""
    publish_every: int = Field(4, ge=1)
    """Updates between two published versions of the weights."""
    swap_names: bool = True
    """Data augmentation: replace rare words of a goal, mostly names, whenever its episode is
    sampled."""
    disguise: float = Field(0.0, ge=0, lt=1)
    """Data augmentation: share of goal words, labels and crops that are disguised as others, so
    that the policy goes by how words and labels match, and not by what it knows by heart."""
    sweep_share: float = Field(0.05, ge=0, lt=1)
    """Share of the learner's work spent on refreshing the priorities of episodes that were not
    sampled."""
    checkpoint_every: int = Field(100, ge=1)
    """Updates between two checkpoints."""
    # Never fewer than three: if the newest is damaged, there is still a second to fall back on.
    keep_checkpoints: int = Field(3, ge=3)
    """Newest checkpoints kept on disk."""
    # More than one: a collector that was told of a version and fetches it a moment later must still
    # find it, while newer ones are published.
    keep_weights: int = Field(8, ge=2)
    """Newest published versions kept on disk, for collectors that still act with them."""
    processes: int = Field(1, ge=1, le=1024)
    """Data-parallel processes that share every update, each with a GPU of its own if there are
    enough."""
    shard: bool = False
    """Each of several processes keeps a shard of a language model's frozen weights (FSDP)."""
    canaries: int = Field(4, ge=0)
    """Steps whose log-probabilities are published with every version; whoever acts recomputes them
    to prove that it has the same policy. 0 switches the check off."""


class WarmStartConfig(Config):
    """Behaviour cloning of noisy demonstrations until the policy is barely useful."""

    episodes: str | None = None
    """A run or a file of episodes whose successes are cloned; null records demonstrations."""
    demonstrations: int = Field(128, ge=1)
    """Demonstrations per suite; more if per_template asks for more."""
    per_template: int = Field(2, ge=1)
    """Demonstrations of each task template at least."""
    # Demonstrations without a mistake never show how to get back from one.
    error_rate: float = Field(0.1, ge=0, le=1)
    """Probability that the demonstrator errs in a step; mistakes are shown but not cloned."""
    learning_rate: float = Field(1e-3, gt=0)
    """Learning rate of AdamW while cloning."""
    anneal: float = Field(1.0, ge=0, le=1)
    """Learning rate after max_updates as a share of the first, linear in between; 1 keeps it
    constant."""
    batch: int = Field(64, ge=1)
    """Steps per update."""
    # About where the paper starts, so that results compare: 40.6 % before RL.
    target: float | None = Field(0.38, ge=0, le=1)
    """Success rate on val at which cloning stops; null clones for max_updates."""
    check_every: int = Field(10, ge=1)
    """Updates between two evaluations on val when success is near the target; more when it is
    far."""
    max_updates: int = Field(1500, ge=1)
    """Updates after which cloning stops in any case."""
    kept: int | None = Field(None, ge=0)
    """Demonstrations that stay in replay for the imitation terms, every template equally often;
    null keeps all. With many thousands, lower it to save memory."""
    reuse: bool = True
    """Take the result of an earlier warm start with the same settings from the cache."""


class SuccessPoolConfig(Config):
    """Which of the run's own successes are imitated: each task's shortest so far.

    algorithm.self_imitation is the weight of the term.
    """

    enabled: bool = False
    """Whether there is a pool."""
    only_failing: bool = True
    """Offer only successes of tasks whose newest attempt failed; off offers those of every task."""
    batch: int = Field(4, ge=1)
    """Episodes of the pool per update."""
