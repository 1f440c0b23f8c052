"""Recognises the format of a file by its beginning."""

from dataclasses import dataclass

from kpinspector.runs.formats import FORMATS, reader_of
from kpinspector.runs.run import Format
from kpinspector.runs.texts import FileHead

_OURS = ("@type", "@context")


@dataclass(frozen=True, slots=True)
class Nearly:
    """A file that would be of a format but for what it lacks."""

    format: Format
    missing: str


def recognise(head: FileHead) -> Format | Nearly | None:
    """The format of a recording; None for any other file, such as a trace."""
    if is_ours(head):
        return None
    found = next((form for form in FORMATS if reader_of(form).recognise(head)), None)
    if found is not None:
        return found
    for form in FORMATS:
        missing = reader_of(form).missing(head)
        if missing:
            return Nearly(form, missing)
    return None


def is_ours(head: FileHead) -> bool:
    """Whether a file holds traces, data of the registry or a report of this program."""
    first = next(iter(head.objects), {})
    return (
        any(key in first for key in _OURS)
        or {"task", "steps"} <= first.keys()
        or first.get("format") == "kpinspector-report"
    )
