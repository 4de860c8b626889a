"""Encodes situations as prompt tokens and decodes actions: the only user of the tokenizer."""

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
from distrl.policies.lm.prompt import Prompt, action_text, build_prompt
from distrl.types import BASIC_KINDS, Action, Kind, Pixels, Situation

_CACHED_TEXTS = 65_536
"""Entries of the tokenize cache: lines of prompts and the actions of every element number recur."""


class PromptEncoder:
    """Turns situations and actions into tokens, and tokens into text. Thread-safe."""

    def __init__(
        self,
        tokenizer: Any,
        config: LmConfig,
        *,
        processor: Any = None,
        kinds: frozenset[Kind] = BASIC_KINDS,
    ) -> None:
        """With a `processor`, prompts contain the screenshot; image-only models get no elements.

        Prompts name and offer actions of these `kinds` alone.
        """
        self._tokenizer, self._config, self._processor = tokenizer, config, processor
        self._kinds = kinds
        self._lock = threading.Lock()
        self.tokenize = lru_cache(_CACHED_TEXTS)(self._tokenize)
        self.end_token = int(tokenizer.eos_token_id)
        """The token that ends an action."""

    def _tokenize(self, text: str) -> Tokens:
        with self._lock:  # fast tokenizers set truncation and padding in themselves at every call
            return tuple(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def decode(self, tokens: Tokens) -> str:
        """The text of tokens, without the end token."""
        with self._lock:
            return str(self._tokenizer.decode(list(tokens), skip_special_tokens=True))

    def encode(self, situation: Situation) -> tuple[Prompt, LmInputs]:
        """The prompt of a situation, and its tokens."""
        prompt = build_prompt(situation, self._config, self._kinds)
        options = tuple(self.encode_option(option) for option in prompt.options)
        if self._processor is None:
            lead, goal = self.tokenize(prompt.lead), self.tokenize(prompt.goal)
            # In three pieces, so that the goal has the same tokens in every prompt: the critic of
            # goals finds them by their place.
            tokens = (*lead, *goal, *self.tokenize(prompt.rest))
            return prompt, LmInputs(tokens=tokens, goal=len(goal), options=options, lead=len(lead))
        return prompt, self._encode_with_picture(prompt, situation.observation.screen, options)

    def encode_option(self, text: str) -> Tokens:
        """Tokens of an action's text: after a space, and with the end token."""
        # The space: prompts end with "Action:", and models write " tap", which is another token.
        return (*self.tokenize(f" {text}"), self.end_token)

    def encode_action(self, action: Action, prompt: Prompt) -> Tokens | None:
        """Tokens of an action; None if the prompt does not offer it."""
        text = action_text(action, prompt)
        return None if text is None else self.encode_option(text)

    def save(self, folder: Path) -> None:
        """Write the tokenizer, or the processor, as transformers loads it."""
        (self._processor or self._tokenizer).save_pretrained(folder)

    def _encode_with_picture(
        self, prompt: Prompt, screen: Pixels, options: tuple[Tokens, ...]
    ) -> LmInputs:
        """Tokens with the goal first, then the picture, then the rest."""
        picture = scaled(screen, self._config.picture_width)
        mark = picture_mark(self._processor)
        rest = prompt.rest if self._config.sees != "image" else "Action:"
        with self._lock:
            asked = self._processor(
                text=[f"{prompt.lead}{prompt.goal}{mark}\n{rest}"],
                images=[Image.fromarray(picture)],
            )
        # The processor inserts as many picture tokens as the picture needs, so the goal's place is
        # searched for.
        tokens = tuple(int(token) for token in np.asarray(asked["input_ids"][0]).tolist())
        goal = self.tokenize(prompt.goal)
        lead = next((k for k in range(len(tokens)) if tokens[k : k + len(goal)] == goal), 0)
        return LmInputs(tokens=tokens, goal=len(goal), options=options, lead=lead, picture=picture)


def picture_mark(processor: Any) -> str:
    """The placeholder that a processor replaces by picture tokens, with its delimiters."""
    mark = processor.image_token
    if hasattr(processor, "vision_start_token"):
        return f"{processor.vision_start_token}{mark}{processor.vision_end_token}"
    tokenizer = processor.tokenizer
    start, end = "<|vision_start|>", "<|vision_end|>"
    if start in tokenizer.get_vocab():
        return f"{start}{mark}{end}"
    return str(mark)


def scaled(screen: Pixels, width: int) -> Pixels:
    """The screen scaled down to `width`, if it is wider."""
    if screen.shape[1] <= width:
        return screen
    height = max(1, round(screen.shape[0] * width / screen.shape[1]))
    smaller = Image.fromarray(screen).resize((width, height), Image.Resampling.BILINEAR)
    return np.asarray(smaller, np.uint8)
