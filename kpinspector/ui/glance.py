"""What is seen at once of settings and state, read field by field.

The models that check both files take as long to load as Qt. They do so when the window was seen; by
then they have the last word, also on a file that only a glance can make something of.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kpinspector.app.judging import Rules
from kpinspector.files import SETTINGS_FILE, STATE_FILE, read_own
from kpinspector.themes import Theme
from kpinspector.ui.theme import USUAL_ZOOM, bounded_zoom

_MOST_RECENT = 10


@dataclass(frozen=True, slots=True)
class RecentGlance:
    """A file or folder that was opened before; ``note`` says what came of it."""

    path: str
    is_folder: bool = False
    note: str = ""
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Glance:
    """What a window shows before it is more than its frame.

    Attributes:
        geometry: Of the window, in base64; empty where it is not to be restored.
        recent: The latest first.
        opening: Something is opened with the window.
        zoom: How large everything is written, in per cent.
    """

    theme: Theme = Theme.SYSTEM
    threshold: float = Rules().threshold
    geometry: str = ""
    recent: tuple[RecentGlance, ...] = ()
    opening: bool = False
    zoom: int = USUAL_ZOOM


def glance_at(folder: Path) -> Glance:
    """What both files say, as far as it can be understood."""
    settings, state = _members(folder / SETTINGS_FILE), _members(folder / STATE_FILE)
    theme = _text(settings.get("theme"))
    usual = Glance()
    return Glance(
        theme=Theme(theme) if theme in set(Theme) else usual.theme,
        threshold=_share(settings.get("threshold"), usual.threshold),
        geometry=_text(state.get("geometry")) if settings.get("restore_window", True) else "",
        zoom=_zoom(state.get("zoom")),
        recent=tuple(_recent(state.get("recent")))[:_MOST_RECENT],
        opening=bool(settings.get("restore_files", True) and state.get("open_paths")),
    )


def _members(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(read_own(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _recent(found: object) -> Iterator[RecentGlance]:
    for one in found if isinstance(found, list) else ():
        if isinstance(one, dict) and (path := _text(one.get("path"))):
            yield RecentGlance(path, one.get("is_folder") is True, _text(one.get("note")))


def _share(found: object, usual: float) -> float:
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return usual
    return float(found) if 0 <= found <= 1 else usual


def _zoom(found: object) -> int:
    if isinstance(found, bool) or not isinstance(found, int):
        return USUAL_ZOOM
    return bounded_zoom(found)


def _text(found: object) -> str:
    return found if isinstance(found, str) else ""
