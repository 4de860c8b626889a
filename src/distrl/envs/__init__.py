"""A device and a task together: `reset` and `step`, and the Gymnasium face of it.

    import gymnasium
    import distrl

    env = gymnasium.make("distrl/Phone-v0", suite="general", split="train")

    id                         observation                     action
    distrl/Phone-v0            a dictionary of everything      a dictionary
    distrl/PhonePixels-v0      an image, the goal on it        the number of a candidate
    distrl/PhoneFeatures-v0    a vector                        the number of a candidate

All take the arguments of `distrl.make`. `import distrl` makes the ids known to Gymnasium without
importing it: they are registered at once if Gymnasium is loaded, and otherwise as soon as it is.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

PHONE_ENV = "distrl/Phone-v0"
PIXELS_ENV = "distrl/PhonePixels-v0"
FEATURES_ENV = "distrl/PhoneFeatures-v0"
_ARGUMENTS = {
    PHONE_ENV: {},
    PIXELS_ENV: {"observation": "pixels", "action": "candidates"},
    FEATURES_ENV: {"observation": "features", "action": "candidates"},
}
"""What `distrl.make` is called with for each id, unless who makes it says otherwise."""


def register() -> None:
    """Make the environments of this package known to Gymnasium; a second call does nothing."""
    import gymnasium

    for name, arguments in _ARGUMENTS.items():
        if name not in gymnasium.registry:
            entry = "distrl.envs.gymnasium_env:make"
            gymnasium.register(id=name, entry_point=entry, kwargs=arguments)


def register_with_gymnasium() -> None:
    """Register now, or when Gymnasium is first imported."""
    if "gymnasium" in sys.modules:
        register()
    else:
        sys.meta_path.insert(0, _GymnasiumFinder())


class _GymnasiumFinder:
    """Stands in the way of the first import of Gymnasium, and registers when it is over.

    Gymnasium has no plug-ins, importing it costs more than the rest of `distrl --help`, and
    people expect an id to be known after importing its package, in whichever order.
    """

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find Gymnasium as everybody else would, then add one line to its import."""
        del path, target
        if name != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_register(module: ModuleType) -> None:
            execute(module)
            register()

        spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec
