"""All rows by number, which of them wait, and which file each stands for."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from kpinspector.app.document import Document, Rules
from kpinspector.app.watch import Signature
from kpinspector.trace.find import FoundFile

Key: TypeAlias = tuple[int, int]
"""A row's place in its file: the record's number, and how many of that number came before."""

BEHIND: Final[Key] = (-1, 0)
"""The place of what is said behind all records."""


@dataclass(slots=True)
class OpenFile:
    """A file that is open.

    Attributes:
        found: To read it again by; None for what is no file.
        root: The path that the user gave: the file itself, or a folder above it.
        act: The number of the act that opened it last.
        rows: Numbers by their place in the file.
        left_out: What the user took off the list.
        is_read: It was read at least once.
        signature: As it was when it was read last.
    """

    found: FoundFile | None
    root: str
    act: int
    rows: dict[Key, int] = field(default_factory=dict)
    left_out: set[Key] = field(default_factory=set)
    is_read: bool = False
    signature: Signature | None = None


class Rows:
    """Documents in the order in which they came; what waits is kept, never looked for.

    Attributes:
        files: By canonical path, in the order in which they were opened.
    """

    def __init__(self) -> None:
        self.files: dict[str, OpenFile] = {}
        self._documents: dict[int, Document] = {}
        self._places: dict[int, tuple[str, Key]] = {}
        self._unscored: set[int] = set()

    def __getitem__(self, number: int) -> Document:
        return self._documents[number]

    def __contains__(self, number: int) -> bool:
        return number in self._documents

    def __len__(self) -> int:
        return len(self._documents)

    def get(self, number: int) -> Document | None:
        """The row of that number, if it is there."""
        return self._documents.get(number)

    @property
    def documents(self) -> tuple[Document, ...]:
        """All of them."""
        return tuple(self._documents.values())

    @property
    def waiting(self) -> bool:
        """Something was not measured yet."""
        return bool(self._unscored)

    @property
    def unscored(self) -> list[int]:
        """Numbers of what was not measured yet, in the order in which it came."""
        return sorted(self._unscored)

    def put(self, document: Document) -> None:
        """Append a row, or replace the one with that number in its place."""
        self._documents[document.number] = document
        if document.waits:
            self._unscored.add(document.number)
        else:
            self._unscored.discard(document.number)

    def judge(self, rules: Rules) -> None:
        """Put other rules in all rows."""
        for number, document in self._documents.items():
            self._documents[number] = document.with_rules(rules)

    def pop(self, number: int) -> tuple[str, Key] | None:
        """Take a row away; its file and its place there, where it has a file."""
        if self._documents.pop(number, None) is None:
            return None
        self._unscored.discard(number)
        place = self._places.pop(number, None)
        if place is not None and place[0] in self.files:
            self.files[place[0]].rows.pop(place[1], None)
        return place

    def place_of(self, number: int) -> tuple[str, Key] | None:
        """A row's file and its place there, where it has a file."""
        return self._places.get(number)

    def put_back(self, document: Document, place: tuple[str, Key] | None) -> bool:
        """A row that was taken away stands where it stood; False where another is there now."""
        number = document.number
        if number in self._documents or (
            place is not None and place[1] in self.files[place[0]].rows
        ):
            return False
        self.put(document)
        if place is not None:
            self._places[number] = place
            self.files[place[0]].rows[place[1]] = number
        return True

    def sort(self) -> None:
        """Bring what was put back to its place."""
        self._documents = dict(sorted(self._documents.items()))

    def set_file_rows(self, real: str, numbers: Iterable[tuple[Key, int]]) -> None:
        """Say which rows a file has, after it was read."""
        file = self.files[real]
        file.rows = dict(numbers)
        file.is_read = True
        self._places.update((number, (real, key)) for key, number in file.rows.items())

    def known(self, real: str) -> dict[Key, Document]:
        """A file's rows as they are now, by their place in it."""
        file = self.files.get(real)
        return {} if file is None else {k: self._documents[n] for k, n in file.rows.items()}

    def file_of(self, number: int) -> str | None:
        """The canonical path of a row's file."""
        place = self._places.get(number)
        return None if place is None else place[0]
