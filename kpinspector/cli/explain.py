"""``kpinspector explain``: why each trace scores what it scores."""

import argparse
from collections.abc import Iterable, Sequence

from kpinspector.cli.measuring import Scorer, exit_status, open_scorer
from kpinspector.cli.options import choice_of
from kpinspector.cli.reading import Gathered, asked_of, gather
from kpinspector.cli.streams import (
    STDOUT,
    checked_files,
    print_out,
    tell,
    terminal_width,
    write_output,
)
from kpinspector.errors import ModelError
from kpinspector.files import keep_sources
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.novelty.on_request import Further, WholeNovelty, look_today
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.novelty.whole_text import WholeTexts
from kpinspector.scoring.report.compose import make_report
from kpinspector.scoring.report.report import report_json
from kpinspector.words.explain.explanation import Explanation, explain, explain_unscored
from kpinspector.words.writers.explanation_html import explanations_html
from kpinspector.words.writers.explanation_markdown import explanations_markdown
from kpinspector.words.writers.explanation_report import (
    ExplanationReport,
    explanation_entry,
)
from kpinspector.words.writers.explanation_text import explanation_text
from kpinspector.words.writers.made_with import made_with


def run(arguments: argparse.Namespace) -> int:
    """Score, print and write the explanations, and return the exit status."""
    choice = choice_of(arguments)
    outputs = [one for one in (arguments.markdown, arguments.html) if one]
    files = checked_files(outputs, choice.folder, printed=arguments.json)
    gathered = gather(arguments.paths, asked=asked_of(arguments))
    keep_sources(files, gathered.sources)
    with open_scorer(choice) as scorer:
        measured = scorer.measure(gathered.texts)
        look = _Looker(scorer, measured, arguments)
        scored = [explain(one, scorer.assess(one), further=look.further(one)) for one in measured]
        last = made_with(scorer.used, scorer.model)
        as_json = _json(scorer, measured, scored, gathered) if arguments.json else b""
    problems = map(explain_unscored, (*gathered.problems, *gathered.more_problems))
    explanations = (*scored, *problems, *map(explain_unscored, gathered.skipped))
    width = terminal_width()
    if arguments.json or STDOUT not in outputs:
        print_out(as_json or "\n".join(explanation_text(one, width) for one in explanations))
    if arguments.markdown:
        write_output(arguments.markdown, explanations_markdown(explanations, last).encode())
    if arguments.html:
        write_output(arguments.html, explanations_html(explanations, last).encode())
    verdicts = {Verdict(one.sign) for one in scored}
    return exit_status(verdicts, gathered.problems, scorer.memory)


class _Looker:
    """Looks up what the options want beside the scores."""

    def __init__(
        self, scorer: Scorer, at_hand: Sequence[Measured], arguments: argparse.Namespace
    ) -> None:
        self._tools = scorer.embedder, scorer.memory
        self._at_hand = [one for one in at_hand if not one.measurement.novelty.assumed]
        self._today, self._whole = arguments.today, arguments.whole
        self._texts = WholeTexts()

    def further(self, measured: Measured) -> Further:
        """What was looked up for one trace; nothing where there is no model."""
        if measured.measurement.novelty.assumed:
            return Further()
        try:
            return Further(
                today=look_today(measured, *self._tools) if self._today else None,
                whole=self._compared(measured) if self._whole else None,
            )
        except ModelError as error:
            tell(error.message)
            return Further()

    def _compared(self, measured: Measured) -> WholeNovelty | None:
        for text, finding in self._texts.compare(measured, self._at_hand, lambda: self._tools):
            if finding is not None:
                return WholeNovelty(text, finding)
        return None


def _json(
    scorer: Scorer,
    measured: Sequence[Measured],
    scored: Iterable[Explanation],
    gathered: Gathered,
) -> bytes:
    results = gathered.results(measured)
    report = make_report(results, scorer.used, scorer.model, scorer.choice.profile)
    entries = tuple(map(explanation_entry, scored))
    return report_json(ExplanationReport(report=report, explanations=entries))
