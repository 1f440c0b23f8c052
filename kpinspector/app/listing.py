"""Which files stand behind paths, with counts on the way: what the worker does before it reads."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final

from kpinspector.app.drops import Opening
from kpinspector.app.jobs import Token
from kpinspector.files import is_there
from kpinspector.trace.find import FoundFile, list_files

_REPORT_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class Listing:
    """All that paths stand for.

    Attributes:
        openings: In the order in which they are read.
        missing: Those of the paths where nothing is.
        folders: Those of the paths that are folders.
    """

    openings: tuple[Opening, ...]
    missing: frozenset[str]
    folders: frozenset[str]


def list_openings(paths: Sequence[str], token: Token) -> Listing:
    """Look through files and folders; reports how many names were seen."""
    counter, places = _Counter(token), _Places(paths)
    openings = []
    for item in list_files(paths, counter.check):
        path = str(item.path)
        real = places.real(path)
        records = item.records if isinstance(item, FoundFile) else None
        given = path if records is None else f"{path}#{min(records)}"
        openings.append(Opening(item, real, places.root(given)))
    return Listing(
        tuple(openings),
        frozenset(path for path in paths if not is_there(path)),
        frozenset(path for path in paths if Path(path).is_dir()),
    )


def missing_paths(paths: Sequence[str], token: Token) -> frozenset[str]:
    """Those of the paths where nothing is."""
    missing = set()
    for path in paths:
        token.check()
        if not is_there(path):
            missing.add(path)
    return frozenset(missing)


class _Counter:
    """Counts the names that a listing sees."""

    def __init__(self, token: Token) -> None:
        self._token = token
        self._count = 0
        self._said = monotonic()

    def check(self) -> None:
        """Called for every name."""
        self._token.check()
        self._count += 1
        now = monotonic()
        if now - self._said > _REPORT_S:
            self._said = now
            self._token.report(self._count)


class _Places:
    """Canonical paths, and under which given path a file was found; folders are asked once."""

    def __init__(self, given: Sequence[str]) -> None:
        self._given = frozenset(given)
        self._reals: dict[str, str] = {}
        self._roots: dict[str, str] = {}

    def real(self, path: str) -> str:
        """The canonical path; that of a path that cannot be resolved is itself."""
        folder, name = os.path.split(path)
        try:
            if Path(path).is_symlink() or not name:
                return os.path.realpath(path)
            if folder not in self._reals:
                self._reals[folder] = os.path.realpath(folder)
        except (OSError, ValueError):
            return path
        return str(Path(self._reals[folder]) / name)

    def root(self, path: str) -> str:
        """The given path that is the file itself or a folder above it."""
        if path in self._given:
            return path
        folder = str(Path(path).parent)
        if folder not in self._roots:
            above = (folder, *(str(parent) for parent in Path(folder).parents))
            self._roots[folder] = next((one for one in above if one in self._given), path)
        return self._roots[folder]
