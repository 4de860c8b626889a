"""A decoder split in two: frozen layers below, layers with a LoRA adapter above.

    tokens --embed--> below (frozen) --states, half precision--> above (LoRA) --> hidden

Acting and learning read the same rounded states, so the frozen layers are not run again for
learning, and log-probabilities agree to the last digits. Batches are padded at the end of rows:
attention is causal, so no token sees padding.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from distrl.errors import ConfigError
from distrl.policies.lm.generation import (
    FULL_ATTENTION,
    SLIDING_ATTENTION,
    TextGeneration,
    Window,
)
from distrl.policies.lm.inputs import LmInputs
from distrl.policies.lm.options import Tokens
from distrl.policies.lm.prefix_cache import (
    LARGEST_STATE,
    CachedPrefix,
    PrefixCache,
    to_states,
)
from distrl.policies.lm.split_check import (
    ReferenceOutputs,
    probe_tokens,
    reference_outputs,
    require_same_hidden,
    require_same_logits,
    unsupported,
)

_PROMPTS_PER_PASS = 8
"""Prompts that pass the frozen layers together: bounds memory, and padding, which is to the longest
of them."""
_CANNOT = (AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError)
"""Errors that layers of an unknown family may raise when they are run in two parts."""
ADAPTED = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
"""Linear modules that get a LoRA, as the Llama family and its relatives name them."""


def adapt(model: Any, *, layers: Sequence[int] | None, rank: int, alpha: float) -> None:
    """Freeze a model and put a LoRA on all its language layers, or on some of them, in place."""
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
    # The adapter stays in single precision whatever the model is in: an update is smaller than
    # half precision can resolve.
    for weight in model.parameters():
        if weight.requires_grad:
            weight.data = weight.data.float()


def decoder_of(model: Any) -> Any:
    """The text decoder inside any transformers model."""
    decoder = model.get_decoder()
    for name in ("language_model", "text_model"):
        decoder = getattr(decoder, name, decoder)
    return decoder


class AdaptedModel:
    """A transformers model with an adapter: its embeddings and its output layer."""

    whole: Any

    @property
    def embeddings(self) -> Tensor:
        """[vocabulary, width] input embeddings."""
        weight: Tensor = self.whole.get_input_embeddings().weight
        return weight

    @property
    def output_embeddings(self) -> Tensor:
        """[vocabulary, width] output embeddings."""
        weight: Tensor = self.whole.get_output_embeddings().weight
        return weight

    def logits(self, hidden: Tensor, tokens: Tensor | None = None) -> Tensor:
        """Logits of the next token, in single precision, for hidden states [N, width].

        [N, K] of the given `tokens` [N, K], or [N, vocabulary] of all.
        """
        weight = self.output_embeddings
        bias = getattr(self.whole.get_output_embeddings(), "bias", None)
        if tokens is None:
            scores = hidden @ weight.float().T
        else:
            # Only the rows of legal tokens: a few dozen of a vocabulary of tens of thousands.
            tokens = tokens.to(weight.device)
            scores = torch.einsum("nkw,nw->nk", weight[tokens].float(), hidden)
        if bias is not None:
            scores = scores + (bias if tokens is None else bias[tokens]).float()
        return self._scaled(scores)

    def _scaled(self, scores: Tensor) -> Tensor:
        """Scale logits as families do: Cohere multiplies, Granite divides, Gemma 2 soft-caps."""
        config = decoder_of(self.whole).config
        if (times := getattr(config, "logit_scale", None)) is not None:
            scores = scores * times
        if (over := getattr(config, "logits_scaling", None)) is not None:
            scores = scores / over
        if (cap := getattr(config, "final_logit_softcapping", None)) is not None:
            scores = cap * torch.tanh(scores / cap)
        return scores


class TextNetwork(AdaptedModel):
    """A causal language model, split below its `top` adapted layers."""

    def __init__(self, model: Any, *, top: int, rank: int, alpha: float) -> None:
        """Adapt the `top` last layers of a model, in place.

        ConfigError for a family of models that cannot be split.
        """
        decoder = decoder_of(model)
        _require_parts(model, decoder)
        self.whole = model
        reference = reference_outputs(model, decoder, probe_tokens(self.embeddings))
        count = len(decoder.layers)
        first = max(0, count - top)
        adapt(model, layers=range(first, count), rank=rank, alpha=alpha)
        self.below = _stage(decoder, 0, first)
        self.above = _stage(decoder, first, count)
        if hasattr(self.above, "embedding_multiplier"):
            # Granite scales its input embeddings; states from below are scaled already.
            self.above.embedding_multiplier = 1.0
        self.width = int(decoder.config.hidden_size)
        self.window = _window_of(decoder.config)
        self._require_same_outputs(reference, count if first else None)

    @torch.no_grad()
    def _require_same_outputs(self, reference: ReferenceOutputs, count: int | None) -> None:
        """ConfigError if the split model computes something else than the whole one.

        `count` is its number of layers, if adapting all of them would avoid the split.
        """
        instead = f"adapt all of its layers with policy.lm.top_layers={count}" if count else ""
        try:
            states = self.below(input_ids=reference.tokens, use_cache=False).last_hidden_state
            hidden = self.above(inputs_embeds=states, use_cache=False).last_hidden_state[0]
        except _CANNOT as cause:
            told = " ".join(str(cause).split())[:200]
            raise unsupported(
                self.whole, f"its layers do not pass in two parts ({told})", instead=instead
            ) from cause
        if (largest := float(states.abs().max())) > LARGEST_STATE:
            raise unsupported(
                self.whole,
                f"what its lower layers make of a prompt, up to {largest:.2g}, is more than half "
                f"precision holds",
                instead=instead,
            )
        require_same_hidden(self.whole, reference, hidden, instead=instead)
        require_same_logits(self.whole, reference, self.logits(hidden.float()))

    def hidden(self, inputs: Sequence[LmInputs], written: Sequence[Tokens]) -> Tensor:
        """[B, 1 + longest, width] hidden states after each prompt and each written token."""
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
        """[tokens, width] outputs of the frozen layers, in half precision."""
        (found,) = self._pass_below([tokens])
        return found.states

    def read_prompts(
        self, prompts: Sequence[Tokens], prefix_cache: PrefixCache
    ) -> list[CachedPrefix]:
        """Outputs of the frozen layers for prompts, from the cache where it has them."""
        found = {prompt: prefix_cache.get(prompt) for prompt in dict.fromkeys(prompts)}
        # By length, since each pass is padded to its longest prompt; equal prompts pass once.
        new = sorted((p for p, known in found.items() if known is None), key=len)
        for start in range(0, len(new), _PROMPTS_PER_PASS):
            part = new[start : start + _PROMPTS_PER_PASS]
            for prompt, passed in zip(part, self._pass_below(part), strict=True):
                found[prompt] = passed
                prefix_cache.put(prompt, passed)
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
                # Clones, without padding: a view would keep the whole padded batch alive.
                states[row, : len(prompt)].cpu().clone(),
                keys[:, row, :, : len(prompt)].clone(),
                values[:, row, :, : len(prompt)].clone(),
            )
            for row, prompt in enumerate(prompts)
        ]

    def as_mask(self, seen: Tensor) -> Tensor:
        """A boolean attention mask in the form that the layers take."""
        # The eager implementation, which Gemma 2 uses, adds the mask to its scores.
        if self.above.config._attn_implementation != "eager":
            return seen
        weights = self.embeddings
        nothing = torch.zeros_like(seen, dtype=weights.dtype)
        return nothing.masked_fill(~seen, torch.finfo(weights.dtype).min)

    def generation(self, inputs: Sequence[LmInputs], prefix_cache: PrefixCache) -> TextGeneration:
        """Start decoding after these prompts."""
        return TextGeneration(self, [step.tokens for step in inputs], prefix_cache)


def _window_of(config: Any) -> Window | None:
    """The sliding window of a decoder's configuration; None if all layers attend fully."""
    tokens, kinds = getattr(config, "sliding_window", None), _kinds_of(config)
    if tokens is None or (kinds is not None and SLIDING_ATTENTION not in kinds):
        return None
    return Window(int(tokens), some=kinds is not None)


def _kinds_of(config: Any) -> list[str] | None:
    """The kind of attention of each layer, in families whose layers differ."""
    kinds = getattr(config, "layer_types", None)
    return None if kinds is None else list(kinds)


def _require_parts(model: Any, decoder: Any) -> None:
    """ConfigError for a decoder whose layers cannot be split, or have no ordinary KV cache."""
    layers = getattr(decoder, "layers", None)
    if not isinstance(layers, nn.ModuleList):
        raise unsupported(model, "it has no list of `layers` that could be divided")
    if not all(hasattr(getattr(layer, "self_attn", None), "layer_idx") for layer in layers):
        raise unsupported(model, "some of its layers have no `self_attn` with a cache")
    if others := {*(_kinds_of(decoder.config) or ())} - {FULL_ATTENTION, SLIDING_ATTENTION}:
        raise unsupported(model, f"it has layers of {' and '.join(sorted(others))}")


def _stage(decoder: Any, first: int, last: int) -> Any:
    """A decoder of the layers from `first` to `last`, which shares their weights."""
    stage = copy.copy(decoder)
    stage._modules = dict(decoder._modules)
    stage.layers = nn.ModuleList(decoder.layers[first:last])
    for number, layer in enumerate(stage.layers):
        # The index into the KV cache: each part has a cache of its own, from 0 on.
        layer.self_attn.layer_idx = number
    if (kinds := _kinds_of(decoder.config)) is not None:
        # Kinds are looked up by the layer's index, which counts from 0 in each part.
        stage.config = copy.copy(decoder.config)
        stage.config.layer_types = kinds[first:last]
    # The final norm belongs to the last part alone.
    if last < len(decoder.layers):
        stage.norm = nn.Identity()
    return stage.eval()
