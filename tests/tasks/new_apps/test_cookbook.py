from __future__ import annotations

from typing import Any

import pytest
from tests.tasks.general.posed import Posed, neighbour

DISH = "Onion tart"
RECIPES = ("apps", "cookbook", "recipes")
TARGET = (*RECIPES, "target")


def _recipes(posed: Posed) -> dict[str, Any]:
    recipes: dict[str, Any] = posed.data("cookbook")["recipes"]
    return recipes


@pytest.mark.parametrize(
    ("template", "key", "to"), [("cook_recipe", "cooked", True), ("delete_recipe", "", None)]
)
def test_another_recipe_is_a_side_effect_and_not_the_goal(
    template: str, key: str, to: object
) -> None:
    posed = Posed(template, dish=DISH)
    other, recipe = neighbour(_recipes(posed))
    kept = {k: v for k, v in _recipes(posed).items() if k != other}
    changed = {**recipe, key: to} if key else None
    posed.change(*RECIPES, to={**kept, other: changed} if changed else kept)
    assert not posed.reached
    assert len(posed.side_effects) == 1
    assert posed.side_effects[0].startswith(f"apps.cookbook.recipes.{other}")


@pytest.mark.parametrize(("more", "reached"), [(-1, False), (0, False), (1, True), (2, False)])
def test_one_more_is_one_more(more: int, reached: bool) -> None:
    posed = Posed("more_servings", dish=DISH)
    posed.change(*TARGET, "servings", to=_recipes(posed)["target"]["servings"] + more)
    assert posed.reached is reached
    assert not posed.side_effects


def test_a_recipe_that_is_gone_takes_none_with_it() -> None:
    posed = Posed("delete_recipe", dish=DISH)
    before = _recipes(posed)
    posed.solve()
    assert set(before) - set(_recipes(posed)) == {"target"}
    posed.change(*RECIPES, to={})
    assert posed.reached
    assert len(posed.side_effects) == len(before) - 1


@pytest.mark.parametrize("title", ["onion tarts", "Onion", "Onion tart 2", ""])
def test_a_new_recipe_of_another_name_is_not_the_one(title: str) -> None:
    posed = Posed("add_recipe", dish=DISH)
    recipe = neighbour(_recipes(posed))[1]
    assert not posed.reached
    posed.change(*RECIPES, "new", to={**recipe, "title": title})
    assert not posed.reached
    assert posed.side_effects
    posed.change(*RECIPES, "newer", to={**recipe, "title": DISH})
    assert posed.reached


@pytest.mark.parametrize("dish", [DISH, "Lentil soup"])
def test_exactly_one_recipe_has_the_name(dish: str) -> None:
    for seed in range(5):
        titles = [r["title"] for r in _recipes(Posed("open_recipe", seed, dish=dish)).values()]
        assert titles.count(dish) == 1
        added = [r["title"] for r in _recipes(Posed("add_recipe", seed, dish=dish)).values()]
        assert dish not in added


def test_the_page_of_another_recipe_is_not_the_one_to_open() -> None:
    posed = Posed("open_recipe", dish=DISH)
    _, other = neighbour(_recipes(posed))
    posed.open("cookbook")
    posed.tap(other["title"], role="item")
    assert not posed.reached
    posed.back()
    posed.tap(DISH, role="item")
    assert posed.reached
