"""From situations to tokens and back: the only place that asks a tokeniser."""

from __future__ import annotations

import threading
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from distrl.config.policies import LmConfig
from distrl.policies.lm.inputs import LmInputs
from distrl.policies.lm.options import Tokens
from distrl.policies.lm.prompt import Prompt, build_prompt, say
from distrl.types import Action, Pixels, Situation

_KNOWN = 65_536
"""Texts whose tokens are remembered."""


class Reader:
    """Tokens of prompts and of actions. Any thread may ask."""

    def __init__(
        self,
        tokenizer: Any,
        config: LmConfig,
        *,
        processor: Any = None,
    ) -> None:
        """A `processor` shows the screen too; a model that sees images only gets no elements."""
        self._tokenizer, self._config, self._processor = tokenizer, config, processor
        self._asking = threading.Lock()
        self.tokens_of = lru_cache(_KNOWN)(self._tokens_of)
        self.end = int(tokenizer.eos_token_id)
        """The token that ends an action."""

    def _tokens_of(self, text: str) -> Tokens:
        with self._asking:  # a tokeniser changes itself with every call
            return tuple(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def text(self, tokens: Tokens) -> str:
        """What tokens say, without the one that ends them."""
        with self._asking:
            return str(self._tokenizer.decode(list(tokens), skip_special_tokens=True))

    def read(self, situation: Situation) -> tuple[Prompt, LmInputs]:
        """A situation as text, and as tokens."""
        prompt = build_prompt(situation, self._config)
        options = tuple(self.written(option) for option in prompt.options)
        if self._processor is None:
            lead, goal = self.tokens_of(prompt.lead), self.tokens_of(prompt.goal)
            tokens = (*lead, *goal, *self.tokens_of(prompt.rest))
            return prompt, LmInputs(tokens=tokens, goal=len(goal), options=options, lead=len(lead))
        return prompt, self._seen(prompt, situation.observation.screen, options)

    def written(self, text: str) -> Tokens:
        """An action as it is written: after a space, with its end."""
        return (*self.tokens_of(f" {text}"), self.end)

    def say(self, action: Action, prompt: Prompt) -> Tokens | None:
        """An action as tokens; None for one that cannot be written here."""
        text = say(action, prompt)
        return None if text is None else self.written(text)

    def save(self, folder: Path) -> None:
        """Write what turns text, and pictures, into tokens."""
        (self._processor or self._tokenizer).save_pretrained(folder)

    def _seen(self, prompt: Prompt, screen: Pixels, options: tuple[Tokens, ...]) -> LmInputs:
        """The goal first, then the picture, then the rest: what the goal critic reads is whole."""
        picture = scaled(screen, self._config.picture_width)
        mark = picture_mark(self._processor)
        rest = prompt.rest if self._config.sees != "image" else "Action:"
        with self._asking:
            asked = self._processor(
                text=[f"{prompt.lead}{prompt.goal}{mark}\n{rest}"],
                images=[Image.fromarray(picture)],
            )
        tokens = tuple(int(token) for token in np.asarray(asked["input_ids"][0]).tolist())
        goal = self.tokens_of(prompt.goal)
        lead = next((k for k in range(len(tokens)) if tokens[k : k + len(goal)] == goal), 0)
        return LmInputs(tokens=tokens, goal=len(goal), options=options, lead=lead, picture=picture)


def picture_mark(processor: Any) -> str:
    """How a picture is mentioned in a text, by the processor of its model."""
    mark = processor.image_token
    if hasattr(processor, "vision_start_token"):
        return f"{processor.vision_start_token}{mark}{processor.vision_end_token}"
    tokenizer = processor.tokenizer
    start, end = "<|vision_start|>", "<|vision_end|>"
    if start in tokenizer.get_vocab():
        return f"{start}{mark}{end}"
    return str(mark)


def scaled(screen: Pixels, width: int) -> Pixels:
    """A screen made narrower, if it is wider than that."""
    if screen.shape[1] <= width:
        return screen
    height = max(1, round(screen.shape[0] * width / screen.shape[1]))
    smaller = Image.fromarray(screen).resize((width, height), Image.Resampling.BILINEAR)
    return np.asarray(smaller, np.uint8)
