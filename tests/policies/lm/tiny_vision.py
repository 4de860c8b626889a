"""Small models that see, with random weights, of two families: made on the spot, no download."""

from __future__ import annotations

import torch
from tests.policies.lm.tiny import tokenizer
from transformers import (
    Idefics3Config,
    Idefics3ForConditionalGeneration,
    Idefics3Processor,
    PreTrainedTokenizerFast,
    Qwen2VLConfig,
    Qwen2VLForConditionalGeneration,
    Qwen2VLProcessor,
)
from transformers.models.idefics3.image_processing_pil_idefics3 import Idefics3ImageProcessorPil
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil
from transformers.processing_utils import ProcessorMixin

from distrl.policies.lm.loading import Loaded

_TEXT = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 512,
    "initializer_range": 0.3,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "pad_token_id": 0,
}
_IDEFICS_MARKS = (
    "<image>",
    "<fake_token_around_image>",
    "<global-img>",
    "<end_of_utterance>",
    *(f"<row_{i}_col_{j}>" for i in range(1, 7) for j in range(1, 7)),
)
_QWEN_MARKS = ("<|image_pad|>", "<|video_pad|>", "<|vision_start|>", "<|vision_end|>")


def idefics3(seed: int = 0) -> Loaded:
    """The architecture of Idefics3 and SmolVLM."""
    torch.manual_seed(seed)
    reads = tokenizer(*_IDEFICS_MARKS)
    config = Idefics3Config(
        text_config={"model_type": "llama", "vocab_size": len(reads), **_TEXT},
        vision_config={
            "hidden_size": 16,
            "intermediate_size": 24,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "image_size": 32,
            "patch_size": 8,
            "initializer_range": 0.3,
        },
        scale_factor=2,
        image_token_id=reads.convert_tokens_to_ids("<image>"),
        pad_token_id=0,
    )
    pictures = Idefics3ImageProcessorPil(
        size={"longest_edge": 32}, max_image_size={"longest_edge": 32}, do_image_splitting=False
    )
    processor = Idefics3Processor(pictures, reads, image_seq_len=4)
    model = Idefics3ForConditionalGeneration(config).eval()
    return Loaded(model, processor.tokenizer, processor)


class PictureProcessor(Qwen2VLProcessor):  # type: ignore[misc]
    """The processor of Qwen2-VL for pictures alone: that of videos needs torchvision."""

    def __init__(self, image_processor: object, tokenizer: PreTrainedTokenizerFast) -> None:
        self.image_token, self.video_token = "<|image_pad|>", "<|video_pad|>"
        self.image_token_id = tokenizer.convert_tokens_to_ids(self.image_token)
        self.video_token_id = tokenizer.convert_tokens_to_ids(self.video_token)
        ProcessorMixin.__init__(self, image_processor, tokenizer)


def qwen2_vl(seed: int = 0) -> Loaded:
    """The architecture of Qwen2-VL."""
    torch.manual_seed(seed)
    reads = tokenizer(*_QWEN_MARKS)
    ids = {mark: reads.convert_tokens_to_ids(mark) for mark in _QWEN_MARKS}
    config = Qwen2VLConfig(
        text_config={
            "vocab_size": len(reads),
            "rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 2]},
            **_TEXT,
        },
        vision_config={
            "depth": 1,
            "embed_dim": 16,
            "hidden_size": 32,
            "num_heads": 2,
            "mlp_ratio": 2,
            "patch_size": 8,
            "spatial_merge_size": 2,
        },
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        vision_start_token_id=ids["<|vision_start|>"],
        vision_end_token_id=ids["<|vision_end|>"],
    )
    pictures = Qwen2VLImageProcessorPil(patch_size=8, merge_size=2, min_pixels=256, max_pixels=1024)
    processor = PictureProcessor(pictures, reads)
    model = Qwen2VLForConditionalGeneration(config).eval()
    return Loaded(model, processor.tokenizer, processor)


FAMILIES = {"idefics3": idefics3, "qwen2_vl": qwen2_vl}
