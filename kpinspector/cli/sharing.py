"""``kpinspector sharing``: shows what would leave the machine."""

import argparse
from collections.abc import Iterator

from kpinspector.cli.measuring import Scorer, answer, reading
from kpinspector.cli.reading import Gathered
from kpinspector.cli.streams import tell
from kpinspector.errors import ExitStatus
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.written import report_json
from kpinspector.sharing.answer import (
    Ways,
    cleaned_novelty,
    sharing_values,
    ways_of,
    ways_of_measured,
    with_cleaned_novelty,
)
from kpinspector.sharing.posting import Way, number_of_unscored
from kpinspector.trace.records import TextRecord, UnreadRecord, UnscoredRecord, name_of
from kpinspector.words.problems import located
from kpinspector.words.say import say
from kpinspector.words.sharing import sharing_answer
from kpinspector.words.writers.explanation_text import answer_text


def sharing(arguments: argparse.Namespace) -> ExitStatus:
    """Print what would be posted of each trace, and return the exit status; store nothing."""
    way = Way(arguments.way)
    with reading(arguments, arguments.output, guest=True) as (gathered, scorer):
        found = list(_ways_of_all(gathered, scorer, arguments.level))
    unlike = (UnscoredRecord, UnreadRecord)
    problems = [one for one in gathered.problems if not isinstance(one, unlike)]
    shared = [(record, ways.by(way)) for record, ways in found]

    def text(width: int) -> str:
        for problem in problems:
            tell(located(problem))
        answers = (
            sharing_answer(name_of(one.source.path, one.source.record), ways, way)
            for one, ways in found
        )
        return "\n".join(answer_text(one, width) for one in answers)

    bodies = (one.posting.body for _, one in shared)
    answer(
        arguments,
        lambda: report_json(sharing_values(shared, way, scorer.terms.threshold, problems)),
        text,
        (arguments.output, lambda: "".join(f"{one}\n" for one in bodies if one).encode()),
    )
    if arguments.output:
        tell(say("The bodies are written as they would be posted: nothing in them is masked."))
    if not shared:
        tell(say("No trace was found."))
    if problems or not shared:
        return ExitStatus.PROBLEM
    clear = any(one.in_clear for _, one in shared)
    return ExitStatus.REJECTED if clear else ExitStatus.OK


def _ways_of_all(
    gathered: Gathered, scorer: Scorer, level: str | None
) -> Iterator[tuple[TextRecord | UnreadRecord, Ways]]:
    seen: dict[int, Ways] = {}

    def see(measured: Measured) -> None:
        """Compute the ways of a trace while no later one is in the memory."""
        judged = scorer.assess(measured)
        ways = ways_of_measured(measured, judged, level)
        novelty = cleaned_novelty(ways, measured, scorer.embedder, scorer.memory)
        if novelty is not None:
            ways = with_cleaned_novelty(ways, measured, judged, novelty)
        seen[id(measured.record)] = ways

    scorer.measure(gathered.texts, see)
    for one in gathered.objects:
        score = number_of_unscored(one.trace) if isinstance(one, UnscoredRecord) else None
        yield one, seen.get(id(one)) or ways_of(one, score, scorer.terms.threshold, level)
