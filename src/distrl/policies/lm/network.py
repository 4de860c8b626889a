"""A decoder in two parts: frozen layers below, layers with an adapter above.

    tokens --embed--> below (frozen) --states, half precision--> above (LoRA) --> hidden

Whoever acts and whoever learns read the same rounded states, so what stands below need not be
computed again for learning, and the two agree to the last digits. Rows are padded at their end:
attention looks back only, so no row sees its padding.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from distrl.errors import ConfigError
from distrl.policies.lm.inputs import LmInputs
from distrl.policies.lm.options import Tokens
from distrl.policies.lm.prefix_cache import CachedPrefix, PrefixCache
from distrl.policies.lm.split_check import (
    Said,
    listen,
    probe,
    refusal,
    require_same_hidden,
    require_same_words,
)

Masks: TypeAlias = Tensor | dict[str, Tensor]
"""Whom new tokens look at, or that for each kind of layer."""
_AT_ONCE = 8
"""Prompts that pass the frozen layers together."""
_CANNOT = (AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError)
"""What layers of an unknown family may say to being passed in parts."""
_LARGEST = torch.finfo(torch.float16).max
ADAPTED = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
"""What an adapter is put on, where a layer has it."""
_FULL, _SLIDING = "full_attention", "sliding_attention"
"""How layers look back, as configurations of transformers say it: to the start, or not so far."""


def adapt(model: Any, *, layers: Sequence[int] | None, rank: int, alpha: float) -> None:
    """Freeze a model and put a LoRA on its language layers, or on some of them.

    The adapter is in single precision whatever the model is in: a small step of training is less
    than half precision can tell.
    """
    import peft

    model.requires_grad_(False)
    names = [
        name
        for name, module in decoder_of(model).named_modules()
        if isinstance(module, nn.Linear)
        and name.rsplit(".", 1)[-1] in ADAPTED
        and (layers is None or int(name.split(".")[1]) in layers)
    ]
    if not names:
        raise ConfigError(
            f"a {type(model).__name__} has no layers to adapt (looked for: {', '.join(ADAPTED)})"
        )
    library: Any = peft
    settings = library.LoraConfig(r=rank, lora_alpha=alpha, lora_dropout=0.0, target_modules=names)
    library.inject_adapter_in_model(settings, decoder_of(model))
    for weight in model.parameters():
        if weight.requires_grad:
            weight.data = weight.data.float()


def decoder_of(model: Any) -> Any:
    """The layers that read text, inside of any model of transformers."""
    decoder = model.get_decoder()
    for name in ("language_model", "text_model"):
        decoder = getattr(decoder, name, decoder)
    return decoder


class Adapted:
    """A model of transformers with an adapter, by its two ends."""

    whole: Any

    @property
    def embeddings(self) -> Tensor:
        """[vocabulary, width] of tokens that are read."""
        weight: Tensor = self.whole.get_input_embeddings().weight
        return weight

    @property
    def words(self) -> Tensor:
        """[vocabulary, width] of tokens that are written."""
        weight: Tensor = self.whole.get_output_embeddings().weight
        return weight

    def logits(self, hidden: Tensor, tokens: Tensor | None = None) -> Tensor:
        """Scores of the words that may come next, in single precision.

        [N, K] of certain tokens for each of [N, width], or [N, vocabulary] of all.
        """
        words, bias = self.words, getattr(self.whole.get_output_embeddings(), "bias", None)
        if tokens is None:
            scores = hidden @ words.float().T
        else:
            tokens = tokens.to(words.device)
            scores = torch.einsum("nkw,nw->nk", words[tokens].float(), hidden)
        if bias is not None:
            scores = scores + (bias if tokens is None else bias[tokens]).float()
        return self._scaled(scores)

    def _scaled(self, scores: Tensor) -> Tensor:
        """As families do with scores: Cohere multiplies, Granite divides, Gemma 2 caps them."""
        config = decoder_of(self.whole).config
        if (times := getattr(config, "logit_scale", None)) is not None:
            scores = scores * times
        if (over := getattr(config, "logits_scaling", None)) is not None:
            scores = scores / over
        if (cap := getattr(config, "final_logit_softcapping", None)) is not None:
            scores = cap * torch.tanh(scores / cap)
        return scores


class TextNetwork(Adapted):
    """A causal language model that only reads."""

    def __init__(self, model: Any, *, top: int, rank: int, alpha: float) -> None:
        """Adapt the `top` last layers of a model, which is changed by it.

        ConfigError for a family of models that cannot be taken apart like this.
        """
        decoder = decoder_of(model)
        _require_parts(model, decoder)
        self.whole = model
        said = listen(model, decoder, probe(self.embeddings))
        count = len(decoder.layers)
        first = max(0, count - top)
        adapt(model, layers=range(first, count), rank=rank, alpha=alpha)
        self.below = _stage(decoder, 0, first)
        self.above = _stage(decoder, first, count)
        if hasattr(self.above, "embedding_multiplier"):
            # Granite multiplies whatever enters, and what enters here is multiplied already.
            self.above.embedding_multiplier = 1.0
        self.width = int(decoder.config.hidden_size)
        self.window = _window_of(decoder.config)
        self._require_likeness(said, count if first else None)

    @torch.no_grad()
    def _require_likeness(self, said: Said, count: int | None) -> None:
        """ConfigError if the parts say something else than the whole, which has `count` layers."""
        instead = f"adapt all of its layers with policy.lm.top_layers={count}" if count else ""
        try:
            states = self.below(input_ids=said.tokens, use_cache=False).last_hidden_state
            hidden = self.above(inputs_embeds=states, use_cache=False).last_hidden_state[0]
        except _CANNOT as cause:
            told = " ".join(str(cause).split())[:200]
            raise refusal(
                self.whole, f"its layers do not pass in two parts ({told})", instead=instead
            ) from cause
        if (largest := float(states.abs().max())) > _LARGEST:
            raise refusal(
                self.whole,
                f"what its lower layers make of a prompt, up to {largest:.2g}, is more than half "
                f"precision holds",
                instead=instead,
            )
        require_same_hidden(self.whole, said, hidden, instead=instead)
        require_same_words(self.whole, said, self.logits(hidden.float()))

    def hidden(self, inputs: Sequence[LmInputs], written: Sequence[Tokens]) -> Tensor:
        """[B, 1 + most written, width] after each prompt and each token that was written."""
        states = [
            self._states_of(step, tokens) for step, tokens in zip(inputs, written, strict=True)
        ]
        read = pad_sequence(states, batch_first=True).to(self.embeddings)
        out = self.above(inputs_embeds=read, use_cache=False).last_hidden_state
        rows = [
            row[len(step.tokens) - 1 : len(step.tokens) + len(tokens)]
            for row, step, tokens in zip(out, inputs, written, strict=True)
        ]
        return pad_sequence(rows, batch_first=True).float()

    def _states_of(self, step: LmInputs, written: Tokens) -> Tensor:
        length = len(step.tokens) + len(written)
        if step.states is not None and len(step.states) == length:
            return torch.from_numpy(step.states.copy())
        return self.read_below((*step.tokens, *written))

    def read_below(self, tokens: Tokens) -> Tensor:
        """[tokens, width] what the layers above read, in half precision."""
        (found,) = self._pass_below([tokens])
        return found.states

    def remember(self, prompts: Sequence[Tokens], memory: PrefixCache) -> list[CachedPrefix]:
        """What the frozen layers make of prompts; those that came before cost nothing."""
        found = {prompt: memory.find(prompt) for prompt in dict.fromkeys(prompts)}
        new = sorted((p for p, known in found.items() if known is None), key=len)
        for start in range(0, len(new), _AT_ONCE):
            part = new[start : start + _AT_ONCE]
            for prompt, passed in zip(part, self._pass_below(part), strict=True):
                found[prompt] = passed
                memory.keep(prompt, passed)
        return [known for prompt in prompts if (known := found[prompt]) is not None]

    @torch.no_grad()
    def _pass_below(self, prompts: Sequence[Tokens]) -> list[CachedPrefix]:
        from transformers import DynamicCache

        device = self.embeddings.device
        ids = pad_sequence([torch.tensor(p) for p in prompts], batch_first=True).to(device)
        cache = DynamicCache()
        passed = self.below(input_ids=ids, past_key_values=cache, use_cache=True)
        states = to_states(passed.last_hidden_state)
        layers: list[Any] = cache.layers[: len(self.below.layers)]
        nothing = states.new_zeros(0, len(prompts), 0, 0, 0)
        keys = torch.stack([layer.keys for layer in layers]) if layers else nothing
        values = torch.stack([layer.values for layer in layers]) if layers else nothing
        return [
            CachedPrefix(
                states[row, : len(prompt)].cpu().clone(),
                keys[:, row, :, : len(prompt)].clone(),
                values[:, row, :, : len(prompt)].clone(),
            )
            for row, prompt in enumerate(prompts)
        ]

    def as_mask(self, seen: Tensor) -> Tensor:
        """Whom tokens look at as the layers take it: plain attention, as in Gemma 2, adds it up."""
        if self.above.config._attn_implementation != "eager":
            return seen
        weights = self.embeddings
        nothing = torch.zeros_like(seen, dtype=weights.dtype)
        return nothing.masked_fill(~seen, torch.finfo(weights.dtype).min)

    def generation(self, inputs: Sequence[LmInputs], memory: PrefixCache) -> TextGeneration:
        """Prompts to go on writing after."""
        return TextGeneration(self, [step.tokens for step in inputs], memory)


class TextGeneration:
    """Many prompts side by side, each written on at its own pace."""

    def __init__(
        self, network: TextNetwork, prompts: Sequence[Tokens], memory: PrefixCache
    ) -> None:
        """Read the prompts; `hidden` [B, width] is where each of them has come to."""
        from transformers import DynamicCache

        self._network = network
        self._device = network.embeddings.device
        known = network.remember(prompts, memory)
        self._lengths = torch.tensor([len(prompt) for prompt in prompts], device=self._device)
        self._states = [one.states for one in known]
        self._below, self._above = DynamicCache(), DynamicCache()
        for layer in range(len(network.below.layers)):
            self._below.update(
                _padded([one.keys[layer] for one in known]),
                _padded([one.values[layer] for one in known]),
                layer,
            )
        read = pad_sequence(self._states, batch_first=True).to(network.embeddings)
        out = network.above(
            inputs_embeds=read, past_key_values=self._above, use_cache=True
        ).last_hidden_state
        rows = torch.arange(len(prompts), device=self._device)
        self.hidden: Tensor = out[rows, self._lengths - 1].float()
        longest = torch.arange(read.shape[1], device=self._device)
        self._places = longest[None].expand(len(prompts), -1)
        self._seen = self._places < self._lengths[:, None]

    def feed(self, tokens: Sequence[Tokens]) -> None:
        """Go on with tokens of each row, none for some of them, and move `hidden`."""
        device, most = self._device, max(len(row) for row in tokens)
        ids = torch.tensor([[*row, *[0] * (most - len(row))] for row in tokens], device=device)
        count = torch.tensor([len(row) for row in tokens], device=device)
        steps = torch.arange(most, device=device)
        real = steps[None] < count[:, None]
        positions = self._lengths[:, None] + steps[None]
        self._places = torch.cat([self._places, positions], 1)
        mask = self._masks(real, positions)
        embedded = self._network.whole.get_input_embeddings()(ids)
        states = to_states(self._run(self._network.below, embedded, positions, mask, self._below))
        out = self._run(
            self._network.above, states.to(embedded), positions, mask, self._above
        ).float()
        for row, fed in enumerate(count.tolist()):
            if fed:
                self._states[row] = torch.cat([self._states[row], states[row, :fed].cpu()])
        moved = count > 0
        last = out[torch.arange(len(tokens), device=device), (count - 1).clamp(min=0)]
        self.hidden = torch.where(moved[:, None], last, self.hidden)
        self._lengths = self._lengths + count
        self._seen = torch.cat([self._seen, real], 1)

    def _run(self, stage: Any, read: Tensor, positions: Tensor, mask: Masks, cache: Any) -> Tensor:
        out: Tensor = stage(
            inputs_embeds=read,
            position_ids=positions,
            attention_mask=mask,
            past_key_values=cache,
            use_cache=True,
        ).last_hidden_state
        return out

    def _masks(self, real: Tensor, positions: Tensor) -> Masks:
        """What `_mask` says, for layers that look back to the start and for those that do not."""
        mask, window = self._mask(real), self._network.window
        if window is None:
            return self._network.as_mask(mask)
        near = positions[:, :, None] - self._places[:, None] < window.tokens
        sliding = self._network.as_mask(mask & near[:, None])
        if not window.some:
            return sliding
        return {_FULL: self._network.as_mask(mask), _SLIDING: sliding}

    def _mask(self, real: Tensor) -> Tensor:
        """[B, 1, new, all] whom each new token looks at: what was there, and itself and before."""
        most = real.shape[1]
        back = torch.ones(most, most, dtype=torch.bool, device=self._device).tril()
        before = self._seen[:, None].expand(-1, most, -1)
        return torch.cat([before, back[None] & real[:, None]], 2)[:, None] | self._alone(real)

    def _alone(self, real: Tensor) -> Tensor:
        """Padding looks at itself, for attention to nothing at all is no number."""
        itself = torch.eye(real.shape[1], dtype=torch.bool, device=self._device)
        nobody = torch.zeros(
            real.shape[1], self._seen.shape[1], dtype=torch.bool, device=self._device
        )
        return torch.cat([nobody, itself], 1)[None, None]

    def states(self, row: int) -> Tensor:
        """[read so far, width] of one prompt, in half precision."""
        return self._states[row]


def to_states(hidden: Tensor) -> Tensor:
    """Round to half precision, in which states are kept."""
    return hidden.clamp(-_LARGEST, _LARGEST).to(torch.float16)


def _padded(rows: Sequence[Tensor]) -> Tensor:
    """[B, heads, longest, size] from [heads, length, size] each."""
    turned = pad_sequence([row.transpose(0, 1) for row in rows], batch_first=True)
    return turned.transpose(1, 2).contiguous()


@dataclass(frozen=True, slots=True)
class Window:
    """How far back layers look that do not look back to the start."""

    tokens: int
    some: bool
    """Whether other layers do."""


def _window_of(config: Any) -> Window | None:
    """What a decoder's configuration says; None if all layers look back to the start."""
    tokens, kinds = getattr(config, "sliding_window", None), _kinds_of(config)
    if tokens is None or (kinds is not None and _SLIDING not in kinds):
        return None
    return Window(int(tokens), some=kinds is not None)


def _kinds_of(config: Any) -> list[str] | None:
    """How each layer looks back, in families whose layers may differ."""
    kinds = getattr(config, "layer_types", None)
    return None if kinds is None else list(kinds)


def _require_parts(model: Any, decoder: Any) -> None:
    """ConfigError for a decoder whose layers cannot be told apart, or remember otherwise."""
    layers = getattr(decoder, "layers", None)
    if not isinstance(layers, nn.ModuleList):
        raise refusal(model, "it has no list of `layers` that could be divided")
    if not all(hasattr(getattr(layer, "self_attn", None), "layer_idx") for layer in layers):
        raise refusal(model, "some of its layers have no `self_attn` with a cache")
    if others := {*(_kinds_of(decoder.config) or ())} - {_FULL, _SLIDING}:
        raise refusal(model, f"it has layers of {' and '.join(sorted(others))}")


def _stage(decoder: Any, first: int, last: int) -> Any:
    """Some of a decoder's layers as a decoder of their own that shares their weights."""
    stage = copy.copy(decoder)
    stage._modules = dict(decoder._modules)
    stage.layers = nn.ModuleList(decoder.layers[first:last])
    for number, layer in enumerate(stage.layers):
        layer.self_attn.layer_idx = number
    if (kinds := _kinds_of(decoder.config)) is not None:
        # Masks and positions are looked up by a layer's number, which is another here.
        stage.config = copy.copy(decoder.config)
        stage.config.layer_types = kinds[first:last]
    if last < len(decoder.layers):
        stage.norm = nn.Identity()
    return stage.eval()
