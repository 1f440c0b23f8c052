"""What the program was like when it was last closed: one model, one JSON file."""

from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kpinspector.files import STATE_FILE, read_own, write_own

FILE_NAME = STATE_FILE
MOST_RECENT = 10


class RecentPath(BaseModel):
    """A file or folder that was opened before.

    Attributes:
        note: What came of it: a verdict with its score, or how many of its traces pass.
        is_missing: It was not there when somebody looked; not kept.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    path: str
    is_folder: bool = False
    note: str = ""
    is_missing: bool = Field(default=False, exclude=True)


class RowPlace(NamedTuple):
    """A row's file as it is shown, and the record's number; 0 for a file that is one trace."""

    path: str
    record: int


class State(BaseModel):
    """What is remembered from one run to the next without being chosen.

    Attributes:
        recent: The latest first.
        open_paths: Files and folders, as they were opened.
        current: The row that was shown.
        geometry: Of the window, in base64.
        window_state: Sizes of its panes, in plain text.
        columns: Of its views, by their names, in plain text.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    version: Literal[1] = 1
    recent: tuple[RecentPath, ...] = Field(default=(), max_length=MOST_RECENT)
    open_paths: tuple[str, ...] = ()
    current: RowPlace | None = None
    geometry: str = ""
    window_state: str = ""
    columns: dict[str, str] = {}


def load_state(folder: Path) -> State:
    """What was kept; a file that is missing or broken stands for nothing."""
    try:
        return State.model_validate_json(read_own(folder / FILE_NAME))
    except (OSError, ValidationError):
        return State()


def save_state(folder: Path, state: State) -> None:
    """Keep the state; a path that no JSON can hold is left out.

    Raises:
        WriteError: the folder cannot be written to, or no file stands there.
    """
    kept = state.model_copy(
        update={
            "recent": tuple(one for one in state.recent if _is_text(one.path)),
            "open_paths": tuple(path for path in state.open_paths if _is_text(path)),
            "current": state.current if state.current and _is_text(state.current.path) else None,
        }
    )
    write_own(folder / FILE_NAME, kept.model_dump_json(indent=2).encode() + b"\n")


def _is_text(path: str) -> bool:
    """A file name may hold bytes that are no characters; they are lone surrogates here."""
    return path.isascii() or not any("\ud800" <= char <= "\udfff" for char in path)
