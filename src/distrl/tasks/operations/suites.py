"""What the built-in suites have beside their four splits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from distrl.tasks import general as general_suite
from distrl.tasks import new_apps
from distrl.tasks import shopping as shopping_suite
from distrl.tasks.operations.derive import carries, chains, conditionals, is_trained
from distrl.tasks.operations.general_operations import GENERAL
from distrl.tasks.operations.operation import read_operations
from distrl.tasks.operations.shopping_operations import BESIDE_SHOPPING, SHOPPING
from distrl.tasks.operations.wide_suite import More, SpokenTemplate
from distrl.tasks.splits import COMPOSED, UNSEEN_APP, WIDE
from distrl.tasks.template import Template
from distrl.tasks.wording.general_words import PEOPLE_AND_PLANS, PHONE_AND_MEDIA
from distrl.tasks.wording.shopping_words import BUYING, LOOKING
from distrl.tasks.wording.words import Words, read_words

_GENERAL_STEPS, _SHOPPING_STEPS = 15, 20
"""Steps of each part of a chain: as many as the suite gives to a task of one part."""


def general() -> More:
    """Words for the general suite, templates derived from its operations, and new apps."""
    words = _general_words()
    operations = read_operations(GENERAL, _by_name(general_suite.TEMPLATES), words)
    derived = [
        *chains(operations, _GENERAL_STEPS),
        *conditionals(operations),
        *carries(operations),
    ]
    return More(
        words=words,
        derived={**_divided(derived), UNSEEN_APP: new_apps.TEMPLATES},
        sizes={WIDE: 12800, COMPOSED: 128, UNSEEN_APP: 128},
    )


def shopping() -> More:
    """Words for the shopping suite, and chains in one shop or beside shopping."""
    words = read_words(LOOKING) | read_words(BUYING)
    in_shops = read_operations(SHOPPING, _by_name(shopping_suite.TEMPLATES), words)
    beside = read_operations(BESIDE_SHOPPING, _by_name(general_suite.TEMPLATES), _general_words())
    known = {operation.name for operation in in_shops}
    derived = [
        chain
        for chain in chains((*in_shops, *beside), _SHOPPING_STEPS)
        if known.intersection(chain.operations)
    ]
    return More(
        words=words,
        derived=_divided(derived),
        sizes={WIDE: 6400, COMPOSED: 96},
    )


def _general_words() -> dict[str, Words]:
    return read_words(PEOPLE_AND_PLANS) | read_words(PHONE_AND_MEDIA)


def _by_name(templates: Iterable[Template]) -> dict[str, Template]:
    return {template.name: template for template in templates}


def _divided(derived: Iterable[SpokenTemplate]) -> dict[str, Sequence[SpokenTemplate]]:
    """What is trained, and what is kept for `composed`; what would be both is left out."""
    divided: dict[str, list[SpokenTemplate]] = {WIDE: [], COMPOSED: []}
    for template in derived:
        trained = is_trained(template)
        if trained is not None:
            divided[WIDE if trained else COMPOSED].append(template)
    return dict(divided)
