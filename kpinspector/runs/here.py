"""Finds the recordings that other agents keep on this computer, without reading them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from glob import glob
from pathlib import Path

from kpinspector.runs.readers import formats
from kpinspector.runs.readers.reader import Format


@dataclass(frozen=True, slots=True)
class Here:
    """What one agent keeps on this computer.

    ``folders``: those with a recording, sorted. ``files``: how many recordings are in them.
    ``newest``: when the newest was written, in seconds since 1970, UTC.
    """

    form: Format
    folders: tuple[str, ...]
    files: int
    newest: float


def found_here(home: Path, check: Callable[[], None] = lambda: None) -> Iterator[Here]:
    """What stands where the formats say, in their order; ``~`` stands for ``home``.

    ``check``: called before each file; what it raises ends the search.
    """
    for form in formats().values():
        if not form.where:
            continue
        folders, times = [], []
        found = glob(form.where.removeprefix("~/"), root_dir=home)  # noqa: PTH207 - may be absolute
        for folder in sorted(map(home.joinpath, found)):
            written = list(_written(folder, form.files, check))
            times += written
            folders += [str(folder)] if written else []
        if times:
            yield Here(form, tuple(folders), len(times), max(times))


def _written(folder: Path, files: str, check: Callable[[], None]) -> Iterator[float]:
    """When each file was written; one that is gone meanwhile, or may not be asked, is left out."""
    for path in folder.rglob(files):
        check()
        try:
            if path.is_file():
                yield path.stat().st_mtime
        except OSError:
            continue
