"""Goals in the Cookbook: lists and forms."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.apps.cookbook import DISHES, new_recipe
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.allowed_changes import Added, Permission
from distrl.tasks.new_apps.common import NewAppTemplate, install
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import closed
from distrl.tasks.template import Params, Scene

_DISH = closed("dish", *DISHES)
_RECIPES = ("apps", "cookbook", "recipes")


def _target(scene: Scene) -> State:
    found: State = scene.data("cookbook")["recipes"].get("target", {})
    return found


class _InCookbook(NewAppTemplate):
    """The recipe exists, plain, with the id `target`."""

    new_apps = ("cookbook",)
    params = {"dish": _DISH}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Exactly one recipe of this name."""
        install(control, "cookbook", rng)
        recipes = control.state["apps"]["cookbook"]["recipes"]
        kept = {key: recipe for key, recipe in recipes.items() if recipe["title"] != p["dish"]}
        target = {**new_recipe(p["dish"], rng), "cooked": False}
        control.write_root(*_RECIPES, to={**kept, "target": target})

    def _show(self, hand: Hand, p: Params) -> None:
        """Its page is in front."""
        hand.open("cookbook")
        if not hand.at("recipe", id="target"):
            hand.on("main")
            hand.tap(p["dish"], role="item")


class OpenRecipe(_InCookbook):
    """A recipe is shown."""

    name = "open_recipe"
    requests = ("open the recipe {dish}", "show me how to make {dish}", "find the {dish} recipe")

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("cookbook", "recipe", id="target")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it."""
        self._show(hand, p)


class CookRecipe(_InCookbook):
    """A recipe was cooked."""

    name = "cook_recipe"
    requests = (
        "mark {dish} as cooked",
        "note in my cookbook that i cooked {dish}",
        "set the recipe {dish} to cooked",
    )
    allows = ("apps.cookbook.recipes.target.cooked",)

    def check(self, scene: Scene, p: Params) -> bool:
        """It says so."""
        return bool(_target(scene).get("cooked"))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the button."""
        self._show(hand, p)
        hand.tap("I cooked this")


class MoreServings(_InCookbook):
    """A recipe serves one more."""

    name = "more_servings"
    requests = (
        "add one serving to {dish}",
        "make the recipe {dish} serve one more person",
        "raise the servings of {dish} by one",
    )
    allows = ("apps.cookbook.recipes.target.servings",)

    def check(self, scene: Scene, p: Params) -> bool:
        """One more than before."""
        before = scene.data_before("cookbook")["recipes"]["target"]["servings"]
        return bool(_target(scene).get("servings") == before + 1)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the button, or the other after one too many."""
        self._show(hand, p)
        before = hand.before["apps"]["cookbook"]["recipes"]["target"]["servings"]
        now = hand.data("cookbook")["recipes"]["target"]["servings"]
        hand.tap("One serving more" if now <= before else "One serving less")


class DeleteRecipe(_InCookbook):
    """A recipe is gone."""

    name = "delete_recipe"
    requests = (
        "delete the recipe {dish}",
        "remove {dish} from my cookbook",
        "erase my {dish} recipe",
    )
    allows = ("apps.cookbook.recipes.target",)

    def check(self, scene: Scene, p: Params) -> bool:
        """It does not exist any more."""
        return not _target(scene)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it, press the bin, confirm."""
        hand.open("cookbook")
        if hand.at("delete", id="target"):
            hand.tap("Delete")
        self._show(hand, p)
        hand.tap_icon("delete")


class AddRecipe(NewAppTemplate):
    """A new recipe."""

    name = "add_recipe"
    new_apps = ("cookbook",)
    params = {"dish": _DISH}
    requests = (
        "add a recipe called {dish}",
        "create a new recipe {dish} in my cookbook",
        "save a recipe for {dish}",
    )

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """No such recipe yet."""
        install(control, "cookbook", rng)
        recipes = control.state["apps"]["cookbook"]["recipes"]
        kept = {key: recipe for key, recipe in recipes.items() if recipe["title"] != p["dish"]}
        control.write_root(*_RECIPES, to=kept)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new recipe of this name."""
        return (Added("apps.cookbook.recipes", {"title": p["dish"]}),)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is there."""
        recipes = scene.data("cookbook")["recipes"].values()
        return any(recipe["title"] == p["dish"] for recipe in recipes)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Add, type, save."""
        hand.open("cookbook")
        if hand.at("new"):
            hand.type("title", p["dish"])
            hand.tap("Save recipe")
        hand.on("main")
        hand.tap_icon("add")


TEMPLATES: tuple[NewAppTemplate, ...] = (
    OpenRecipe(),
    CookRecipe(),
    MoreServings(),
    DeleteRecipe(),
    AddRecipe(),
)
