"""The registry's verdict on a trace: issues with paths."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """An error fails the schema gate; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Issue:
    """One place where a trace departs from the schema; ``path`` has dots (``steps.2.tool.name``)."""

    path: str
    severity: Severity
    message: str
