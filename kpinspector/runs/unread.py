"""Recordings that are recognised by their beginning and not read yet."""

import os
from dataclasses import dataclass
from typing import BinaryIO, Final

from kpinspector.files import open_ready
from kpinspector.phrase import Phrase
from kpinspector.runs.archive import is_zip, names_in
from kpinspector.runs.read import recording_of
from kpinspector.runs.recognise import recognise
from kpinspector.runs.run import Format, Recording
from kpinspector.runs.texts import HEAD, FileHead, head_of
from kpinspector.trace.bytes import RefusedError, decode
from kpinspector.trace.find import FoundFile, special_kind
from kpinspector.trace.model import whole_characters
from kpinspector.trace.records import Skipped

_PIECES: Final = (2**10, 2**12, 2**14, HEAD)  # the first is enough for most recordings
_SMALL: Final = 2**12  # smaller files are read whole, as they may hold no run


@dataclass(frozen=True, slots=True)
class UnreadRun(Skipped):
    """A recording that is not read yet.

    Attributes:
        format: Recognised by its beginning.
        modified: When the file was last changed, in nanoseconds.
    """

    format: Format
    modified: int


def unread_run(found: FoundFile) -> UnreadRun | None:
    """The recording in a file, recognised by its first bytes or a zip's directory.

    None for any other file, and for one that must be read to be recognised.
    """
    try:
        with open_ready(found.path, _PIECES[0]) as file:
            status = os.fstat(file.fileno())
            is_special = special_kind(status.st_mode) is not None
            form = None if is_special else _format_of(file, small=status.st_size < _SMALL)
    except (OSError, ValueError):
        return None
    if form is None:
        return None
    shown, reason = whole_characters(found.shown), Phrase("a recording that is not read yet")
    return UnreadRun(shown, None, None, None, reason, form, status.st_mtime_ns)


def _format_of(file: BinaryIO, *, small: bool) -> Format | None:
    """The format of a recording, from as few bytes as possible."""
    data = b""
    for size in (_SMALL,) if small else _PIECES:
        data += file.read(size - len(data))
        if is_zip(data):
            return _only_format(FileHead((), members=names_in(file)))
        whole = len(data) < size
        form = _only_format(head_of(data, whole=whole))
        if whole and form is not None:
            return form if _holds_run(data) else None
        if form is not None or whole or not data.lstrip().startswith((b"{", b"[")):
            return form
    return None


def _only_format(head: FileHead) -> Format | None:
    found = recognise(head)
    return found if isinstance(found, Format) else None


def _holds_run(data: bytes) -> bool:
    """Whether a recording has a run; one without is read at once, so that its row says so."""
    try:
        recording = recording_of(decode(data), "")
    except RefusedError:
        return False
    return isinstance(recording, Recording) and any(run.blocks for run in recording.runs)
