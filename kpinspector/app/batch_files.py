"""The files that are made of all open traces together: the summary, and the plan."""

from collections.abc import Sequence
from pathlib import Path

from kpinspector.app.answers import ReportBasis
from kpinspector.app.batches import BatchPicture
from kpinspector.app.document import Document
from kpinspector.errors import KpError
from kpinspector.sharing.answer import leaking_traces
from kpinspector.sharing.measured import ways_of_measured
from kpinspector.trace.records import Problem
from kpinspector.words.batch import WholeSummary, plan_file
from kpinspector.words.say import say_all, say_count
from kpinspector.words.writers.explanation_html import HtmlPage
from kpinspector.words.writers.explanation_text import answer_text
from kpinspector.words.writers.json_answers import summary_json
from kpinspector.words.writers.pages import made_with

_MOST_NAMED = 3


def summary_file(
    path: Path, picture: BatchPicture, documents: Sequence[Document], basis: ReportBasis
) -> bytes:
    """The summary in the form that the suffix asks for, which is a page where it asks for none."""
    ways = (
        ways_of_measured(one.measured, one.assessment, None)
        for one in picture.documents
        if one.measured is not None and one.assessment is not None
    )
    summary = WholeSummary(picture.summary, picture.grouped, leaking_traces(ways))
    match path.suffix.casefold():
        case ".json":
            problems = sum(one.count for one in documents if isinstance(one.item, Problem))
            return summary_json(summary, basis.used, problems)
        case ".txt":
            return answer_text(summary.answer).encode()
    return HtmlPage.of_answer(summary.answer, made_with(basis.used, basis.model))


def planned_file(picture: BatchPicture) -> bytes:
    """The chosen traces in their order, one a line, as they stand in their files.

    Raises:
        KpError: a recording is among them whose outcome nobody stated, or a file was changed.
    """
    chosen = () if picture.plan is None else picture.plan.chosen
    documents = [picture.documents[one.candidate] for one in chosen]
    unstated = [
        picture.names[one.candidate]
        for one, document in zip(chosen, documents, strict=True)
        if document.run is not None and not document.run.imported.can_be_converted
    ]
    if unstated:
        raise KpError(
            say_count(
                "The plan was not written: of {names} it is not recorded how it ended,"
                " and nobody stated it.",
                "The plan was not written: of {number} runs it is not recorded how they ended,"
                " and nobody stated it: {names}.",
                len(unstated),
                names=say_all(unstated[:_MOST_NAMED]),
            )
        )
    return plan_file([one.record for one in documents if one.record is not None])
