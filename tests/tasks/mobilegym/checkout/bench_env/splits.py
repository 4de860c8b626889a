"""Ids of its splits."""

from __future__ import annotations


def resolve_split(name: str) -> set[str]:
    train = {"clock.SwitchAlarm", "notes.AddNote", "notes.Broken"}
    return {"train": train, "test": {"notes.CountNotes", "clock.JudgeFails"}}[name]
