"""The formats that are read, a module for each, those that packages add, and where files are."""

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

    Those of packages come last, once these were asked for.
    """
    found = added() if added.cache_info().currsize else ()
    return {**_own(), **{one.form.id: one.form for one in found if one.form}}


def every_format() -> Mapping[str, Format]:
    """The formats with those of packages, which are loaded for it."""
    added()
    return formats()


@cache
def added() -> tuple[Added, ...]:
    """What packages add; they are loaded when it is first asked for."""
    return tuple(found_in_packages(_own()))


def notes() -> list[str]:
    """What keeps packages from adding their formats."""
    broken = [one.broken for one in added() if one.fault]
    return broken if takes_packages() else [BUNDLE]


@cache
def _own() -> dict[str, Format]:
    """Our formats; they are loaded when they are first asked for, as a trace needs none."""
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    found = (getattr(module, "FORMAT", None) for module in modules)
    # agents that keep their files come first, formats that others are of as well come last
    ranked = sorted(filter(None, found), key=lambda one: (one.is_general, not one.where, one.id))
    return {one.id: one for one in ranked}


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
        folders, times = list[str](), list[float]()
        found = glob(form.where.removeprefix("~/"), root_dir=home)  # noqa: PTH207 - may be absolute
        for folder in sorted(map(home.joinpath, found)):
            before = len(times)
            for path in folder.rglob(form.files):
                check()
                with suppress(OSError):  # one that is gone meanwhile, or may not be asked
                    times += [path.stat().st_mtime] if path.is_file() else []
            folders += [str(folder)] if len(times) > before else []
        if times:
            yield Here(form, tuple(folders), len(times), max(times))
