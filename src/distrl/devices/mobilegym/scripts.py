"""JavaScript for MobileGym's page. Pure functions."""

from __future__ import annotations

import json
from typing import Any

from distrl.types import Action, Key, Kind

STARTED = """
const there = () => window.__SIM__?.getState && window.__SIM_INPUT__ && window.__SIM_FS__ &&
  window.__OS__?.openApp;
while (!there()) await new Promise(done => setTimeout(done, 25));
"""
"""The body that waits until everything that is used below is there."""
LOADED = "performance.getEntriesByType('resource').length"
"""How many files the page has loaded."""
_TICK_MS = 25
_PATIENCE_MS = 60_000
"""How much of the page's time a script may take: more than any gesture or load."""
_SWIPE_MS = 400
_PRESS_MS = 800
"""As MobileGym's own environment has them."""
_STATE = """
const kept = (key, value) =>
  typeof value === 'function' || typeof value === 'symbol' ||
  value instanceof Node || value instanceof Window ? undefined :
  value instanceof Error ? {name: value.name, message: value.message} : value;
return [JSON.stringify(window.__SIM__.getState(), kept), window.__OS__.getAppRoute?.() ?? null];
"""
_OPEN = """
const known = window.__SIM__.getMetadata?.().apps ?? [];
const said = wanted.trim().toLowerCase();
const names = app => [app.id, app.displayName, app.displayNameEn];
const found = known.find(app => names(app).some(name => name?.toLowerCase() === said));
if (known.length && !found) return false;
window.__OS__.openApp(found ? found.id : said);
return true;
"""


def awaited(body: str) -> str:
    """An expression that runs an asynchronous function's body and lets the page's time pass for it.

    The body may wait for timers of the page, which fire only when somebody moves its time on, and
    for what the network brings, which takes real time.
    """
    return f"""(async () => {{
      let over = false, value, failed = null;
      (async () => {{{body}}})().then(given => {{ value = given; }}, error => {{
        failed = error ?? new Error('failed without a reason');
      }}).finally(() => {{ over = true; }});
      for (let spent = 0; !over && spent < {_PATIENCE_MS}; spent += {_TICK_MS}) {{
        await __distrl.told();
        if (!over) await __distrl.advance({_TICK_MS});
      }}
      if (failed) throw failed;
      if (!over) throw new Error('no end within {_PATIENCE_MS} ms of the page');
      return value;
    }})()"""


def told(body: str) -> str:
    """The same, whose value says by the name `failed` what was thrown, or else has the `value`."""
    return f"{awaited(body)}.then(value => ({{value}}), error => ({{failed: String(error)}}))"


def called(source: str, argument: Any) -> str:
    """The body that calls a function, which is given as its source, as Playwright's evaluate."""
    return f"return await ({source})({json.dumps(argument)});"


def state() -> str:
    """The body that gives the state as JSON, and the route."""
    return _STATE


def loaded(apps: list[str] | None) -> str:
    """The body that waits until the data of some apps is there, of all for None."""
    return f"await window.__SIM__.waitForData?.({json.dumps(apps) if apps else 'undefined'});"


def opened(app: str) -> str:
    """The body that opens an app by its id or one of its names; false for one that is not there."""
    return f"const wanted = {json.dumps(app)};{_OPEN}"


def hand(action: Action, width: int, height: int) -> str:
    """The body that carries out an action; it does nothing where the page has no use for it."""
    x, y = _point(action.x, action.y, width, height)
    match action.kind:
        case Kind.TAP:
            return f"window.__SIM_INPUT__.tap({x},{y});"
        case Kind.DOUBLE_TAP:
            return f"window.__SIM_INPUT__.doubleTap({x},{y});"
        case Kind.LONG_PRESS:
            return f"await window.__SIM_INPUT__.longPress({x},{y},{_PRESS_MS});"
        case Kind.SWIPE | Kind.DRAG:
            x2, y2 = _point(action.x2, action.y2, width, height)
            way = f"{{x:{x},y:{y}}},{{x:{x2},y:{y2}}},{{ms:{_SWIPE_MS}}}"
            return f"await window.__SIM_INPUT__.{action.kind.value}({way});"
        case Kind.TYPE:
            # It throws where no field has the focus: then the keys go nowhere.
            typed = f"window.__SIM_INPUT__.type({json.dumps(action.text)},{{clear:false}})"
            return f"await {typed}.catch(() => undefined);"
        case Kind.OPEN_APP:
            return opened(action.text)
        case Kind.PRESS:
            return _pressed(action.key)
        case _:
            return ""


def _pressed(key: Key | None) -> str:
    match key:
        case Key.BACK:
            return "window.__OS__.handleBack();"
        case Key.HOME:
            return "window.__OS__.goHome();"
        case Key.RECENTS:
            return "window.__SIM_INPUT__.recent();"
        case _:
            return "window.__SIM_INPUT__.enter();"


def _point(x: float, y: float, width: int, height: int) -> tuple[float, float]:
    return min(width - 0.5, x * width), min(height - 0.5, y * height)
