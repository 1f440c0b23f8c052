"""Two traces side by side as plain text, for a terminal and for the clipboard."""

from collections import Counter
from collections.abc import Callable, Iterator

from kpinspector.phrase import Phrase
from kpinspector.trace.align import Alignment, Likeness, Passage, StepPair, StepText
from kpinspector.trace.clear import masked_in
from kpinspector.trace.printable import on_one_line
from kpinspector.words.comparison import Differences, Side, SideBySide
from kpinspector.words.figures import shown_count, shown_number
from kpinspector.words.say import Names, say, say_list
from kpinspector.words.sentences import DIMENSION_WORDS, RULE_WORDS, kind_word, verdict_phrase
from kpinspector.words.writers.columns import aligned, cut, display_width, fitted, wrapped

LIKENESS_WORDS = Names(
    {
        Likeness.SAME: Phrase("the same"),
        Likeness.CHANGED: Phrase("changed"),
        Likeness.ONLY_LEFT: Phrase("only on the left"),
        Likeness.ONLY_RIGHT: Phrase("only on the right"),
    }
)
_SIGNS = {
    Likeness.SAME: "=",
    Likeness.CHANGED: "!",
    Likeness.ONLY_LEFT: "-",
    Likeness.ONLY_RIGHT: "+",
}
_LONGEST_LINE = 160
_FIGURES = range(1, 6)


def comparison_text(
    comparison: SideBySide, check: Callable[[], None] = lambda: None, width: int | None = None
) -> str:
    """Scores, dimensions, then every step with its changed words; ends in a line feed.

    Words that only the left text has stand in ``[-`` and ``-]``, those of the right in ``{+`` and
    ``+}``. ``check`` is called for each step and may raise to stop. Names and texts are cut where
    they would take more than ``width``.
    """
    lines = [*_sides(comparison, width), ""]
    if (found := comparison.differences) is not None:
        lines += [*_table(found, width), ""]
    for note in (*notes_on(comparison), f"{counts_phrase(comparison.alignment)}."):
        lines += wrapped(on_one_line(note), width)
    lines.append("")
    for pair in comparison.alignment.pairs:
        check()
        lines += _pair(pair) if width is None else (cut(line, width) for line in _pair(pair))
    return "\n".join(lines) + "\n"


def notes_on(comparison: SideBySide) -> Iterator[str]:
    """What is to be said beside the figures, one sentence each."""
    left, right = comparison.left, comparison.right
    if comparison.similarity is not None:
        yield say(
            "The texts are {similarity} similar, as novelty reads them.",
            similarity=shown_number(comparison.similarity),
        )
    names = [one.assessment.profile.name for one in (left, right) if one.assessment]
    if len(set(names)) > 1:
        yield say(
            "{left} is judged as {profile}, {right} as {other}.",
            left=left.name,
            profile=names[0],
            right=right.name,
            other=names[1],
        )
    yield from comparison.remarks
    if not comparison.alignment.weighed:
        yield say(
            "Some steps are paired by type and tool alone: there are too many to weigh them all."
        )


def counts_phrase(alignment: Alignment) -> str:
    """The number of rows of each likeness."""
    counts = Counter(pair.likeness for pair in alignment.pairs)
    parts = (f"{shown_count(counts[one])} {LIKENESS_WORDS[one]}" for one in Likeness if counts[one])
    return say("Objective and steps: {counts}", counts=say_list(parts))


def step_title(text: StepText) -> str:
    """The title of a row: the kind of step and its tool."""
    if text.step is None:
        return say("Objective")
    tool = masked_in(text.step.tool_name or "")
    return f"{kind_word(text.step.kind)} {tool}" if tool else kind_word(text.step.kind)


def _sides(comparison: SideBySide, width: int | None) -> Iterator[str]:
    for word, side in ((say("left"), comparison.left), (say("right"), comparison.right)):
        begin, name = f"{word:5}  {_score(side)}  ", on_one_line(side.name)
        if width is not None:
            name = cut(name, width - len(begin), keep_end=True)
        yield begin + name


def _score(side: Side) -> str:
    if side.assessment is None:
        return say("not scored yet")
    return verdict_phrase(side.verdict, assumed=side.assumed, running=side.running)


def _table(found: Differences, width: int | None) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [
        ("", say("left"), say("adds"), say("right"), say("adds"), say("difference"))
    ]
    rows += [
        (
            DIMENSION_WORDS[term.dimension],
            term.left.value,
            term.left.adds,
            term.right.value,
            term.right.adds,
            term.shown,
        )
        for term in found.terms
    ]
    rows += [
        (RULE_WORDS[one.rule], "", one.left, "", one.right, one.shown) for one in found.overrides
    ]
    rows.append((say("score"), "", found.left.score, "", found.right.score, found.shown))
    if width is not None and max(map(display_width, aligned(rows, _FIGURES))) > width:
        # what adds up stays: the values of the dimensions stand in `explain`
        rows = [(name, left, right, shown) for name, _, left, _, right, shown in rows]
        rows[0] = ("", say("left"), say("right"), say("difference"))
    return fitted(rows, width, _FIGURES)


def _pair(pair: StepPair) -> Iterator[str]:
    """One line for a row, and below it the texts of both sides where they differ."""
    sign = _SIGNS[pair.likeness]
    places = " ".join(_place(one) for one in pair.sides)
    titles = dict.fromkeys(on_one_line(step_title(one)) for one in pair.sides if one is not None)
    yield f"{sign} {places}  {' / '.join(titles)}".rstrip()
    if pair.likeness is Likeness.SAME:
        return
    for found, marks in zip(pair.passages(masked_in), (("[-", "-]"), ("{+", "+}")), strict=True):
        if found is not None and found.text.strip():
            yield f"  {_marked(found, marks)}"


def _place(text: StepText | None) -> str:
    return f"{'' if text is None or text.step is None else text.step.index:>4}"


def _marked(found: Passage, marks: tuple[str, str]) -> str:
    """One line with the changed words between marks."""
    before, after = marks
    text, parts, end = found.text[:_LONGEST_LINE], [], 0
    for start, stop in found.changed:
        if start < len(text):
            parts += [text[end:start], before, text[start:stop], after]
            end = stop
    parts.append(text[end:])
    early = found.ends_early or len(text) < len(found.text)
    return f"{'... ' * found.starts_late}{on_one_line(''.join(parts))}{'...' * early}"
