"""Readers for the word tables of this package: `;` or a new line ends a record, `|` a field."""


def phrases(text: str) -> tuple[str, ...]:
    """Split a table of plain phrases."""
    parts = text.replace("\n", ";").split(";")
    return tuple(part.strip() for part in parts if part.strip())


def records(text: str) -> tuple[tuple[str, ...], ...]:
    """Split a table of records with several fields each."""
    return tuple(tuple(field.strip() for field in phrase.split("|")) for phrase in phrases(text))
