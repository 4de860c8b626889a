from __future__ import annotations

from typing import Any

import pytest

from distrl.envs.openenv.form import Form, read_form
from distrl.errors import ConfigError
from distrl.integrations.openenv.protocol import schemas

TEXT = {"type": "string"}


def schema(required: list[str], **fields: Any) -> dict[str, Any]:
    return {"properties": {"metadata": {"type": "object"}, **fields}, "required": required}


@pytest.mark.parametrize(
    ("given", "form"),
    [
        (schema(["message"], message=TEXT), Form(text="message")),
        (schema(["code"], code=TEXT, timeout={"type": "integer"}), Form(text="code")),
        (schema([], message=TEXT), Form(text="message")),
        (
            schema(["move"], move={"enum": ["hit", "stand"]}),
            Form(choice="move", values=("hit", "stand")),
        ),
        (
            schema(["at"], at={"type": "integer", "minimum": 0, "maximum": 2}),
            Form(choice="at", values=(0, 1, 2)),
        ),
        (schema(["stop"], stop={"type": "boolean"}), Form(choice="stop", values=(True, False))),
        (
            {**schema(["move"], move={"$ref": "#/$defs/M"}), "$defs": {"M": {"enum": [1, 2]}}},
            Form(choice="move", values=(1, 2)),
        ),
        (schema(["text"], text={"anyOf": [TEXT, {"type": "null"}]}), Form(text="text")),
        (schemas()["action"], Form(actions=True)),
    ],
)
def test_a_schema_says_what_a_hand_can_do(given: dict[str, Any], form: Form) -> None:
    assert read_form(given) == form


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (schema(["a", "b"], a=TEXT, b=TEXT), "take a, b"),
        (schema(["x"], x={"type": "number"}), "take x"),
        (schema(["n"], n={"type": "integer", "minimum": 0, "maximum": 500}), "take n"),
        (schema([]), "take nothing"),
    ],
)
def test_actions_that_no_hand_can_say_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        read_form(given)
