"""The formats of recordings: ours, a module for each; those of packages; where their files are."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from glob import glob
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from kpinspector.runs.readers.packages import BUNDLE, Added, found_in_packages, takes_packages
from kpinspector.runs.readers.reader import Format


def formats() -> Mapping[str, Format]:
    """The formats by their ids, in the order in which they are tried and listed.

    Formats of packages come last, if these were loaded before.
    """
    found = added() if added.cache_info().currsize else ()
    return {**_own(), **{one.form.id: one.form for one in found if one.form}}


def every_format() -> Mapping[str, Format]:
    """All formats, with those of packages, which this loads."""
    added()
    return formats()


@cache
def added() -> tuple[Added, ...]:
    """The formats that packages add; the packages are loaded on the first call."""
    return tuple(found_in_packages(_own()))


def notes() -> list[str]:
    """Sentences on packages whose formats cannot be used."""
    broken = [one.broken for one in added() if one.fault]
    return broken if takes_packages() else [BUNDLE]


@cache
def _own() -> dict[str, Format]:
    """Our formats; they are loaded on the first call, as reading a trace needs none."""
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    found = (getattr(module, "FORMAT", None) for module in modules)
    # agents with a folder of their own come first; formats with marks that others share come last
    ranked = sorted(filter(None, found), key=lambda one: (one.is_general, not one.where, one.id))
    return {one.id: one for one in ranked}


@dataclass(frozen=True, slots=True)
class Here:
    """The recordings of one agent on this computer.

    ``folders``: those with a recording, sorted. ``files``: the number of recordings.
    ``newest``: when the newest was written, in seconds since 1970, UTC.
    """

    form: Format
    folders: tuple[str, ...]
    files: int
    newest: float


def found_here(home: Path, check: Callable[[], None] = lambda: None) -> Iterator[Here]:
    """The recordings in the folders that the formats name, in their order; ``~`` is ``home``.

    ``check``: called before each file; what it raises ends the search.
    """
    for form in formats().values():
        if not form.where:
            continue
        folders, times = list[str](), list[float]()
        found = glob(form.where.removeprefix("~/"), root_dir=home)  # noqa: PTH207 - may be absolute
        for folder in sorted(map(home.joinpath, found)):
            before = len(times)
            for path in folder.rglob(form.files):
                check()
                with suppress(OSError):  # the file is gone by now, or access is denied
                    times += [path.stat().st_mtime] if path.is_file() else []
            folders += [str(folder)] if len(times) > before else []
        if times:
            yield Here(form, tuple(folders), len(times), max(times))
