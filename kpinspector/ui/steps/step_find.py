"""Where a text stands in the steps, looked for a little at a time so that the window goes on."""

from collections.abc import Iterator, Sequence
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal

from kpinspector.trace.model import JsonValue, ReasoningTrace, Step, whole_characters

OBJECTIVE = -1  # stands for the objective among the numbers of steps

_SLICE_S = 0.006
_TELL_S = 0.1  # whoever hears of it paints all that is in sight
_PIECE = 2**17  # characters that are looked through without a pause
_OVERLAP = 2**9  # more than the longest text that can be looked for


class StepFinder(QObject):
    """Looks for a text in content, tool, input and output, all of each, case aside."""

    progressed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._trace: ReasoningTrace | None = None
        self._texts: dict[int, tuple[str, ...]] = {}
        self._needle = ""
        self._hits: list[int] = []
        self._search: Iterator[None] | None = None
        self._told: tuple[float, bool] = (0.0, False)  # when, and whether there was a hit
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_slice_due)

    @property
    def needle(self) -> str:
        """What is looked for, case aside; "" for nothing."""
        return self._needle

    @property
    def hits(self) -> Sequence[int]:
        """The numbers of the steps with the text that are known by now, in order."""
        return self._hits

    @property
    def done(self) -> bool:
        """All that there is was looked through."""
        return self._search is None

    def set_trace(self, trace: ReasoningTrace | None) -> None:
        """Look in another trace, for nothing yet."""
        self._trace, self._texts = trace, {}
        self._begin("", ())

    def find(self, text: str) -> None:
        """Look for a text; what is found is told in groups."""
        needle = text.strip()[: _OVERLAP // 2].casefold()
        if needle == self._needle:
            return
        narrower = self.done and self._needle and self._needle in needle
        steps = len(self._trace.steps) if self._trace else OBJECTIVE
        self._begin(needle, list(self._hits) if narrower else range(OBJECTIVE, steps))

    def _begin(self, needle: str, numbers: Sequence[int]) -> None:
        self._needle, self._hits = needle, []
        self._told = (0.0, False)
        self._search = self._looking(needle, numbers) if needle else None
        if self._search is None:
            self._timer.stop()
            self.progressed.emit()
        else:
            self._on_slice_due()

    def _on_slice_due(self) -> None:
        end = perf_counter() + _SLICE_S
        while self._search is not None and perf_counter() < end:
            try:
                next(self._search)
            except StopIteration:
                self._search = None
        if self._search is None:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()
        when, hit = self._told
        now, has_hit = perf_counter(), bool(self._hits)
        if self._search is None or has_hit != hit or now - when >= _TELL_S:
            self._told = (now, has_hit)
            self.progressed.emit()

    def _looking(self, needle: str, numbers: Sequence[int]) -> Iterator[None]:
        for number in numbers:
            if number not in self._texts:
                yield from self._read(number)
            found = False
            for text in self._texts[number]:
                found = found or needle in text
                yield
            if found:
                self._hits.append(number)

    def _read(self, number: int) -> Iterator[None]:
        """Keep a step's texts, case aside."""
        texts = []
        for piece in self._pieces(number):
            texts.append(piece.casefold())
            yield
        self._texts[number] = tuple(texts)

    def _pieces(self, number: int) -> Iterator[str]:
        if self._trace is None:
            return
        step = None if number == OBJECTIVE else self._trace.steps[number]
        whole = searched_text(step) if step is not None else self._trace.objective
        for start in range(0, max(1, len(whole)), _PIECE):
            yield whole[start : start + _PIECE + _OVERLAP]


def searched_text(step: Step) -> str:
    """All of a step that is looked through."""
    parts = [step.content, step.tool_name or ""]
    for name in ("input", "output_summary"):
        parts += _texts_in(step.raw.get(name))
    return whole_characters("\n".join(parts))


def _texts_in(value: JsonValue) -> Iterator[str]:
    """The texts within a value, names included."""
    match value:
        case str():
            yield value
        case dict():
            for name, member in value.items():
                yield name
                yield from _texts_in(member)
        case list():
            for member in value:
                yield from _texts_in(member)
        case None | bool():
            return
        case _:
            yield str(value)
