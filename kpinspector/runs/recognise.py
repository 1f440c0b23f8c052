"""Which format a file is of, by its beginning."""

from dataclasses import dataclass

from kpinspector.runs.formats import FORMATS, reader_of
from kpinspector.runs.run import Format
from kpinspector.runs.texts import FileHead

_OURS = ("@type", "@context")


@dataclass(frozen=True, slots=True)
class Nearly:
    """A file that would be of a format, had it what is missing."""

    format: Format
    missing: str


def recognise(head: FileHead) -> Format | Nearly | None:
    """The format of a recording; None for all else, traces above all."""
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
    """Traces, and what is of the registry or of this program."""
    first = next(iter(head.objects), {})
    return (
        any(key in first for key in _OURS)
        or {"task", "steps"} <= first.keys()
        or first.get("format") == "kpinspector-report"
    )
