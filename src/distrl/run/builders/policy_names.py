"""Names of the policies that can be trained; no built-in one is imported to look it up."""

from __future__ import annotations

from distrl import plugins
from distrl.plugins import Part

BUILT_IN_POLICIES = {
    "pointer": "distrl.run.builders.pointer:build_pointer",
    "lm": "distrl.run.builders.lm:build_lm",
}
"""What builds each of them."""


def require_trainable_policy(name: str) -> None:
    """ConfigError unless a policy of this name can be trained, and a plug-in's be imported."""
    if name not in BUILT_IN_POLICIES:
        plugins.find(Part.TRAINABLE_POLICY, name, BUILT_IN_POLICIES, what="policy.name").load()
