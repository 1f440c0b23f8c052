"""Which files to read, in the order in which they are read."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from operator import itemgetter
from pathlib import Path
from typing import Final, TypeAlias

from kpinspector.files import split_record
from kpinspector.phrase import Phrase
from kpinspector.trace.javascript import whole_characters
from kpinspector.trace.records import Problem, Skipped, SkippedFile, file_problem

_DESCRIPTION, _TOLD = ".meta.json", ".jsonl"
SPECIAL_KINDS: Final = {
    stat.S_IFIFO: Phrase("a pipe"),
    stat.S_IFSOCK: Phrase("a socket"),
    stat.S_IFCHR: Phrase("a device"),
    stat.S_IFBLK: Phrase("a device"),
}
"""Names for what is neither file nor folder, by the format bits of the mode."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A regular file to read; ``shown`` is its path as the user gave it, safe to export."""

    path: Path
    shown: str
    named: bool
    records: frozenset[int] | None = None


Listed: TypeAlias = FoundFile | Problem | Skipped


def list_files(paths: Iterable[str], check: Callable[[], None] = lambda: None) -> Iterator[Listed]:
    """List paths as given; folders recursively by relative POSIX path in code point order.

    Inside a folder, hidden names, symlinked folders and descriptions of recordings are left out. A
    file that is reached twice is listed once, where it was reached first. ``FILE#3`` lists the file
    with its third record alone. Devices, sockets and pipes are a problem when named, and
    skipped inside a folder.
    """
    given, reals = list(paths), RealPaths()
    named = {reals.of(path) for path in given}
    seen: set[tuple[str, frozenset[int] | None]] = set()
    for path in given:
        for item in _list_path(path, reals, check):
            check()
            if not isinstance(item, FoundFile):
                yield item
                continue
            real = reals.of(str(item.path))
            if item.records is not None and real in named:
                continue
            if (real, item.records) not in seen:
                seen.add((real, item.records))
                yield replace(item, named=True) if real in named else item


@dataclass
class RealPaths:
    """Canonical paths; each folder is resolved once."""

    folders: dict[str, str] = field(default_factory=dict)

    def of(self, path: str) -> str:
        """The canonical path; a path that cannot be resolved is returned as it is."""
        folder, name = os.path.split(path)
        try:
            if not name or os.path.islink(path):  # noqa: PTH114 (there are many)
                return os.path.realpath(path)
            if folder not in self.folders:
                self.folders[folder] = os.path.realpath(folder)
        except (OSError, ValueError):
            return path
        return os.path.join(self.folders[folder], name)  # noqa: PTH118 (as above)


def open_problem(shown: str, error: OSError | ValueError) -> Problem:
    """The problem of a file or folder that could not be opened, in the system's words."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    message = Phrase("could not be opened: {reason}", reason=reason)
    return file_problem(shown, message, Phrase("a file that can be read"), reason)


def _list_path(given: str, reals: RealPaths, check: Callable[[], None]) -> Iterator[Listed]:
    path, record = split_record(given)
    if record is not None and os.path.isfile(path):  # noqa: PTH113 (as below)
        yield FoundFile(
            Path(path), whole_characters(path), named=True, records=frozenset((record,))
        )
        return
    zero, _, end = given.rpartition("#")
    is_zero = bool(end) and not end.strip("0") and not os.path.lexists(given)
    if is_zero and os.path.isfile(zero):  # noqa: PTH113 (as below)
        message = Phrase("there is no record 0: records count from 1")
        yield file_problem(given, message, "FILE#1", "FILE#0")
        return
    try:
        mode = os.stat(given).st_mode  # noqa: PTH116 (a Path would take "" for the current folder)
    except (OSError, ValueError) as error:
        yield open_problem(given, error)
        return
    kind = SPECIAL_KINDS.get(stat.S_IFMT(mode))
    if stat.S_ISDIR(mode):
        yield from _list_folder(given, reals, check)
    elif kind is None:
        yield FoundFile(Path(given), whole_characters(given), named=True)
    else:
        message = Phrase("not a file or folder but {kind}", kind=kind)
        yield file_problem(given, message, Phrase("a file or folder"), kind)


def _list_folder(given: str, reals: RealPaths, check: Callable[[], None]) -> list[Listed]:
    """The contents of a folder by relative path, without descriptions of recordings beside them."""
    prefix = given if given.endswith(("/", os.sep)) else given + os.sep
    listed: list[tuple[str, Listed]] = []
    waiting = [""]
    visited: set[str] = set()
    while waiting:
        relative = waiting.pop()
        path = prefix + relative
        if (real := reals.of(path)) in visited:
            continue
        visited.add(real)
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    check()
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(f"{relative}{entry.name}/")
                    elif (item := _list_entry(entry, path + entry.name)) is not None:
                        listed.append((relative + entry.name, item))
        except OSError as error:
            listed.append((relative, open_problem(path[:-1] if relative else given, error)))
    listed.sort(key=itemgetter(0))
    # a file that describes the recording beside it is not listed itself
    told = {f"{name[: -len(_TOLD)]}{_DESCRIPTION}" for name, _ in listed if name.endswith(_TOLD)}
    return [item for name, item in listed if name not in told]


def _list_entry(entry: os.DirEntry[str], shown: str) -> Listed | None:
    try:
        if entry.is_file():
            return FoundFile(Path(entry.path), whole_characters(shown), named=False)
        mode = entry.stat().st_mode
    except OSError as error:
        return open_problem(shown, error)
    if stat.S_ISDIR(mode):
        return None
    kind = SPECIAL_KINDS.get(stat.S_IFMT(mode)) or Phrase("not a file")
    return SkippedFile(whole_characters(shown), record=None, type=None, id=None, reason=kind)
