from __future__ import annotations

import inspect

import pytest

from distrl.errors import ActionError, TaskError
from distrl.integrations.phone_tools import TOOLS, PhoneTools, told
from distrl.integrations.play_session import PlaySession, TaskBook


@pytest.fixture
def tools() -> PhoneTools:
    book = TaskBook("starter")
    session = PlaySession(book)
    session.reset(book.named("starter/val/0"))
    return PhoneTools(session)


def test_every_public_method_is_a_tool_and_says_what_its_arguments_are() -> None:
    public = {name for name, _ in inspect.getmembers(PhoneTools, inspect.isfunction)}
    assert {name for name in public if not name.startswith("_")} == set(TOOLS)
    for name in TOOLS:
        tool = getattr(PhoneTools, name)
        arguments = list(inspect.signature(tool).parameters)[1:]
        assert all(f"{argument}: " in (tool.__doc__ or "") for argument in arguments), name


def test_tools_act_and_tell_the_goal_the_steps_and_the_elements(tools: PhoneTools) -> None:
    goal = tools._session.turn.task.goal
    for answer in (tools.press("home"), tools.swipe("up"), tools.tap(1)):
        assert f"Goal: {goal}" in answer
        assert "\n1 " in answer
    assert "Steps left: 2" in answer
    assert "The episode has ended: false_complete" in tools.complete()
    with pytest.raises(TaskError, match="has ended"):
        tools.wait()


def test_typing_nowhere_has_no_effect_and_holding_or_giving_up_works(tools: PhoneTools) -> None:
    assert "Steps left: 4" in tools.type("tea")
    assert "Steps left: 3" in tools.long_press(1)
    assert "has ended: failed" in tools.infeasible()


def test_what_is_not_there_is_refused(tools: PhoneTools) -> None:
    for tool, element in ((tools.tap, 0), (tools.long_press, 999)):
        with pytest.raises(ActionError, match="there is no element"):
            tool(element)
    with pytest.raises(ActionError, match="no direction"):
        tools.swipe("sideways")  # type: ignore[arg-type]
    assert "No effect" not in told(tools._session.turn)
