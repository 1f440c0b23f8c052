"""What one row of a comparison shows of two steps, in words."""

from dataclasses import dataclass

from PySide6.QtCore import QObject

from kpinspector.trace.align import Likeness, StepPair, StepText
from kpinspector.trace.passages import Passage, Span
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.plain_text import flat_text, one_line
from kpinspector.ui.steps.step_delegate import ICONS
from kpinspector.words.step_words import kind_word

SIGNS = {
    Likeness.SAME: "=",
    Likeness.CHANGED: "\N{NOT EQUAL TO}",
    Likeness.ONLY_LEFT: "\N{MINUS SIGN}",
    Likeness.ONLY_RIGHT: "+",
}

_LONGEST_TOOL = 80
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class CompareCell:
    """One side of a row.

    Attributes:
        number: Of the step; "" for the objective.
        tool: In one line, "" without one.
        tool_changed: The other side has another tool.
        text: In one line, from shortly before the first difference on.
        marks: The words that the other side does not have.
    """

    number: str
    icon: IconName
    kind: str
    tool: str
    tool_changed: bool
    text: str
    marks: tuple[Span, ...]

    @property
    def title(self) -> str:
        """Kind, tool and number."""
        return " ".join(part for part in (self.kind, self.tool, self.number) if part)


@dataclass(frozen=True, slots=True)
class CompareRow:
    """Both sides, of which one may be missing."""

    likeness: Likeness
    left: CompareCell | None
    right: CompareCell | None


def make_row(pair: StepPair, context: QObject) -> CompareRow:
    """All that is shown of two steps; ``context`` translates."""
    left, right = pair.sides
    other_tool = left is not None and right is not None and left.tool != right.tool
    found = pair.passages()
    return CompareRow(
        pair.likeness,
        _cell(left, found[0], context, tool_changed=other_tool),
        _cell(right, found[1], context, tool_changed=other_tool),
    )


def spoken_row(row: CompareRow, names: tuple[str, str], context: QObject) -> str:
    """A row in one sentence, for those who do not see it."""
    left, right = row.left, row.right
    match row.likeness:
        case Likeness.SAME if left and right:
            title = left.title
            if right.number:
                title = context.tr("{0} and {1}").format(title, right.number)
            return context.tr("the same: {0}. {1}").format(title, left.text)
        case Likeness.CHANGED if left and right:
            words = context.tr("changed: {0} in {1}: {2}; {3} in {4}: {5}")
            return words.format(left.title, names[0], left.text, right.title, names[1], right.text)
        case Likeness.ONLY_LEFT if left:
            return context.tr("only in {0}: {1}. {2}").format(names[0], left.title, left.text)
        case _ if right:
            return context.tr("only in {0}: {1}. {2}").format(names[1], right.title, right.text)
    raise AssertionError("a row has a side")


def _cell(
    text: StepText | None, found: Passage | None, context: QObject, *, tool_changed: bool
) -> CompareCell | None:
    if text is None or found is None:
        return None
    shown, marks = flat_text(found.text, found.changed)
    if found.starts_late:
        before = f"{_ELLIPSIS} "
        marks = tuple((start + len(before), end + len(before)) for start, end in marks)
        shown = before + shown
    step = text.step
    if step is None:
        icon, kind, number, tool = IconName.OBJECTIVE, context.tr("Objective"), "", ""
    else:
        icon = ICONS[step.kind] if step.kind else IconName.FILE
        kind, number = kind_word(step.kind), str(step.index)
        tool = one_line(step.tool_name or "", _LONGEST_TOOL)
    return CompareCell(
        number,
        icon,
        kind,
        tool,
        tool_changed,
        shown + (_ELLIPSIS if found.ends_early else ""),
        marks,
    )
