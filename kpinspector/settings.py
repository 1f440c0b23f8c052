"""What the user chose: one value, every field with a default, one JSON file."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from kpinspector.dataclass_json import bounded, from_json, to_json
from kpinspector.files import SETTINGS_FILE, read_own, write_own
from kpinspector.phrase import Phrase

FILE_NAME = SETTINGS_FILE
CONTRIBUTE_THRESHOLD = 0.75


class Theme(StrEnum):
    """Light, dark, or as the system says."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Mode(StrEnum):
    """Whether scoring uses and extends the memory, only uses it, or starts with an empty one."""

    REMEMBER = "remember"
    GUEST = "guest"
    FRESH = "fresh"


@dataclass(frozen=True, slots=True)
class Settings:
    """All that is chosen once and kept.

    Attributes:
        threshold: The least score that passes the score gate.
        max_elements: How many remembered traces, the newest ones, a new one is compared with.
        ttl_ms: How long remembered traces are compared with, in milliseconds; None for ever.
        guest: Score without writing to the memory.
        theme: How the window looks.
        restore_files: Open the files of the last session when the program starts.
        restore_window: Give the window the size and the columns of the last session.
    """

    version: int = bounded(1, least=1, most=1)
    threshold: float = bounded(CONTRIBUTE_THRESHOLD, least=0, most=1)
    max_elements: int = bounded(1000, least=1, most=1_000_000)
    ttl_ms: int | None = bounded(None, least=1, most=2**53)
    guest: bool = False
    theme: Theme = Theme.SYSTEM
    restore_files: bool = True
    restore_window: bool = True


def mode_of(given: Mode | None, settings: Settings) -> Mode:
    """The mode that the command line asks for, or else that of the settings."""
    return given or (Mode.GUEST if settings.guest else Mode.REMEMBER)


def load_settings(folder: Path) -> tuple[Settings, str | None]:
    """The saved settings, or the defaults with a sentence that says why they stand in."""
    path = folder / FILE_NAME
    try:
        return from_json(Settings, read_own(path)), None
    except FileNotFoundError:
        return Settings(), None
    except OSError as error:
        return Settings(), Phrase(
            "{path} could not be read ({reason}), so the default settings apply.",
            path=path,
            reason=error.strerror or error,
        )
    except ValueError:
        return Settings(), Phrase(
            "{path} could not be read, so the default settings apply.", path=path
        )


def save_settings(folder: Path, settings: Settings) -> None:
    """Write the settings.

    Raises:
        WriteError: the folder cannot be written to, or no file stands there.
    """
    write_own(folder / FILE_NAME, to_json(settings))
