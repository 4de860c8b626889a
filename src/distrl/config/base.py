"""What all settings share."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Config(BaseModel):
    """One part's settings. Unknown keys and wrong types are refused; nothing is converted.

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
