"""Cookbook: a list of recipes, a page for each and a form for new ones. No phone starts with it."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.app import App
from distrl.devices.phone.content.tables.reader import phrases
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import LARGE, Ui
from distrl.devices.phone.ui.view import Handler

DISHES = phrases(
    """
    Lentil stew; Plum dumplings; Corn chowder; Mushroom risotto; Onion tart; Pumpkin curry
    Barley salad; Cherry strudel; Leek gratin; Bean burritos; Apple crumble; Fennel soup
    Carrot fritters; Walnut pasta; Rhubarb pie; Beet carpaccio; Potato rosti; Quince jelly
    Tomato shakshuka; Spinach quiche; Peach cobbler; Cabbage rolls; Millet bowl; Olive focaccia
    """
)


class Cookbook(App):
    """Data: recipes by id with title, servings and whether they were cooked."""

    name = "cookbook"
    title = "Cookbook"
    icon = "restaurant"
    color = (150, 84, 34)

    def create(self, rng: Random) -> State:
        """Seven recipes."""
        dishes = rng.sample(DISHES, 7)
        return {"recipes": {f"recipe{i}": new_recipe(dish, rng) for i, dish in enumerate(dishes)}}

    def page_main(self, ui: Ui) -> None:
        """All recipes by name."""
        adding: Handler = lambda c: c.open("new")  # noqa: E731 - a handler, as everywhere
        even = ui.version % 2 == 0
        ui.bar(self.title, [("add", "", adding)] if even else ())
        for key, recipe in sorted(ui.data["recipes"].items(), key=lambda item: item[1]["title"]):
            state = "cooked" if recipe["cooked"] else f"serves {recipe['servings']}"
            ui.row(recipe["title"], state, icon="restaurant", on_tap=_open(key))
        if not ui.data["recipes"]:
            ui.empty("No recipes", "restaurant")
        if not even:
            ui.fab("add", adding)

    def page_recipe(self, ui: Ui) -> None:
        """One recipe."""
        key = ui.args["id"]
        recipe = ui.data["recipes"].get(key)
        if recipe is None:
            ui.bar("Recipe")
            ui.empty("This recipe was deleted", "restaurant")
            return
        ui.bar("Recipe", [("delete", "", lambda c: c.open("delete", id=key))])
        ui.text(recipe["title"], LARGE, bold=True)
        ui.row("Servings", trailing=str(recipe["servings"]), icon="people")
        ui.row("Cooked before", trailing="Yes" if recipe["cooked"] else "No", icon="info")
        if not recipe["cooked"]:
            ui.button("I cooked this", lambda c: c.write("recipes", key, "cooked", to=True))
        ui.button("One serving more", _serve(key, 1), style="outlined")
        ui.button("One serving less", _serve(key, -1), style="outlined")

    def dialog_delete(self, ui: Ui) -> None:
        """A question before a recipe goes."""
        key = ui.args["id"]

        def delete(control: Control) -> None:
            control.erase("recipes", key)
            control.back_to("main")

        ui.dialog("Delete recipe?", buttons=[("Keep", lambda c: c.back()), ("Delete", delete)])

    def page_new(self, ui: Ui) -> None:
        """A form for a new recipe."""
        ui.bar("New recipe")
        ui.field("title", "Name of the dish", self._save)
        ui.button("Save recipe", self._save if ui.text_of("title") else None)

    def _save(self, control: Control) -> None:
        title = control.text("title")
        if title:
            recipe = {"title": title, "servings": 2, "cooked": False}
            control.write("recipes", control.new_id("recipe"), to=recipe)
            control.back()


def new_recipe(title: str, rng: Random) -> State:
    """A recipe as it stands in somebody's book."""
    return {"title": title, "servings": rng.randint(2, 6), "cooked": rng.random() < 0.3}


def _open(key: str) -> Handler:
    return lambda c: c.open("recipe", id=key)


def _serve(key: str, more: int) -> Handler:
    def serve(control: Control) -> None:
        servings = control.data["recipes"][key]["servings"] + more
        control.write("recipes", key, "servings", to=max(1, servings))

    return serve
