"""What the built-in suites have beside their four splits."""

from __future__ import annotations

from distrl.tasks import general as written
from distrl.tasks import new_apps
from distrl.tasks.operations.derive import carries, chains, conditionals, is_trained
from distrl.tasks.operations.general_operations import GENERAL
from distrl.tasks.operations.operation import read_operations
from distrl.tasks.wide_suite import More
from distrl.tasks.wording.general_words import PEOPLE_AND_PLANS, PHONE_AND_MEDIA
from distrl.tasks.wording.words import read_words


def general() -> More:
    """Words for the general suite, and templates derived from its operations."""
    words = read_words(PEOPLE_AND_PLANS) | read_words(PHONE_AND_MEDIA)
    templates = {template.name: template for template in written.TEMPLATES}
    operations = read_operations(GENERAL, templates, words)
    derived = [*chains(operations), *conditionals(operations), *carries(operations)]
    return More(
        words=words,
        derived={
            "wide": [template for template in derived if is_trained(template) is True],
            "composed": [template for template in derived if is_trained(template) is False],
            "unseen_app": new_apps.TEMPLATES,
        },
        sizes={"wide": 2400, "composed": 128, "unseen_app": 128},
    )
