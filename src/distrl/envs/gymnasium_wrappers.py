"""Wrappers around `SuiteEnv` that learners of other packages can use as they are.

    wrapper               space                              for
    PixelObservation      Box, uint8 [height, width, 3]      convolutional policies
    FeatureObservation    Box, float32 [FEATURES]            multilayer perceptrons
    CandidateActions      Discrete, with `action_masks()`    learners of numbered actions

`distrl.make(observation=..., action=...)` puts them on, the actions inside. They read the `info` of
the environment, so nothing that a wrapper in between does to an observation matters to them.
"""

from __future__ import annotations

import operator
import textwrap
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from PIL import Image, ImageDraw, ImageFont

from distrl import actions
from distrl.actions import why_invalid
from distrl.envs.gymnasium_env import MOST_CHARACTERS, clean, decode_observation, require_size
from distrl.envs.situations import Recall
from distrl.errors import ActionError, ConfigError, unknown_name
from distrl.policies.pointer.decisions import (
    ALL_CHOICES,
    ANSWER,
    DIRECTIONS,
    MAX_CANDIDATES,
    MAX_SPAN,
    Decision,
    Options,
    candidates_of,
    renumber,
)
from distrl.policies.pointer.inputs import (
    CANDIDATE_FEATURES,
    GLOBAL_FEATURES,
    HISTORY,
    HISTORY_FEATURES,
    Inputs,
    Preparer,
)
from distrl.policies.pointer.text_encoder import MAX_WORDS, TextEncoder
from distrl.types import BASIC_KINDS, Action, Kind, Observation, Pixels, keys_of

Info = dict[str, Any]
Stepped = tuple[Any, SupportsFloat, bool, bool, Info]

FEATURES = MAX_CANDIDATES * CANDIDATE_FEATURES + HISTORY * HISTORY_FEATURES + GLOBAL_FEATURES
"""Numbers of a feature vector: of each candidate, of the last actions, of the whole."""
_SPANS = MAX_WORDS * MAX_SPAN
"""Runs of words of the longest goal."""
_ANSWERS = _SPANS + 2 * MAX_CANDIDATES + len(actions.ANSWER_WORDS)
_LARGEST = 10.0
"""Of a feature; nearly all are within 1, and the steps left are 10 for two hundred of them."""
_LINE, _MARGIN = 12, 3
"""Pixels of a line of the goal, and around the text."""
_LINES = 3
_LETTER = 5.2
"""Mean width of a letter of the font, in pixels."""


def _require_dictionary(env: gymnasium.Env[Any, Any]) -> None:
    """ConfigError unless an environment shows what `distrl.make` does."""
    shown = env.observation_space
    if not isinstance(shown, spaces.Dict) or not {"screen", "goal"} <= set(shown):
        raise ConfigError(
            "this wrapper is for an environment of distrl.make(...) that shows a dictionary, got "
            f"{env!r}"
        )


class CandidateActions(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Actions are numbers: each stands for something that can be done on the present screen.

        env = CandidateActions(distrl.make("general"), kinds=("tap", "type", "complete"))
        observation, info = env.reset(seed=1)
        number = env.action_space.sample(env.action_masks().astype("int8"))

    The numbers are those of the pointer policy's decisions, in this order, as far as `kinds` has
    them: a tap on each candidate, a long press on each, a swipe in each direction, typing each run
    of up to eight words of the goal, the keys back, home and enter, waiting, complete, infeasible.
    Unless `kinds` names them, that is all. Behind them come answers (runs of words of the goal, the
    texts and then the descriptions of the candidates, yes, no, none and small numbers), a double
    tap on each candidate, and the key recents. `open_app` and `drag` have no numbers.
    Candidates are the elements of the screen, or the cells of a grid on devices without elements.

    The space is as large as the largest screen and the longest goal. A number that stands for
    nothing here is an invalid action: nothing is done, it costs a step, and `info["refused"]` says
    why. `action_masks()` tells which numbers can have an effect, as MaskablePPO of sb3-contrib
    asks.
    """

    def __init__(
        self, env: gymnasium.Env[Any, Any], *, kinds: Collection[str] = tuple(BASIC_KINDS)
    ) -> None:
        """Offer actions of these kinds; ConfigError with the nearest name for an unknown one."""
        _require_dictionary(env)
        super().__init__(env)
        for kind in kinds:
            if kind not in tuple(Kind):
                raise unknown_name("kind of action", kind, [str(known) for known in Kind])
        if not kinds:
            raise ConfigError(f"at least one kind of action is needed; allowed: {', '.join(Kind)}")
        self._decisions = tuple(_decisions(frozenset(map(Kind, kinds))))
        self._options = Options("", ())
        self._seen: Observation | None = None
        self.action_space = spaces.Discrete(len(self._decisions))

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Any, Info]:
        """Begin an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._look(observation, info)
        return observation, info

    def step(self, action: Any) -> Stepped:
        """Do what the number stands for; ActionError for one that is not in the space."""
        try:
            number = operator.index(action)
        except TypeError:
            raise ActionError(f"an action is a number of the list, got {action!r}") from None
        chosen = self.action(number)
        why = "" if chosen is not None else self._why_nothing(number)
        observation, reward, terminated, truncated, info = self.env.step(chosen or actions.wait())
        self._look(observation, info)
        if why:
            info = {**info, "refused": why}
        return observation, reward, terminated, truncated, info

    def action(self, number: int) -> Action | None:
        """What a number stands for on the present screen; None if nothing."""
        if not 0 <= number < len(self._decisions):
            raise ActionError(
                f"an action is a number from 0 to {len(self._decisions) - 1}, got {number}"
            )
        decision = self._decisions[number]
        return self._acted(decision) if self._exists(decision) else None

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """[n] whether each number stands for an action that can have an effect now."""
        return np.array([self._possible(decision) for decision in self._decisions], np.bool_)

    def _look(self, observation: Mapping[str, Any], info: Info) -> None:
        seen = decode_observation(observation)
        self._seen = replace(seen, elements=info["elements"] or None)
        self._options = Options(info["task"].goal, candidates_of(self._seen))

    def _exists(self, decision: Decision) -> bool:
        (kind, _), target, extra = ALL_CHOICES[decision[0]], *decision[1:]
        if kind.touches_point:
            return target < len(self._options.candidates)
        if kind is Kind.ANSWER:
            return self._has_answer(extra)
        if kind is Kind.TYPE:
            start, rest = divmod(extra, MAX_SPAN)
            return start + rest < len(self._options.words)
        return True

    def _has_answer(self, extra: int) -> bool:
        """Whether an answer in the numbering of the largest screen is one of this screen."""
        there = len(self._options.candidates)
        if extra < _SPANS:
            start, rest = divmod(extra, MAX_SPAN)
            return start + rest < len(self._options.words)
        extra -= _SPANS
        return extra >= 2 * MAX_CANDIDATES or extra % MAX_CANDIDATES < there

    def _acted(self, decision: Decision) -> Action:
        kind, target, extra = decision
        if kind == ANSWER:
            sizes = len(self._options.words), len(self._options.candidates)
            extra = renumber(extra, kind, (MAX_WORDS, MAX_CANDIDATES), sizes)
        return self._options.action((kind, target, extra))

    def _possible(self, decision: Decision) -> bool:
        if self._seen is None or not self._exists(decision):
            return False
        return why_invalid(self._acted(decision), self._seen) is None

    def _why_nothing(self, number: int) -> str:
        kind, _ = ALL_CHOICES[self._decisions[number][0]]
        if kind is Kind.TYPE:
            return f"action {number} types words that the goal does not have"
        if kind is Kind.ANSWER:
            return f"action {number} answers words that stand neither in the goal nor here"
        there = len(self._options.candidates)
        target = self._decisions[number][1]
        return f"action {number} is a {kind} on candidate {target}, and the screen has {there}"


def _decisions(kinds: frozenset[Kind]) -> Iterator[Decision]:
    """All decisions that some screen and some goal may have, in a fixed order."""
    keys = keys_of(kinds)
    for index, (kind, key) in enumerate(ALL_CHOICES):
        if kind not in kinds or (key is not None and key not in keys):
            continue
        if kind.touches_point:
            yield from ((index, target, 0) for target in range(MAX_CANDIDATES))
        elif kind is Kind.SWIPE:
            yield from ((index, 0, direction) for direction in range(len(DIRECTIONS)))
        elif kind is Kind.TYPE:
            yield from ((index, 0, extra) for extra in range(_SPANS))
        elif kind is Kind.ANSWER:
            yield from ((index, 0, extra) for extra in range(_ANSWERS))
        else:
            yield (index, 0, 0)


class PixelObservation(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Observations are images: the screen, and above it the goal in writing.

        env = PixelObservation(distrl.make("general"), size=(84, 168))

    The whole is scaled to `size` (width, height); the default is about half of the embedded phone's
    screen, for a learner keeps thousands of them. Without `goal`, nothing says what is asked, which
    is enough only where there is a single task.
    """

    def __init__(
        self, env: gymnasium.Env[Any, Any], *, size: tuple[int, int] = (96, 208), goal: bool = True
    ) -> None:
        """Show images of `size`; ConfigError for one that no picture can have."""
        _require_dictionary(env)
        super().__init__(env)
        require_size(size)
        width, height = size
        self._size, self._goal = (width, height), goal
        self.observation_space = spaces.Box(0, 255, (height, width, 3), np.uint8)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Any, Info]:
        """Begin an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._image(observation, info), info

    def step(self, action: Any) -> Stepped:
        """Carry out one action."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._image(observation, info), reward, terminated, truncated, info

    def _image(self, observation: Mapping[str, Any], info: Info) -> Pixels:
        screen = observation["screen"]
        if self._goal:
            screen = np.concatenate([_written(info["task"].goal, screen.shape[1]), screen])
        return np.array(Image.fromarray(screen).resize(self._size, Image.Resampling.BOX))


@lru_cache(maxsize=1024)
def _written(goal: str, width: int) -> Pixels:
    """[height, width, 3] the words of a goal, black on white; what has no room is left out."""
    band = Image.new("RGB", (width, _LINES * _LINE + 2 * _MARGIN), "white")
    text = clean(goal)[:MOST_CHARACTERS]
    lines = textwrap.wrap(text, max(1, int((width - 2 * _MARGIN) / _LETTER)))[:_LINES]
    font = ImageFont.load_default(10)
    ImageDraw.Draw(band).multiline_text((_MARGIN, _MARGIN), "\n".join(lines), "black", font)
    return np.array(band)


class FeatureObservation(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Observations are vectors: the pointer policy's own features of the screen and the goal.

        env = FeatureObservation(distrl.make("general", action="candidates"))

    FEATURES numbers: for each candidate its role, state, place, how well it fits the goal and
    whether it was touched, in the order in which `CandidateActions` numbers them, zeros where there
    is none; then the last actions; then an overview. A sentence encoder compares labels with the
    goal; it is loaded when the first text is new to its cache.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        """Show features of what `env` shows, which is a dictionary."""
        _require_dictionary(env)
        super().__init__(env)
        self._recall = Recall()
        self.observation_space = spaces.Box(-_LARGEST, _LARGEST, (FEATURES,), np.float32)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Any, Info]:
        """Begin an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._recall.reset()
        return self._features(observation, info), info

    def step(self, action: Any) -> Stepped:
        """Carry out one action."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        # What was carried out, which is not always what was asked for here.
        self._recall.remember(info["action"])
        return self._features(observation, info), reward, terminated, truncated, info

    def _features(self, observation: Mapping[str, Any], info: Info) -> npt.NDArray[np.float32]:
        return _vector(_preparer().prepare(self._recall.situation(observation, info)))


@cache
def _preparer() -> Preparer:
    """One per process: its encoder keeps all vectors in memory."""
    return Preparer(TextEncoder())


def _vector(inputs: Inputs) -> npt.NDArray[np.float32]:
    candidates = np.zeros((MAX_CANDIDATES, CANDIDATE_FEATURES), np.float32)
    candidates[: len(inputs.features)] = inputs.features
    vector = np.concatenate([candidates.ravel(), inputs.history.ravel(), inputs.overview])
    return vector.clip(-_LARGEST, _LARGEST)
