"""Task classes by name, in families."""

from __future__ import annotations

from typing import Any

from android_world import tasks

_CLASSES = (
    *(tasks.AlarmNote, tasks.BrokenCheck, tasks.ContactsNewContactDraft, tasks.FolderOfNow),
    *(tasks.HowManyNotes, tasks.RetroSavePlaylist, tasks.SimpleSmsReply, tasks.TurnSettingOn),
)


class TaskRegistry:
    """What there is."""

    def get_registry(self, family: str) -> dict[str, Any]:
        """The classes of a family."""
        named = {chosen.__name__: chosen for chosen in _CLASSES}
        families = {
            "android_world": named,
            "information_retrieval": {"HowManyNotes": tasks.HowManyNotes},
        }
        return families[family]
