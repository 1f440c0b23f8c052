"""What one row of the tree shows of a step, in words and figures."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from kpinspector.trace.model import JsonValue, Step
from kpinspector.trace.tree import Mark
from kpinspector.ui.plain_text import brief_value, one_line

_LARGE = 1e9  # milliseconds; eleven days


class RowKind(StrEnum):
    """What a row of the tree stands for."""

    OBJECTIVE = "objective"
    STEP = "step"
    WINDOW_END = "window_end"


@dataclass(frozen=True, slots=True)
class StepRow:
    """What one row shows.

    Attributes:
        seen: Novelty sees this row, or its beginning.
        tool: The tool's name in one line, "" without one.
        text: The content's first line, else the input's fields.
        is_input: ``text`` is the input.
    """

    kind: RowKind
    step: Step | None
    seen: bool
    text: str
    tool: str = ""
    is_input: bool = False
    ms: str = ""
    marks: tuple[Mark, ...] = ()


def make_row(step: Step, marks: Collection[Mark], *, seen: bool) -> StepRow:
    """All that is shown of a step: the content's first line, else its input."""
    text = one_line(step.content)
    shows_input = not text and "input" in step.raw
    return StepRow(
        kind=RowKind.STEP,
        step=step,
        seen=seen,
        tool=one_line(step.tool_name or "", 80),
        text=brief_value(step.raw["input"]) if shows_input else text,
        is_input=shows_input,
        ms=milliseconds(step.raw.get("latency_ms")),
        marks=tuple(mark for mark in Mark if mark in marks),
    )


def milliseconds(value: JsonValue) -> str:
    """Whole milliseconds with commas; what is no number is not shown as one."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return ""
    try:
        number = float(value)
    except OverflowError:  # an integer beyond the largest double
        return ""
    if abs(number) >= _LARGE:
        return f"{number:.3g}"
    return f"{number:,.0f}".replace("-", "\N{MINUS SIGN}")
