from __future__ import annotations

import pickle

import pytest

from distrl import errors
from distrl.errors import ConfigError, DistrlError, unknown_name

TREE = [
    found
    for found in vars(errors).values()
    if isinstance(found, type) and issubclass(found, DistrlError)
]


@pytest.mark.parametrize("kind", TREE)
def test_every_error_crosses_a_process_border(kind: type[DistrlError]) -> None:
    copy = pickle.loads(pickle.dumps(kind("the cable is loose")))  # noqa: S301 - made right here
    assert type(copy) is kind
    assert str(copy) == "the cable is loose"


@pytest.mark.parametrize("kind", TREE)
def test_every_error_is_drawn_in_the_tree(kind: type[DistrlError]) -> None:
    assert errors.__doc__ is not None
    assert kind.__name__ in errors.__doc__


def test_what_users_get_wrong_is_also_a_value_error() -> None:
    assert issubclass(errors.ConfigError, ValueError)
    assert issubclass(errors.ActionError, ValueError)
    assert issubclass(errors.DeviceLost, errors.DeviceError)


@pytest.mark.parametrize(
    ("received", "nearest"),
    [("genral", "general"), ("SHOPPING", "shopping"), ("shoping", "shopping")],
)
def test_unknown_name_tells_the_nearest_right_one(received: str, nearest: str) -> None:
    error = unknown_name("suite", received, ["shopping", "general"])
    assert isinstance(error, ConfigError)
    assert f"unknown suite {received!r}" in str(error)
    assert f"did you mean {nearest!r}?" in str(error)
    assert "(allowed: general, shopping)" in str(error)


def test_unknown_name_keeps_quiet_when_nothing_is_near() -> None:
    message = str(unknown_name("app", "zzz", ["clock"]))
    assert "did you mean" not in message
    assert "(allowed: clock)" in message


def test_unknown_name_says_when_there_is_none_at_all() -> None:
    assert "(allowed: none)" in str(unknown_name("app", "clock", []))


def test_boundary_names_what_failed_inside_it() -> None:
    with (
        pytest.raises(errors.DeviceError, match="starting the phone: OSError"),
        errors.boundary(errors.DeviceError, "starting the phone"),
    ):
        raise OSError("no such file")


def test_boundary_lets_a_nearer_name_through() -> None:
    with (
        pytest.raises(errors.TaskError, match="mine"),
        errors.boundary(errors.DeviceError, "starting the phone"),
    ):
        raise errors.TaskError("mine")


@pytest.mark.parametrize("received", [3, None, ["a"]])
def test_what_is_no_name_at_all_is_told_like_a_wrong_one(received: object) -> None:
    assert str(unknown_name("action", received, ["dict"])) == (
        f"unknown action {received!r} (allowed: dict)"
    )
