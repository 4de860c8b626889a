from __future__ import annotations

import pytest

from distrl import actions
from distrl.devices.mobilegym import scripts
from distrl.types import Action, Key


@pytest.mark.parametrize(
    ("action", "body"),
    [
        (actions.tap(0.5, 0.25), "window.__SIM_INPUT__.tap(180.0,200.0);"),
        (actions.tap(1.0, 1.0), "window.__SIM_INPUT__.tap(359.5,799.5);"),
        (actions.double_tap(0, 0), "window.__SIM_INPUT__.doubleTap(0,0);"),
        (actions.press(Key.BACK), "window.__OS__.handleBack();"),
        (actions.press(Key.HOME), "window.__OS__.goHome();"),
        (actions.press(Key.RECENTS), "window.__SIM_INPUT__.recent();"),
        (actions.press(Key.ENTER), "window.__SIM_INPUT__.enter();"),
        (actions.wait(), ""),
    ],
)
def test_an_action_is_a_call_of_the_page(action: Action, body: str) -> None:
    assert scripts.hand(action, 360, 800).replace("0.0,0.0", "0,0") == body


def test_text_is_only_ever_a_literal_of_the_script() -> None:
    hostile = "'\"`${alert(1)}\\\n</script>\u2028"
    for body in (
        scripts.hand(actions.type_text(hostile), 360, 800),
        scripts.opened(hostile),
        scripts.called("x => x", hostile),
        scripts.loaded([hostile]),
    ):
        assert '\\"`${alert(1)}\\\\\\n' in body
        assert "\u2028" not in body
