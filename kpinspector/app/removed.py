"""Rows that were taken off the list, with all it takes to put them back."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from kpinspector.app.document import Document
from kpinspector.app.drops import Opening
from kpinspector.app.rows import Key, OpenFile
from kpinspector.app.watch import Signature


@dataclass(frozen=True, slots=True)
class Removed:
    """What stood in the list.

    Attributes:
        rows: In their order, each with its file and its place there, where it had a file.
        files: Those of the rows, by canonical path.
        signatures: Of these files when the rows went.
        reals: All files that were open, in their order.
        roots: All paths that were open, in their order.
        unread: What was still to be read, where all was closed.
        looked_up: The paths that were still being looked up.
    """

    rows: tuple[tuple[Document, tuple[str, Key] | None], ...] = ()
    files: Mapping[str, OpenFile] = field(default_factory=dict)
    signatures: Mapping[str, Signature | None] = field(default_factory=dict)
    reals: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    unread: tuple[Opening, ...] = ()
    looked_up: tuple[str, ...] = ()
