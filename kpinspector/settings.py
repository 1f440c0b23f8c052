"""What the user chose: one model, every field with a default, one JSON file."""

from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kpinspector.files import write_atomic

FILE_NAME = "settings.json"
CONTRIBUTE_THRESHOLD = 0.75


class Theme(StrEnum):
    """Light, dark, or as the system says."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Settings(BaseModel):
    """All that is chosen once and kept.

    Attributes:
        threshold: A score from here on passes the score gate.
        max_elements: The newest so many entries of the memory are compared with.
        ttl_ms: Entries are compared with for so long, in milliseconds; None for ever.
        guest: Score without writing to the memory.
        theme: How the window looks.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    version: Literal[1] = 1
    threshold: float = Field(default=CONTRIBUTE_THRESHOLD, ge=0, le=1, allow_inf_nan=False)
    max_elements: int = Field(default=1000, ge=1, le=1_000_000)
    ttl_ms: int | None = Field(default=None, ge=1, le=2**53)
    guest: bool = False
    theme: Theme = Theme.SYSTEM


def load_settings(folder: Path) -> tuple[Settings, str | None]:
    """The saved settings, or the defaults with a sentence that says why they stand in."""
    path = folder / FILE_NAME
    try:
        return Settings.model_validate_json(path.read_bytes()), None
    except FileNotFoundError:
        return Settings(), None
    except (OSError, ValidationError):
        return Settings(), f"{path} could not be read, so the default settings apply."


def save_settings(folder: Path, settings: Settings) -> None:
    """Write the settings.

    Raises:
        WriteError: the folder cannot be written to.
    """
    write_atomic(folder / FILE_NAME, settings.model_dump_json(indent=2).encode() + b"\n")
