"""What the user chose: one model, every field with a default, one JSON file."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kpinspector.files import SETTINGS_FILE, read_own, write_own
from kpinspector.themes import Theme

FILE_NAME = SETTINGS_FILE
CONTRIBUTE_THRESHOLD = 0.75


class Settings(BaseModel):
    """All that is chosen once and kept; the descriptions stand in the settings dialog."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    version: Literal[1] = 1
    threshold: float = Field(
        default=CONTRIBUTE_THRESHOLD,
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="A score from here on passes the score gate.",
    )
    max_elements: int = Field(
        default=1000,
        ge=1,
        le=1_000_000,
        description="The newest so many remembered traces are compared with.",
    )
    ttl_ms: int | None = Field(
        default=None,
        ge=1,
        le=2**53,
        description="Remembered traces are compared with for so long, in milliseconds.",
    )
    guest: bool = Field(default=False, description="Score without writing to the memory.")
    theme: Theme = Field(default=Theme.SYSTEM, description="How the window looks.")
    restore_files: bool = Field(
        default=True, description="Open the files of the last time when the program starts."
    )
    restore_window: bool = Field(
        default=True, description="Give the window the size and the columns of the last time."
    )


def load_settings(folder: Path) -> tuple[Settings, str | None]:
    """The saved settings, or the defaults with a sentence that says why they stand in."""
    path = folder / FILE_NAME
    try:
        return Settings.model_validate_json(read_own(path)), None
    except FileNotFoundError:
        return Settings(), None
    except OSError as error:
        reason = error.strerror or error
        return Settings(), f"{path} could not be read ({reason}), so the default settings apply."
    except ValidationError:
        return Settings(), f"{path} could not be read, so the default settings apply."


def save_settings(folder: Path, settings: Settings) -> None:
    """Write the settings.

    Raises:
        WriteError: the folder cannot be written to, or no file stands there.
    """
    write_own(folder / FILE_NAME, settings.model_dump_json(indent=2).encode() + b"\n")
