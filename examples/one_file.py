"""The whole method in one file, on the embedded phone: no framework, no settings file, no store.

    phones --step--> Collector --episode--> queue --> Replay --by priority--> Learner
                         ^                                                       |
                         +------------- published weights, a version <-----------+

    python examples/one_file.py              # CPU, under two minutes; a seed says it all
    python examples/one_file.py --threads    # collector and learner really run side by side
    python examples/one_file.py --json       # nothing but figures and curve, as one object

A policy is cloned from demonstrations until it is barely useful. Then phones collect episodes with
whatever weights were published last, and the learner improves on prioritised replay of them by
A-RIDE: advantages are corrected by Retrace, because older policies collected the data.

From the package come the phone, its tasks, and the reading of a screen into arrays. Simplified
here: eight templates; swipes start mid-screen and what is typed is a part of the goal; no penalties
of single steps, no goal critic, no curriculum; nothing survives the process.
"""
# ruff: noqa: N803, N806, N815, T201 - tensors are named by their axes, batch and time; scripts print

from __future__ import annotations

import copy
import json
import math
import queue
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone uses
import tyro
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from distrl.actions import words_touched
from distrl.devices.phone.device import PhoneDevice
from distrl.policies.pointer import inputs as i
from distrl.policies.pointer.decisions import (
    CHOICES,
    DIRECTIONS,
    LONG_PRESS,
    MAX_SPAN,
    SWIPE,
    TAP,
    TYPE,
)
from distrl.policies.pointer.inputs import Inputs, Preparer, options_of
from distrl.policies.pointer.text_encoder import DIMENSIONS, MAX_WORDS, TextEncoder
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import Suite, SuiteShape, load_suite
from distrl.types import Action, Outcome, Situation, Task


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Every number of the method."""

    steps: int = 5000  # collected on all phones together
    seed: int = 0
    threads: bool = False  # collect in a thread, instead of in turns with the learner
    json: bool = False  # print nothing but one JSON object at the end
    phones: int = 8
    evaluate_every: int = 1000  # collected steps between two points of the curve
    test_tasks: int = 96  # each point is the share of them that is solved

    demonstrations: int = 48
    clone_until: float = 0.4  # success on val at which cloning stops
    gamma: float = 0.97  # discount per step: the sooner the better
    lam: float = 0.95  # lambda of Retrace
    rho_max: float = 1.0  # largest ratio in the policy's loss and in priorities
    entropy: float = 0.003  # weights of the terms of the loss
    invalid: float = 0.05
    critic: float = 0.5
    imitation: float = 0.2
    learning_rate: float = 5e-4
    anneal: float = 0.1  # learning rate at the end, as a share of the first
    ema_decay: float = 0.95  # how slowly the target critics follow
    critic_warmup: int = 25  # updates at the start in which the policy only imitates

    batch: int = 24  # episodes per update
    replay_ratio: float = 4.0  # trained steps per collected step
    min_episodes: int = 40  # collected before the first update
    publish_every: int = 4  # updates from one version to the next
    max_lag: int = 50  # older episodes, in versions, train the critics only
    alpha: float = 0.5  # how strongly priorities count
    priority_weights: tuple[float, float, float] = (1.0, 0.5, 0.25)  # |delta|, ratio, -log pi
    importance: float = 0.4  # exponent of the importance weights at the start; it grows to 1

    def __post_init__(self) -> None:
        """Refuse what cannot be trained with."""
        for name in ("steps", "phones", "evaluate_every", "test_tasks", "demonstrations", "batch"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")


# ---------------------------------------------------------------------------------- environment

TEMPLATES = (
    *("open_note", "create_note", "delete_note", "open_chat"),
    *("star_contact", "city_time", "city_weather", "switch_alarm"),
)


def load_tasks(split: str, count: int) -> tuple[Task, ...]:
    """Tasks of the eight templates; no goal of one split appears in another."""
    templates = [load_suite("general").template(name) for name in TEMPLATES]
    shape = SuiteShape(sizes={split: count}, step_limit=10, first_seed=50_000_000)
    return Suite("general", templates, shape).tasks(split)


class Phone:
    """An embedded phone with a task on it."""

    def __init__(self) -> None:
        self._device = PhoneDevice()
        self._referee = PhoneReferee(self._device)
        self.oracle = PhoneOracle(self._referee)

    def begin(self, task: Task) -> None:
        """Set a task up."""
        self._referee.begin(task)
        self._task = task
        self._history: tuple[Action, ...] = ()
        self._touched: tuple[str, ...] = ()

    def situation(self) -> Situation:
        """All that the policy may look at."""
        return Situation(
            goal=self._task.goal,
            observation=self._device.observe(),
            history=self._history,
            touched=self._touched,
            steps_left=self._task.step_limit - len(self._history),
        )

    def act(self, action: Action) -> Outcome | None:
        """Carry an action out; says how the episode ended, if it did."""
        self._touched += (words_touched(action, self._device.observe()),)
        self._history += (action,)
        if action.kind.ends_episode:
            return self._referee.outcome(action.kind)
        self._device.perform(action)
        return Outcome.STEP_LIMIT if len(self._history) == self._task.step_limit else None


# --------------------------------------------------------------------------------------- policy
#
# All that can be decided on a screen stands in one list, so that a decision is one number:
#
#     kinds without arguments | swipes | spans of the goal, to type | tap, long press per element

SWIPES = len(CHOICES) - 4
TEXTS = SWIPES + len(DIRECTIONS)
TOUCHES = TEXTS + MAX_WORDS * MAX_SPAN


def decision_of(situation: Situation, action: Action) -> int | None:
    """The decision that does what an action does, if there is one."""
    options = options_of(situation)
    kind, target, extra = options.decision(action) or (TYPE, 0, TOUCHES)
    if kind in (TAP, LONG_PRESS):
        return TOUCHES + 2 * target + (kind == LONG_PRESS)
    if kind == SWIPE:
        return None if target else SWIPES + extra
    if kind == TYPE:
        return TEXTS + extra if extra < len(options.words) * MAX_SPAN else None
    return kind - 4


def action_of(situation: Situation, decision: int) -> Action:
    """What a decision does."""
    if decision >= TOUCHES:
        target, long = divmod(decision - TOUCHES, 2)
        meant = (LONG_PRESS if long else TAP, target, 0)
    elif decision >= TEXTS:
        meant = (TYPE, 0, decision - TEXTS)
    elif decision >= SWIPES:
        meant = (SWIPE, 0, decision - SWIPES)
    else:
        meant = (decision + 4, 0, 0)
    return options_of(situation).action(meant)


class Seen(NamedTuple):
    """What the network makes of S situations in which D decisions can be taken."""

    log_probs: Tensor  # [S, D] exact
    invalid: Tensor  # [S] probability of typing nowhere, or of touching what is disabled
    value_logits: Tensor  # [S, 2] two critics of the discounted probability of success

    def log_prob(self, taken: Sequence[int]) -> Tensor:
        """[S] of one decision each."""
        return self.log_probs.gather(1, torch.tensor(taken)[:, None])[:, 0]

    def entropy(self) -> Tensor:
        """[S] of the whole decision."""
        return -(self.log_probs.exp() * self.log_probs).sum(-1)

    def values(self) -> Tensor:
        """[S] the smaller of the two critics."""
        return torch.sigmoid(self.value_logits).amin(dim=1)


class Network(nn.Module):
    """A small transformer over the overview, the last actions, the goal's words, the elements."""

    def __init__(self, width: int = 64, layers: int = 2) -> None:
        super().__init__()
        self.text = nn.Linear(DIMENSIONS, width)  # of words and labels: what means the same is near
        nn.init.orthogonal_(self.text.weight, gain=2.0)
        self.overview = nn.Linear(i.GLOBAL_FEATURES, width)
        self.history = nn.Linear(i.HISTORY_FEATURES, width)
        self.word = nn.Linear(i.WORD_FEATURES, width)
        self.element = _two_layers(i.CANDIDATE_FEATURES, width, width)
        self.linked = nn.Linear(width, width)
        self.pixels = _two_layers(i.CROP**2 * 3, width // 2, width)
        block = nn.TransformerEncoderLayer(
            width, 4, 2 * width, dropout=0.0, batch_first=True, norm_first=True
        )
        norm = nn.LayerNorm(width)
        self.blocks = nn.TransformerEncoder(block, layers, norm, enable_nested_tensor=False)
        self.kind_out = nn.Linear(2 * width, len(CHOICES))
        self.swipe_out = nn.Linear(2 * width, len(DIRECTIONS))
        self.value_out = _two_layers(2 * width, width, 2)
        self.ends_out = nn.Linear(width, 2)  # of a word: a typed span begins, or ends, with it
        self.touch_out = nn.Linear(width, 2)  # of an element: tap, long press

    def forward(self, rows: Sequence[Inputs]) -> Seen:
        """Look at S situations at once."""
        word_mask = _mask([len(row.words) for row in rows])
        mask = _mask([len(row.features) for row in rows])
        said = self.text(_pad(row.words for row in rows))
        overview = self.overview(_pad(row.overview for row in rows)) + _average(said, word_mask)
        history = self.history(_pad(row.history for row in rows))
        history = history + self.text(_pad(row.trail_labels for row in rows))
        words = said + self.word(_pad(row.word_features for row in rows))
        elements = self.element(_pad(row.features for row in rows))
        elements = elements + self.text(_pad(row.labels for row in rows))
        crops = _pad(row.crops for row in rows).flatten(2).float() / 255 - 0.5
        elements = elements + self.pixels(crops)
        # What was touched and what is shown also carry the words of the goal that stand in them.
        links = [np.pad(row.links, ((0, 0), (0, words.shape[1] - len(row.words)))) for row in rows]
        linked = self.linked(_pad(links).float() @ words)
        history = history + linked[:, : history.shape[1]]
        elements = elements + linked[:, history.shape[1] :]
        first = torch.cat([overview[:, None], history], 1)
        x = torch.cat([first, words, elements], 1)
        absent = ~torch.cat([torch.ones(first.shape[:2]) > 0, word_mask, mask], 1)
        x = self.blocks(x, src_key_padding_mask=absent)
        _, words, elements = x.split([first.shape[1], words.shape[1], elements.shape[1]], 1)
        overview = torch.cat([x[:, 0], _average(elements, mask)], -1)

        # The kind first, then its argument: the product is the probability of a decision.
        kind = F.log_softmax(self.kind_out(overview), -1)
        swipe = kind[:, SWIPE, None] + F.log_softmax(self.swipe_out(overview), -1)
        text = kind[:, TYPE, None] + _spans(self.ends_out(words), word_mask)
        touch = _log_softmax(self.touch_out(elements).mT, mask[:, None])  # [S, 2, elements]
        touch = kind[:, [TAP, LONG_PRESS], None] + touch
        disabled = mask & ~_pad(row.enabled for row in rows)
        nowhere = ~torch.tensor([row.typing for row in rows])
        return Seen(
            torch.cat([kind[:, 4:], swipe, text, touch.mT.flatten(1)], 1),
            kind[:, TYPE].exp() * nowhere + (touch.exp() * disabled[:, None]).sum((1, 2)),
            self.value_out(overview),
        )


def _two_layers(wide: int, hidden: int, out: int) -> nn.Module:
    return nn.Sequential(nn.Linear(wide, hidden), nn.GELU(), nn.Linear(hidden, out))


def _pad(arrays: Iterable[npt.NDArray[Any]]) -> Tensor:
    return pad_sequence([torch.from_numpy(array) for array in arrays], batch_first=True)


def _mask(lengths: Sequence[int]) -> Tensor:
    return torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]


def _average(tokens: Tensor, mask: Tensor) -> Tensor:
    return (tokens * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


def _log_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    return F.log_softmax(scores.masked_fill(~mask, -1e9), -1)


def _spans(ends: Tensor, mask: Tensor) -> Tensor:
    """[S, MAX_WORDS * MAX_SPAN] log-probabilities of spans: a score to begin, a score to end."""
    reach = (0, MAX_SPAN - 1)
    last = F.pad(ends[..., 1], reach).unfold(1, MAX_SPAN, 1)
    there = F.pad(mask, reach).unfold(1, MAX_SPAN, 1)
    log_probs = _log_softmax((ends[..., :1] + last).flatten(1), there.flatten(1))
    return F.pad(log_probs, (0, MAX_WORDS * MAX_SPAN - log_probs.shape[1]), value=-1e9)


# --------------------------------------------------------------------------------------- replay


class Step(NamedTuple):
    """One decision, as it was when it was taken; never computed again."""

    inputs: Inputs
    decision: int
    log_mu: float = math.nan  # log-probability for who acted; nan in a demonstration
    version: int = 0  # of the weights that acted: an episode may span several


class Episode(NamedTuple):
    """The reward is 1 on the last step of a success, and 0 everywhere else."""

    steps: list[Step]
    success: bool


class Batch(NamedTuple):
    """B episodes side by side, padded to T steps."""

    rewards_BT: Tensor
    log_mu_BT: Tensor
    mask_BT: Tensor  # True on real steps
    weights_B: Tensor  # importance weights of the prioritised draw
    fresh_B: Tensor  # True where an episode may train the policy, not only the critics

    def spread(self, flat: Tensor) -> Tensor:
        """Put a number per step at its place; 0 on padding."""
        return torch.zeros(self.mask_BT.shape).masked_scatter(self.mask_BT, flat)


class Replay:
    """All episodes, drawn with P proportional to priority^alpha."""

    def __init__(self, s: Settings) -> None:
        self._settings, self._rng = s, np.random.default_rng(s.seed)
        self._episodes: list[Episode] = []
        self._priorities: npt.NDArray[np.float64] = np.zeros(0)
        self._means, self._seen = np.zeros(3), 0.0

    def add(self, episode: Episode) -> None:
        """Take an episode in, with the largest priority: it is soon looked at."""
        self._episodes.append(episode)
        largest = self._priorities.max() if len(self._priorities) else 1.0
        self._priorities = np.append(self._priorities, largest)

    def sample(
        self, version: int, progress: float
    ) -> tuple[npt.NDArray[np.int64], list[Step], Batch]:
        """Draw episodes: their places, all their steps in order, and the batch they make."""
        s = self._settings
        p = self._priorities**s.alpha / (self._priorities**s.alpha).sum()
        strata = (np.arange(s.batch) + self._rng.random(s.batch)) / s.batch
        slots = np.minimum(np.searchsorted(p.cumsum(), strata), len(p) - 1)
        weights = (len(p) * p[slots]) ** -(s.importance + (1 - s.importance) * progress)
        drawn = [self._episodes[slot] for slot in slots]
        ages = torch.tensor([version - min(x.version for x in steps) for steps, _ in drawn])
        mask_BT = _mask([len(steps) for steps, _ in drawn])
        last_BT = mask_BT & ~F.pad(mask_BT, (0, 1))[:, 1:]
        batch = Batch(
            rewards_BT=(last_BT & torch.tensor([[success] for _, success in drawn])).float(),
            log_mu_BT=_pad(np.array([x.log_mu for x in steps], np.float32) for steps, _ in drawn),
            mask_BT=mask_BT,
            weights_B=torch.tensor(weights / weights.max()).float(),
            fresh_B=ages <= s.max_lag,
        )
        return slots, [x for steps, _ in drawn for x in steps], batch

    def update(self, slots: npt.NDArray[np.int64], terms: npt.NDArray[np.float64]) -> None:
        """Give episodes new priorities: [B, 3] terms, each divided by its running mean."""
        self._means = 0.99 * self._means + 0.01 * terms.mean(axis=0)
        self._seen = 0.99 * self._seen + 0.01
        scaled = terms / np.maximum(self._means / self._seen, 1e-6)
        self._priorities[slots] = scaled @ self._settings.priority_weights + 0.01


# ----------------------------------------------------------------------------------- the method


def retrace(
    rewards_BT: Tensor, values_BT: Tensor, rho_BT: Tensor, mask_BT: Tensor, s: Settings
) -> tuple[Tensor, Tensor]:
    """Retrace(lambda), Munos et al. 2016: differences delta_t and advantages D_t, 0 on padding.

        c_t     = lambda * min(1, rho_t)
        delta_t = r_t + gamma * V(s_{t+1}) - V(s_t)
        D_t     = delta_t + gamma * c_{t+1} * D_{t+1}

    Episodes are whole: after the last step comes padding, where V and c are 0.
    """
    V_BT, c_BT = values_BT * mask_BT, s.lam * rho_BT.clamp(max=1.0) * mask_BT
    deltas_BT = rewards_BT + s.gamma * F.pad(V_BT, (0, 1))[:, 1:] - V_BT
    weights_BT = s.gamma * F.pad(c_BT, (0, 1))[:, 1:]
    advantages_BT = deltas_BT.clone()
    for t in reversed(range(V_BT.shape[1] - 1)):
        advantages_BT[:, t] += weights_BT[:, t] * advantages_BT[:, t + 1]
    return deltas_BT, advantages_BT


def outcomes(rewards_BT: Tensor, mask_BT: Tensor, s: Settings) -> Tensor:
    """What the critics learn: gamma^(T-1-t) before a success, 0 before a failure. Monte-Carlo."""
    steps_to_go_BT = mask_BT.sum(1, keepdim=True) - 1 - torch.arange(mask_BT.shape[1])
    return s.gamma**steps_to_go_BT * rewards_BT.sum(1, keepdim=True) * mask_BT


def a_ride_loss(
    batch: Batch, seen: Seen, taken: Sequence[int], values: Tensor, s: Settings
) -> tuple[Tensor, Tensor]:
    """The loss of a batch, and [B, 3] what the priorities of its episodes are made of.

        L = - mean[ w * min(rho, rho_max) * A * log pi ]      ratio and advantage carry no gradient
            - entropy * mean[ H ] + invalid * mean[ P_invalid ]
            + critic * BCE(V, outcome) - imitation * mean[ log pi of demonstrations ]

    `values` [S] are those of the target critics. Old episodes train the critics only.
    """
    mask_BT, rewards_BT = batch.mask_BT, batch.rewards_BT
    log_pi_BT = batch.spread(seen.log_prob(taken))
    shown_BT = batch.log_mu_BT.isnan()
    learned_BT = mask_BT & ~shown_BT & batch.fresh_B[:, None]
    imitated_BT = mask_BT & shown_BT & (rewards_BT.sum(1, keepdim=True) > 0)
    with torch.no_grad():
        ratio_BT = (log_pi_BT - batch.log_mu_BT).clamp(-20, 20).exp()
        rho_BT = torch.where(shown_BT, 1.0, ratio_BT)
        deltas_BT, advantages_BT = retrace(rewards_BT, batch.spread(values), rho_BT, mask_BT, s)
        size = _mean(advantages_BT.square(), learned_BT).sqrt().clamp(min=0.05)
        clipped_BT = rho_BT.clamp(max=s.rho_max)
        weight_BT = batch.weights_B[:, None] * clipped_BT * advantages_BT / size
        targets = outcomes(rewards_BT, mask_BT, s)[mask_BT][:, None].expand(-1, 2)
    loss = (
        -_mean(weight_BT * log_pi_BT, learned_BT)
        - s.entropy * _mean(batch.spread(seen.entropy()), learned_BT)
        + s.invalid * _mean(batch.spread(seen.invalid), learned_BT)
        + s.critic * F.binary_cross_entropy_with_logits(seen.value_logits, targets)
        - s.imitation * _mean(log_pi_BT, imitated_BT)
    )
    terms = (deltas_BT.abs(), clipped_BT, -log_pi_BT.detach())
    return loss, torch.stack([(x * mask_BT).sum(1) / mask_BT.sum(1) for x in terms], 1)


def _mean(values_BT: Tensor, mask_BT: Tensor) -> Tensor:
    return (values_BT * mask_BT).sum() / mask_BT.sum().clamp(min=1)


def descend(loss: Tensor, network: nn.Module, optimiser: torch.optim.Optimizer) -> None:
    """One gradient step."""
    optimiser.zero_grad()
    torch.autograd.backward(loss)
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()


class Learner:
    """Samples a batch, updates the policy, publishes it; waits while its replay ratio is spent."""

    def __init__(self, network: Network, demonstrations: Iterable[Episode], s: Settings) -> None:
        self.settings, self.network = s, network
        self.arrived: queue.SimpleQueue[Episode] = queue.SimpleQueue()
        self.published = (0, copy.deepcopy(network.state_dict()))  # version, weights
        self.episodes, self.updates, self._collected, self._trained = 0, 0, 0, 0
        self._ema = copy.deepcopy(network)
        self._optimiser = torch.optim.AdamW(network.parameters(), s.learning_rate)
        self._replay = Replay(s)
        for episode in demonstrations:
            self._replay.add(episode)

    def step(self) -> bool:
        """One update, if there is something to learn from; says whether there was."""
        s = self.settings
        while not self.arrived.empty():
            episode = self.arrived.get()
            self._replay.add(episode)
            self.episodes += 1
            self._collected += len(episode.steps)
        spent = self._trained >= s.replay_ratio * self._collected
        if spent or self.episodes < s.min_episodes:
            return False
        self._update()
        if self.updates % s.publish_every == 0:
            self.published = (self.published[0] + 1, copy.deepcopy(self.network.state_dict()))
        return True

    def _update(self) -> None:
        s, progress = self.settings, min(1.0, self._collected / self.settings.steps)
        slots, steps, batch = self._replay.sample(self.published[0], progress)
        if self.updates < s.critic_warmup:
            batch = batch._replace(fresh_B=torch.zeros_like(batch.fresh_B))
        rows, taken = [step.inputs for step in steps], [step.decision for step in steps]
        with torch.no_grad():
            values = self._ema(rows).values()
        loss, terms = a_ride_loss(batch, self.network(rows), taken, values, s)
        for group in self._optimiser.param_groups:
            group["lr"] = s.learning_rate * (1 - (1 - s.anneal) * progress)
        descend(loss, self.network, self._optimiser)
        pairs = zip(self._ema.parameters(), self.network.parameters(), strict=True)
        with torch.no_grad():
            for slow, fast in pairs:
                slow.lerp_(fast, 1 - s.ema_decay)
        self._replay.update(slots, terms.double().numpy())
        self.updates += 1
        self._trained += len(steps)


class Collector:
    """Plays on all phones with the newest published weights; waits for nobody."""

    def __init__(self, learner: Learner, tasks: Sequence[Task], reader: Preparer) -> None:
        s = learner.settings
        self._learner, self._tasks, self._reader = learner, tasks, reader
        self._rng, self._draws = Random(s.seed), torch.Generator().manual_seed(s.seed)
        self._network, self._version = copy.deepcopy(learner.network), 0
        self._phones = [Phone() for _ in range(s.phones)]
        self._running: list[list[Step]] = [[] for _ in self._phones]
        self.steps = 0
        for phone in self._phones:
            phone.begin(self._rng.choice(tasks))

    def run(self) -> None:
        """Collect until the budget is spent."""
        while self.steps < self._learner.settings.steps:
            self.step()

    def step(self) -> None:
        """One step on every phone, by one forward pass."""
        newest, weights = self._learner.published
        if newest > self._version:
            self._network.load_state_dict(weights)
            self._version = newest
        situations = [phone.situation() for phone in self._phones]
        rows = [self._reader.prepare(situation) for situation in situations]
        with torch.inference_mode():
            seen = self._network(rows)
            drawn = torch.multinomial(seen.log_probs.exp(), 1, generator=self._draws)
            taken: list[int] = drawn[:, 0].tolist()
            log_mu = seen.log_prob(taken).tolist()
        for place, phone in enumerate(self._phones):
            step = Step(rows[place], taken[place], log_mu[place], self._version)
            self._running[place].append(step)
            outcome = phone.act(action_of(situations[place], taken[place]))
            if outcome is not None:
                success = outcome is Outcome.SUCCEEDED
                self._learner.arrived.put(Episode(self._running[place], success))
                self._running[place] = []
                phone.begin(self._rng.choice(self._tasks))
        self.steps += len(self._phones)


# ---------------------------------------------------------------------- warm start and evaluation


def demonstrate(tasks: Sequence[Task], reader: Preparer) -> list[Episode]:
    """The oracle's way through each task, after the last step that cannot be decided here."""
    phone, shown = Phone(), []
    for task in tasks:
        phone.begin(task)
        steps: list[Step] = []
        outcome = None
        while outcome is None:
            situation, action = phone.situation(), phone.oracle.action()
            decision = decision_of(situation, action)
            steps = [] if decision is None else [*steps, Step(reader.prepare(situation), decision)]
            outcome = phone.act(action)
        if steps and outcome is Outcome.SUCCEEDED:
            shown.append(Episode(steps, success=True))
    return shown


def clone(network: Network, shown: Sequence[Episode], reader: Preparer, s: Settings) -> None:
    """Imitate demonstrations until the policy is barely useful."""
    rng, tasks = Random(s.seed), load_tasks("val", 40)
    optimiser = torch.optim.AdamW(network.parameters(), 1e-3)
    steps = [step for episode in shown for step in episode.steps]
    for update in range(1, 501):
        drawn = rng.choices(steps, k=48)
        seen = network([step.inputs for step in drawn])
        descend(-seen.log_prob([step.decision for step in drawn]).mean(), network, optimiser)
        if update % 5 == 0 and success_of(network, tasks, reader) >= s.clone_until:
            return


def success_of(network: Network, tasks: Sequence[Task], reader: Preparer) -> float:
    """Share of the tasks that the likeliest decisions solve, on sixteen phones side by side."""
    waiting, solved = list(tasks), 0
    playing = [Phone() for _ in range(min(16, len(tasks)))]
    for phone in playing:
        phone.begin(waiting.pop())
    while playing:
        situations = [phone.situation() for phone in playing]
        with torch.inference_mode():
            seen = network([reader.prepare(situation) for situation in situations])
        best = seen.log_probs.argmax(-1).tolist()
        for phone, situation, decision in zip(tuple(playing), situations, best, strict=True):
            outcome = phone.act(action_of(situation, decision))
            solved += outcome is Outcome.SUCCEEDED
            if outcome is not None and waiting:
                phone.begin(waiting.pop())
            elif outcome is not None:
                playing.remove(phone)
    return solved / len(tasks)


# ------------------------------------------------------------------------------------------ main


class Curve:
    """Success on the test split after so many collected steps, printed as it grows."""

    def __init__(self, collector: Collector, learner: Learner, reader: Preparer) -> None:
        self._collector, self._learner, self._reader = collector, learner, reader
        self._tasks = load_tasks("test", learner.settings.test_tasks)
        self.rows: list[dict[str, float]] = []

    def extend(self) -> None:
        """Measure, if it is time: at the start, every so many steps, at the end."""
        steps, s = self._collector.steps, self._learner.settings
        last = self.rows[-1]["steps"] if self.rows else -s.evaluate_every
        if steps == last or steps < min(s.steps, last + s.evaluate_every):
            return
        success = success_of(self._learner.network, self._tasks, self._reader)
        self.rows.append({"steps": steps, "success": success})
        if not s.json:
            print(
                f"{steps:6d} steps   success {success:.3f} {'#' * round(50 * success)}", flush=True
            )


def train(s: Settings) -> dict[str, Any]:
    """Clone, then collect and learn, side by side or in turns."""
    began = time.monotonic()
    torch.manual_seed(s.seed)
    torch.set_num_threads(1)
    network, reader, tasks = Network(), Preparer(TextEncoder()), load_tasks("train", 200)
    shown = demonstrate(tasks[: s.demonstrations], reader)
    clone(network, shown, reader, s)
    learner = Learner(network, shown, s)
    collector = Collector(learner, tasks, reader)
    curve = Curve(collector, learner, reader)
    curve.extend()
    if s.threads:
        learn_beside(collector, learner, curve)
    else:
        while collector.steps < s.steps:
            collector.step()
            while learner.step():
                pass
            curve.extend()
    curve.extend()
    return {
        "warm_start_success": curve.rows[0]["success"],
        "success": curve.rows[-1]["success"],
        "steps": collector.steps,
        "episodes": learner.episodes,
        "updates": learner.updates,
        "versions": learner.published[0],
        "seconds": round(time.monotonic() - began, 1),
        "curve": curve.rows,
    }


def learn_beside(collector: Collector, learner: Learner, curve: Curve) -> None:
    """Learn while a thread collects; then learn what is left. Ends with the thread's error."""
    with ThreadPoolExecutor(1) as pool:
        collecting = pool.submit(collector.run)
        while (learned := learner.step()) or not collecting.done():
            if not learned:
                time.sleep(0.001)  # the replay ratio is spent
            if collector.steps < learner.settings.steps:
                curve.extend()
        collecting.result()


def main() -> None:
    """Train, and say what came of it."""
    settings = tyro.cli(Settings, description=__doc__)
    report = train(settings)
    if settings.json:
        print(json.dumps(report))
    else:
        print(
            f"test success {report['warm_start_success']:.3f} -> {report['success']:.3f} after "
            f"{report['episodes']} episodes, {report['updates']} updates, {report['seconds']:.0f} s"
        )


if __name__ == "__main__":
    main()
