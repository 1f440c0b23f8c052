"""The mode in which the memory is used."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from kpinspector.files import BESIDE_DATABASE, MEMORY_FILE
from kpinspector.loading import loading

if TYPE_CHECKING:
    from kpinspector.scoring.memory.connection import Waits
    from kpinspector.scoring.memory.memory import Memory
    from kpinspector.settings import Settings

FILE_NAME = MEMORY_FILE


class Mode(StrEnum):
    """Whether scoring uses and extends the memory, only uses it, or starts with an empty one."""

    REMEMBER = "remember"
    GUEST = "guest"
    FRESH = "fresh"


def mode_of(given: Mode | None, settings: "Settings") -> Mode:
    """The mode that the command line asks for, or else that of the settings."""
    if given is not None:
        return given
    return Mode.GUEST if settings.guest else Mode.REMEMBER


def mode_in_force(mode: Mode, memory: "Memory") -> Mode:
    """The mode in effect: a memory that cannot be written is used as a guest."""
    return Mode.GUEST if mode is Mode.REMEMBER and not memory.remembers else mode


def open_memory(
    mode: Mode, folder: Path, settings: "Settings", waits: "Waits | None" = None
) -> "Memory":
    """Open the per-user memory, a private copy of it, or an empty one.

    ``waits`` is told while another program keeps the file locked, as in ``Memory.open``.
    """
    with loading():
        from kpinspector.scoring.memory.memory import Memory  # noqa: PLC0415 - with numpy, on first use

    path, newest, ttl_ms = folder / FILE_NAME, settings.max_elements, settings.ttl_ms
    match mode:
        case Mode.REMEMBER:
            return Memory.open(path, max_elements=newest, ttl_ms=ttl_ms, waits=waits)
        case Mode.GUEST:
            return Memory.guest(path, max_elements=newest, ttl_ms=ttl_ms, waits=waits)
        case Mode.FRESH:
            return Memory.fresh(max_elements=newest, ttl_ms=ttl_ms)


def size_on_disk(path: Path) -> int:
    """The size of a memory's file and its log in bytes; 0 without a file."""
    parts = (path, *(path.with_name(path.name + end) for end in BESIDE_DATABASE))
    return sum(part.stat().st_size for part in parts if part.exists())
