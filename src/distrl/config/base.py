"""What all settings share."""

from __future__ import annotations

from typing import Annotated, Any, Self, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Strict

T = TypeVar("T")

Choice: TypeAlias = Annotated[T, Strict(False)]
"""A StrEnum as a field: YAML and the command line give its values as text, which a strict model
would refuse."""


class Config(BaseModel):
    """One part's settings: what the part takes is what was validated here.

    Unknown keys and wrong types are refused; nothing is converted but text to an enum (`Choice`).
    The docstring under a field is its documentation, and there is one under every field.
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        validate_default=True,
    )

    def changed(self, **values: Any) -> Self:
        """A copy with some fields replaced, validated as a whole, which `model_copy` is not."""
        return type(self)(**{**dict(self), **values})
