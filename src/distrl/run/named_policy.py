"""A policy by the name that people give: a built-in one, a plug-in's, pretrained, or a run's."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from distrl.checks import require_flag, require_path, require_seed
from distrl.collect.evaluation.evaluate import PolicyFactory
from distrl.errors import ConfigError, unknown_name
from distrl.policies import make_policy, policy_names
from distrl.types import BASIC_KINDS, Kind

PRETRAINED = "pretrained"
"""The policy that ships with the package; another one of these is `pretrained:NAME`."""
_EXPORTED = "policy.onnx"


def is_trained(policy: str | Path) -> bool:
    """Whether it is a pretrained policy or a run's folder, and not one that is named."""
    # Names come first: what they mean does not depend on which folders lie around. A folder with
    # the name of a policy is written ./random.
    if isinstance(policy, str) and policy.partition(":")[0] == PRETRAINED:
        return True
    # An empty text would be this very folder.
    return bool(str(policy)) and policy not in policy_names() and Path(policy).is_dir()


def require_named(policy: str | Path, *, also: tuple[str, ...] = ()) -> None:
    """ConfigError unless it is a built-in policy or a plug-in's; `also` are offered besides."""
    if isinstance(policy, Path) or len(Path(policy).parts) > 1:
        raise ConfigError(f"there is no run in {policy}")
    if policy not in policy_names():
        raise unknown_name("policy", policy, (*policy_names(), *also))


def policy_factory(
    policy: str | Path,
    *,
    greedy: bool = True,
    seed: int = 0,
    kinds: frozenset[Kind] = BASIC_KINDS,
) -> PolicyFactory:
    """What makes the policy of a name. Weights are loaded now; ConfigError when there are none.

    A trained policy takes its likeliest action, or draws if it is not `greedy`. The draws of the
    others follow from `seed`, and they choose among these `kinds` of action.
    """
    require_path("policy, the name of one or the folder of a run,", policy)
    require_seed(seed)
    require_flag("greedy", greedy)
    if is_trained(policy):
        if (Path(policy) / _EXPORTED).is_file():
            raise ConfigError(
                f"{policy} is an exported policy, which is for programs without distrl "
                "(docs/export.md); name the run that it was exported from"
            )
        # Imported here, for torch comes with it.
        from distrl.run.builders.trained_policy import load_policy

        trained = load_policy(policy, greedy=greedy)
        return lambda _: trained
    require_named(policy, also=(PRETRAINED,))
    return partial(make_policy, str(policy), seed=seed, kinds=kinds)
