"""The lm policy: a language model that reads screens and writes actions, trained by an adapter.

    prompt     a situation as text, and the actions that can be written there
    options    those actions as a tree of tokens, for generating and for probabilities
    inputs     what is stored with a step, as bytes
    loading    a model and its tokeniser, by path, by name, or the one in a package
    network    frozen layers below, adapted layers above, with caches for generating
    vision     the same for models that see
    model      what is trained: adapter and critics, behind the contract of algorithms
    policy     what acts
    adapter    an adapter as a folder that servers read
    served     what acts where a server writes the actions

transformers and peft are imported when a model is loaded; install them with `distrl[lm]`.
"""
