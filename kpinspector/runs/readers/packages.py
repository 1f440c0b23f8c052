"""Formats that installed packages add, by entry points of the group ``kpinspector.readers``."""

import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.reader import Format, Reader
from kpinspector.runs.rules import mapped
from kpinspector.runs.run import Chunk, Record, Recording
from kpinspector.trace.printable import on_one_line, shortened

GROUP: Final = "kpinspector.readers"
BUNDLE: Final = Phrase("These are all: this program is a bundle, which takes no packages.")
_LONGEST: Final = 200


@dataclass(slots=True)
class Added:
    """The format that an entry point adds; ``package``: the package's name and version.

    ``form``: None if it cannot be used. ``fault``: what is wrong with it; "" for nothing so far.
    """

    name: str
    package: str
    form: Format | None = None
    fault: str = ""

    @property
    def broken(self) -> str:
        """A sentence saying that the format is broken, and why."""
        return Phrase(
            "the reader {name} of the package {package} is broken: {fault}",
            name=self.name,
            package=self.package,
            fault=self.fault,
        )


def takes_packages() -> bool:
    """Whether packages can be installed beside the program, which a bundle does not allow."""
    return not getattr(sys, "frozen", False)


def found_in_packages(taken: Collection[str]) -> Iterator[Added]:
    """The formats that packages add; a format whose id is taken is not used."""
    ids = {*taken}
    entries = entry_points(group=GROUP) if takes_packages() else ()
    for entry in sorted(entries, key=lambda one: one.name):
        found = _loaded(entry)
        form = found.form
        if form and form.id in ids:
            found.form, found.fault = None, Phrase("its id {id} is taken", id=form.id)
        ids.add(form.id if form else "")
        yield found


def _loaded(entry: EntryPoint) -> Added:
    package = entry.dist and f"{entry.dist.name} {entry.dist.version}"
    made = Added(entry.name, package or entry.module)
    form, made.fault = _attempted(entry.load)
    if not isinstance(form, Format):
        made.fault = made.fault or Phrase("it is no Format")
        return made
    _, made.fault = _attempted(lambda: form.id + form.where + form.about)
    if not made.fault:
        lacks, reader = partial(_lacks, made, form.lacks), partial(_Guarded, made, form.reader)
        made.form = replace(form, lacks=lacks, reader=reader, package=made.package)
    return made


def _attempted(call: Callable[..., Any], *given: Any) -> tuple[Any, str]:
    """The result of foreign code and "", or None and how it failed."""
    try:
        return call(*given), ""
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a package's bug is told
        return None, shortened(on_one_line(f"{type(error).__name__}: {error}"), _LONGEST)


def _lacks(made: Added, lacks: Callable[..., Any], head: Any) -> str | None:
    found, fault = _attempted(lacks, head)
    made.fault = made.fault or fault
    return found if isinstance(found, str) else None


class _Guarded(Reader):
    """A package's reader; its first fault becomes a problem at its place, and ends the reading."""

    def __init__(self, made: Added, reader: Callable[[], Reader]) -> None:
        super().__init__()
        self._made, self._at = made, Chunk(1, 0, 0)
        self._reader, self._fault = _attempted(reader)

    @override
    def take(self, record: Record) -> None:
        if not self._fault:
            self._at = record.chunk
            self._asked(lambda: self._reader.take(record))

    @override
    def recording(self) -> Recording:
        found = self._asked(self._mappable) or Recording(runs=())
        if not self._fault:
            return found
        told = self._at, replace(self._made, fault=self._fault).broken
        return replace(found, refused=(*found.refused, told))

    def _mappable(self) -> Recording:
        """The recording; raises unless the rules can make a trace of each of its runs."""
        recording: Recording = self._reader.recording()
        for run in recording.runs:
            mapped("", run, "")
        return recording

    def _asked(self, call: Callable[[], Any]) -> Any:
        found, fault = _attempted(call)
        self._fault = self._fault or fault
        return found
