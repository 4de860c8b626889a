"""A run that starts from somebody's weights has a network of their size, unless it says another."""

from __future__ import annotations

from pathlib import Path

from distrl.config import RunConfig
from distrl.config.load import check
from distrl.config.policies import PolicyConfig
from distrl.run.builders.pretrained import is_pretrained, read_card
from distrl.run.state.folder import RunFolder

_SIZES = ("width", "layers", "heads", "crop_width")
_OWN = ("warm_start", "scratch")
"""First weights that a run makes by itself, in the size that it says."""


def fit_sizes(config: RunConfig) -> RunConfig:
    """The same settings with the sizes of the pointer that `init` names, where none are said.

    What is said and does not fit is left for `require_fitting` to refuse.
    """
    policy = config.policy
    unsaid = [size for size in _SIZES if size not in policy.model_fields_set]
    if config.init in _OWN or policy.name != "pointer" or not unsaid:
        return config
    given = _given(config.init)
    if given is None or given.name != "pointer":
        return config
    sizes = {size: getattr(given, size) for size in unsaid}
    if all(getattr(policy, size) == value for size, value in sizes.items()):
        return config
    return config.changed(policy=policy.changed(**sizes))


def _given(init: str) -> PolicyConfig | None:
    """The settings of the policy whose weights are named; None where nobody wrote them down."""
    if is_pretrained(init):
        return check({"policy": read_card(init)[1].settings["policy"]}).policy
    folders = [RunFolder(Path(init)), RunFolder(Path(init).parent)]
    return next((folder.load_config().policy for folder in folders if folder.config.exists()), None)
