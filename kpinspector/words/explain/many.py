"""What stands before several explanations: the summary of all, and an index."""

from collections.abc import Sequence
from dataclasses import dataclass

from kpinspector.scoring.findings import shown_key
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.formula.gates import main_cause
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.trace.clear import masked_in
from kpinspector.trace.records import Skipped, name_of
from kpinspector.words.explain.blocks import Cell, Column, Mention, Paragraph, Section, Sign, Table
from kpinspector.words.explain.explanation import Explanation
from kpinspector.words.figures import shown_count
from kpinspector.words.problem_words import named_and_counted
from kpinspector.words.reach_words import REACH_WORDS, cause_name
from kpinspector.words.say import in_words, say
from kpinspector.words.sentences import Run


@dataclass(frozen=True, slots=True)
class Front:
    """What a page of several explanations begins with.

    Attributes:
        title: What all of them come to.
        sections: The summary.
        traces: Key and name of each that follows, in order; no key where there is no score.
    """

    title: str
    sections: tuple[Section, ...]
    traces: tuple[Mention, ...]


def mention_of(measured: Measured) -> Mention:
    """A trace as its explanation calls it."""
    source = measured.record.source
    return Mention(name_of(source.path, source.record), shown_key(measured.place.key))


def index_section(rows: Sequence[tuple[Cell, ...]]) -> Section:
    """The index, of the rows of all that follow."""
    columns = (
        Column(say("trace")),
        Column(say("verdict")),
        Column(say("score"), figure=True),
        Column(say("reach")),
        Column(say("cause")),
    )
    return Section(say("Index"), (Table(columns, tuple(rows)),), shown_count(len(rows)))


def index_row(number: int, one: Explanation) -> tuple[Cell, ...]:
    """What the index says of the explanation with this number."""
    reach = "" if one.reach is None or _passes(one) else REACH_WORDS[one.reach.kind]
    return (
        Cell(one.name, mention=Mention(one.name, number)),
        Cell(one.word.lower(), sign=one.sign),
        one.score,
        Cell(reach),
        Cell(_cause(one)),
    )


def _passes(one: Explanation) -> bool:
    return one.reach is not None and one.reach.kind is ReachKind.ACCEPTED


def _cause(one: Explanation) -> str:
    """What a rejection is put down to first."""
    judged = one.assessment if one.possible is None else one.possible.high
    if judged is None or one.verdict is not Verdict.REJECTED:
        return ""
    return cause_name(main_cause(judged))


def skipped_section(skipped: Sequence[Skipped]) -> Section:
    """What was passed over, and why."""
    named, files = named_and_counted(skipped)
    rows = tuple(
        (
            Cell(name_of(one.path, one.record), sign=Sign.SKIPPED),
            Cell(masked_in(in_words(one.reason))),
        )
        for one in named
    )
    listed = Table((Column(), Column()), rows)
    blocks = (listed, Paragraph((Run(files),))) if files else (listed,)
    return Section(say("Skipped"), blocks, shown_count(len(skipped)))
