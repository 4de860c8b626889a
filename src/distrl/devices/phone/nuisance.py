"""What makes a real phone tiresome: dialogs, ads, banners, slow pages, covered buttons.

Which of them an episode has is decided at reset, from the seed and the configured rates, and
stands in `state["nuisance"]`: `armed` ones wait for their moment, `promo` and `overlap` last.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from distrl.devices.phone.control import Control
from distrl.devices.phone.registry import find
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import BODY, LARGE, Ui
from distrl.devices.phone.ui.view import (
    CONTENT_BOTTOM,
    HEIGHT,
    STATUS_HEIGHT,
    WIDTH,
    Handler,
    absorb,
)

KINDS = ("permission", "update", "ad", "consent", "slow", "notice", "keyboard", "promo")
"""permission and update dialogs; full-screen ads; cookie consent; pages that need a wait; a
notification over the title bar; a keyboard that covers the page instead of shrinking it;
sponsored entries that push results off the screen."""

WEIGHTS: Mapping[str, float] = dict.fromkeys(KINDS, 1.0)
BLOCKING = frozenset({"permission", "update", "updating", "ad"})
# In phone time, where a wait is 5 seconds: a slow page is there after two waits, a notice and an
# update are over after three.
_SLOW_SECONDS = 7
_NOTICE_SECONDS = 14
_UPDATE_SECONDS = 12
_ADS = ("Gem Rush", "Castle Pop", "Fit in 7 Days", "Quick Loans", "Star Harvest")
_NOTICES = (
    ("Battery", "Charge your phone soon"),
    ("System", "Tap to set up your phone"),
    ("Backup", "Your photos are waiting"),
)


def plan(rng: Random, rate: float, weights: Mapping[str, float]) -> State:
    """Decide which nuisance an episode has, if any."""
    kinds = [kind for kind in KINDS if weights.get(kind, 0.0) > 0]
    if not kinds or rng.random() >= rate:
        return {"armed": [], "promo": False, "overlap": False}
    kind = rng.choices(kinds, [weights[k] for k in kinds])[0]
    if kind in ("promo", "keyboard"):
        return {"armed": [], "promo": kind == "promo", "overlap": kind == "keyboard"}
    # Never at the first action: the user should be on the way when it strikes. A slow page is the
    # exception, for it strikes when a page is opened.
    armed = {"kind": kind, "after": rng.randint(1, 3), "variant": rng.randrange(1000)}
    if kind == "slow":
        armed["after"] = 0
    return {"armed": [armed], "promo": False, "overlap": False}


def advance(control: Control, before: State) -> None:
    """After an action: let armed nuisances strike and passing ones end."""
    overlay = control.state["ui"]["overlay"]
    if overlay is not None and overlay.get("until", control.time + 1) <= control.time:
        control.write_ui("overlay", None)
    armed = control.state["nuisance"]["armed"]
    if not armed:
        return
    first = armed[0]
    if first["after"] > 0:
        control.write_root("nuisance", "armed", to=[{**first, "after": first["after"] - 1}])
    elif control.state["ui"]["overlay"] is None and _strikes(control, before, first):
        control.write_root("nuisance", "armed", to=[])


def _strikes(control: Control, before: State, armed: State) -> bool:
    ui = control.state["ui"]
    app = find(ui["app"])
    kind = armed["kind"]
    if kind == "slow":
        return app.slow and _make_slow(control, before)
    fits = {
        "permission": bool(app.permission),
        "update": True,
        "ad": app.name != "launcher",
        "consent": app.name == "browser" and ui["stacks"]["browser"][-1]["name"] in WEB_PAGES,
        "notice": app.name != "launcher",
    }
    if not fits[kind]:
        return False
    overlay: dict[str, Any] = {"kind": kind, "app": app.name, "variant": armed["variant"]}
    if kind == "notice":
        overlay["until"] = control.time + _NOTICE_SECONDS
    control.write_ui("overlay", overlay)
    # A notice covers the title bar only; one can go on typing below it.
    if kind != "notice":
        control.write_ui("focus", None)
    return True


WEB_PAGES = frozenset({"site", "article", "shop", "product", "listing", "results"})
"""Pages of the browser that may ask for consent."""


def _make_slow(control: Control, before: State) -> bool:
    ui = control.state["ui"]
    stack = ui["stacks"][ui["app"]]
    if stack == before["ui"]["stacks"].get(ui["app"]) or find(ui["app"]).is_dialog(
        stack[-1]["name"]
    ):
        return False
    page = {**stack[-1], "ready": control.time + _SLOW_SECONDS}
    control.write_ui("stacks", {**ui["stacks"], ui["app"]: [*stack[:-1], page]})
    return True


def _close(control: Control) -> None:
    control.write_ui("overlay", None)


def build_overlay(ui: Ui, overlay: State) -> None:
    """Draw whatever stands above the app."""
    {
        "permission": _build_permission,
        "update": _build_update,
        "updating": _build_updating,
        "ad": _build_ad,
        "consent": _build_consent,
        "notice": _build_notice,
    }[overlay["kind"]](ui, overlay)


def _build_permission(ui: Ui, overlay: State) -> None:
    app = find(overlay["app"])
    ui.dialog(
        "Permission",
        f"Allow {app.title} to {app.permission}?",
        [("Don't allow", _close), ("Allow", _close)],
    )


def _build_update(ui: Ui, overlay: State) -> None:
    app = find(overlay["app"])

    def install(control: Control) -> None:
        until = control.time + _UPDATE_SECONDS
        control.write_ui("overlay", {"kind": "updating", "app": app.name, "until": until})

    ui.dialog(
        "Update available",
        f"A new version of {app.title} is ready. Restart it now?",
        [("Not now", _close), ("Update", install)],
    )


def _build_updating(ui: Ui, overlay: State) -> None:
    ui.dialog("Updating", f"{find(overlay['app']).title} is being updated...")


def _build_ad(ui: Ui, overlay: State) -> None:
    variant = overlay["variant"]
    name = _ADS[variant % len(_ADS)]
    tint = ((70, 30, 120), (150, 40, 60), (20, 90, 80), (160, 100, 20))[variant % 4]
    height = HEIGHT - STATUS_HEIGHT
    ui.pin(("fill", tint), (0, STATUS_HEIGHT, WIDTH, height), on_tap=absorb)
    subject = ("balloon", "cake", "sunset", "city")[variant % 4]
    ui.pin(("photo", subject, variant % 7), (20, 90, WIDTH - 40, 130), "image")
    ui.pin(("line", name, LARGE, "white", tint, "center", True), (0, 232, WIDTH, 22), "text", name)
    paint = ("button", "Install now", "filled", (40, 160, 80), True, "", tint)

    def take_bait(control: Control) -> None:
        _close(control)
        if "store" in control.state["system"]["installed"]:
            control.start("store")

    ui.pin(paint, (40, 270, 100, 28), "button", "Install now", "", take_bait)
    x = 4 if variant % 3 == 0 else WIDTH - 26
    ui.pin(
        ("glyph", "close", "white", tint), (x, STATUS_HEIGHT + 4, 22, 22), "button", "", "", _close
    )


def _build_consent(ui: Ui, overlay: State) -> None:
    del overlay
    y = CONTENT_BOTTOM - 84
    ui.pin(("panel", 4), (0, y, WIDTH, 84), on_tap=absorb)
    text = "We value your privacy. This site uses cookies."
    lines = ("We value your privacy.", "This site uses cookies.")
    ui.pin(
        ("lines", lines, BODY, "text", "surface", "left", False), (8, y + 6, 164, 28), "text", text
    )
    for index, label in enumerate(("Reject all", "Accept all")):
        style = "outlined" if index == 0 else "filled"
        paint = ("button", label, style, (50, 100, 200), True, "", "surface")
        ui.pin(paint, (6 + 85 * index, y + 50, 82, 24), "button", label, "", _close)


def _build_notice(ui: Ui, overlay: State) -> None:
    title, text = _NOTICES[overlay["variant"] % len(_NOTICES)]

    def open_settings(control: Control) -> None:
        _close(control)
        control.start("settings")

    def dismiss(control: Control, x: float, y: float) -> None:
        if y < 0.0 or abs(x - 0.5) > 0.2:
            _close(control)

    paint = ("notice", "bell", (90, 90, 100), "System", title, text)
    box = (4, STATUS_HEIGHT, WIDTH - 8, 36)
    handler: Handler = open_settings
    widget = ui.pin(paint, box, "banner", f"{title}: {text}", "", handler)
    widget.on_drag = dismiss
