"""The lm policy: a language model that reads screens and writes actions, trained by LoRA.

    prompt        a situation as text, and its legal actions
    options       legal actions as a prefix tree of tokens, for constrained decoding
    tokenizing    prompts and actions as tokens
    inputs        what is stored with a step, as bytes
    loading       a model and its tokenizer, by path, by hub name, or from a package
    network       frozen layers below, adapted layers above
    generation    batched decoding with KV caches
    prefix_cache  KV cache of prompts below the adapter
    split_check   the split model computes what the whole one does
    vision        the same for vision-language models
    model         adapter and critics as a trainable `Model`
    sharding      frozen layers over several processes (FSDP)
    policy        acts with a local model
    adapter       a LoRA adapter as a folder that servers load
    served        acts with a model server

transformers and peft are imported when a model is loaded; install them with `distrl[lm]`.
"""
