"""The notes beside the figures: remarks, schema issues, and the facts of a problem."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from kpinspector.trace.clear import masked_in
from kpinspector.trace.schema import Issue, Severity, count_issues
from kpinspector.ui.controls.base import Label, in_column
from kpinspector.ui.look.theme import TextRole, sized
from kpinspector.ui.parts.sections import Divider, SectionTitle, WrappedLabel, clear_layout
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import shown_count
from kpinspector.words.problems import file_facts
from kpinspector.words.say import in_words, say, say_count, say_list
from kpinspector.words.terms import recorded_words

MOST_ISSUES = 20

_LABEL_WIDTH = 88


class Remarks(QWidget):
    """The remarks on a score, one sentence each."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = in_column(on=self, margins=(0, 0, 0, 2), spacing=2)
        self.setAccessibleName(say("Remarks"))

    def set_explanation(self, explanation: Explanation) -> None:
        """Show the remarks and how a recorded score compares, or nothing at all."""
        found = explanation.recorded
        recorded = () if found is None else (" ".join(recorded_words(found)),)
        self.set_sentences((*explanation.remarks, *recorded))

    def set_sentences(self, sentences: Sequence[str]) -> None:
        """Show these sentences; hide if there are none."""
        clear_layout(self._layout)
        for sentence in sentences:
            self._layout.addWidget(WrappedLabel(sentence, TextRole.CAPTION, second=True))
        self.setVisible(bool(sentences))
        self.setAccessibleDescription(" ".join(sentences))

    def height_for(self, width: int) -> int:
        """The height of all sentences, even before they are shown."""
        items = (self._layout.itemAt(number) for number in range(self._layout.count()))
        labels = (item.widget() for item in items if item is not None)
        lines = sum(
            label.heightForWidth(width) + self._layout.spacing()
            for label in labels
            if label is not None
        )
        return lines + self._layout.contentsMargins().bottom()


class Issues(QWidget):
    """The schema issues: place and message, errors first."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = in_column(on=self)
        self.setAccessibleName(say("Schema issues"))

    def set_explanation(self, explanation: Explanation) -> None:
        """List the issues, or nothing at all."""
        clear_layout(self._layout)
        issues = explanation.issues
        self.setVisible(bool(issues))
        if not issues:
            return
        self._layout.addWidget(Divider())
        self._layout.addWidget(SectionTitle(say("Schema"), self._counted(issues)))
        for issue in issues[:MOST_ISSUES]:
            place = masked_in(issue.path) or say("the record")
            self._layout.addSpacing(4)
            self._layout.addWidget(WrappedLabel(place, TextRole.FIXED))
            message = masked_in(in_words(issue.message))
            if issue.severity is Severity.WARNING:
                message = say("a warning only: {message}", message=message)
            self._layout.addWidget(WrappedLabel(message, TextRole.CAPTION, second=True))
        more = count_issues(issues) - MOST_ISSUES
        if more > 0:
            self._layout.addSpacing(4)
            rest = say("and {more} more, all of them in the report", more=shown_count(more))
            self._layout.addWidget(WrappedLabel(rest, TextRole.CAPTION, second=True))

    def _counted(self, issues: tuple[Issue, ...]) -> str:
        errors = count_issues(issue for issue in issues if issue.severity is Severity.ERROR)
        warnings = count_issues(issues) - errors
        parts = []
        if errors:
            parts.append(say_count("{number} issue", "{number} issues", errors))
        if warnings:
            parts.append(say_count("{number} warning", "{number} warnings", warnings))
        return say_list(parts)


class FactGrid(QWidget):
    """Facts with their labels at the left; hidden without facts."""

    def __init__(self, title: str = "") -> None:
        super().__init__()
        self._heading = title
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setHorizontalSpacing(12)
        self._layout.setVerticalSpacing(5)
        self._layout.setColumnStretch(1, 1)
        self.setAccessibleName(title)

    def set_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show these facts, in their order."""
        clear_layout(self._layout)
        self.setVisible(bool(facts))
        if facts and self._heading:
            self._layout.addWidget(Divider(), 0, 0, 1, 2)
            self._layout.addWidget(SectionTitle(self._heading), 1, 0, 1, 2)
        for number, (name, value) in enumerate(facts, start=2):
            label = Label(name, second=True)
            sized(label, QWidget.setMinimumWidth, _LABEL_WIDTH)
            self._layout.addWidget(label, number, 0, Qt.AlignmentFlag.AlignTop)
            self._layout.addWidget(WrappedLabel(value), number, 1, Qt.AlignmentFlag.AlignTop)


class FileFacts(FactGrid):
    """The facts of a file that holds no trace."""

    def __init__(self) -> None:
        super().__init__(say("In this file"))

    def set_explanation(self, explanation: Explanation) -> None:
        """Show what is known of a problem, a skipped unit or a report, or nothing at all."""
        self.set_facts(file_facts(explanation.item))
