"""What stands beside the figures: remarks, schema issues, and what is known of a problem."""

import sys
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from kpinspector.scoring.memory.mode import Mode
from kpinspector.scoring.report.read import FoundReport
from kpinspector.scoring.report.report import EmbedderState, UsedSettings
from kpinspector.trace.read import Problem, Skipped
from kpinspector.trace.schema import Issue, Severity, count_issues
from kpinspector.ui.controls.base import Label
from kpinspector.ui.look.theme import TextRole, sized
from kpinspector.ui.parts.sections import Divider, SectionTitle, WrappedLabel, clear_layout
from kpinspector.ui.score.answer import Answer
from kpinspector.words.figures import shown_count, shown_short
from kpinspector.words.say import say, say_count

if sys.version_info >= (3, 12):
    pass
else:
    pass

MOST_ISSUES = 20

_LABEL_WIDTH = 88
_DAY_MS = 86_400_000
_DIGITS = 12


class Remarks(QWidget):
    """What a reader should know beside the score, a sentence each."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 2)
        self._layout.setSpacing(2)
        self.setAccessibleName(say("Remarks"))

    def set_answer(self, answer: Answer) -> None:
        """Show the remarks, or nothing at all."""
        self.set_sentences(answer.remarks)

    def set_sentences(self, sentences: Sequence[str]) -> None:
        """Show these, or nothing at all."""
        clear_layout(self._layout)
        for sentence in sentences:
            self._layout.addWidget(WrappedLabel(sentence, TextRole.CAPTION, second=True))
        self.setVisible(bool(sentences))
        self.setAccessibleDescription(" ".join(sentences))

    def height_for(self, width: int) -> int:
        """What all sentences need, even before they are shown."""
        items = (self._layout.itemAt(number) for number in range(self._layout.count()))
        labels = (item.widget() for item in items if item is not None)
        lines = sum(
            label.heightForWidth(width) + self._layout.spacing()
            for label in labels
            if label is not None
        )
        return lines + self._layout.contentsMargins().bottom()


class Issues(QWidget):
    """What the registry's schema finds wrong: place and message, the errors first."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self.setAccessibleName(say("Schema issues"))

    def set_answer(self, answer: Answer) -> None:
        """List the issues, or nothing at all."""
        clear_layout(self._layout)
        issues = answer.issues
        self.setVisible(bool(issues))
        if not issues:
            return
        self._layout.addWidget(Divider())
        self._layout.addWidget(SectionTitle(say("Schema"), self._counted(issues)))
        for issue in issues[:MOST_ISSUES]:
            self._layout.addSpacing(4)
            self._layout.addWidget(WrappedLabel(issue.path or say("the record"), TextRole.FIXED))
            message = issue.message
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
        return ", ".join(parts)


class FactGrid(QWidget):
    """Labels left, what is known at their right; without facts nothing at all."""

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
        """Show these, in their order."""
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
    """What is known of a file that holds no trace."""

    def __init__(self) -> None:
        super().__init__(say("In this file"))

    def set_answer(self, answer: Answer) -> None:
        """Show what is known of a problem, a skipped unit or a report, or nothing at all."""
        self.set_facts(self._facts(answer.document.item))

    def _facts(self, item: object) -> list[tuple[str, str]]:
        match item:
            case Problem():
                facts = [
                    (say("File"), item.path),
                    (say("Record"), "" if item.record is None else shown_count(item.record)),
                    (say("Line"), self._place(item)),
                    (say("At"), item.json_path or ""),
                    (say("Expected"), item.expected or ""),
                    (say("Found"), item.found or ""),
                ]
            case Skipped():
                facts = [
                    (say("File"), item.path),
                    (say("Record"), "" if item.record is None else shown_count(item.record)),
                    (say("Type"), item.type or ""),
                    (say("Id"), item.id or ""),
                ]
            case FoundReport():
                facts = self._report_facts(item)
            case _:
                facts = []
        return [(name, value) for name, value in facts if value]

    def _report_facts(self, found: FoundReport) -> list[tuple[str, str]]:
        """Of what a report was made, with which settings, and what it leaves out."""
        report, used = found.report, found.report.settings
        record = found.source.record
        pending, skipped = report.pending, len(report.skipped)
        problems = len(report.problems) + report.more_problems
        beside = (
            pending and say("{number} pending", number=shown_count(pending)),
            problems and say("{number} with problems", number=shown_count(problems)),
            skipped and say("{number} skipped", number=shown_count(skipped)),
        )
        left_out = ", ".join(words for words in beside if words)
        return [
            (say("File"), found.source.path),
            (say("Record"), "" if record is None else shown_count(record)),
            (say("Threshold"), shown_short(used.threshold)),
            (say("Memory"), self._memory(used)),
            (say("Model"), self._model(report.embedder)),
            (say("Beside"), left_out),
        ]

    def _memory(self, used: UsedSettings) -> str:
        most = shown_count(used.max_elements)
        words = {
            Mode.REMEMBER: say("the newest {number} remembered", number=most),
            Mode.GUEST: say("the newest {number} remembered, nothing added", number=most),
            Mode.FRESH: say("empty at first, the newest {number} kept", number=most),
        }[used.mode]
        if used.ttl_ms is None:
            return words
        days = shown_short(used.ttl_ms / _DAY_MS)
        return say("{words}, at most {days} days old", words=words, days=days)

    def _model(self, embedder: EmbedderState) -> str:
        if embedder.sha256 is None:
            return say("{model} was missing: novelty is assumed 0.5", model=embedder.model)
        return say(
            "{model}, sha256 {sha256}…", model=embedder.model, sha256=embedder.sha256[:_DIGITS]
        )

    def _place(self, problem: Problem) -> str:
        if problem.line is None:
            return ""
        line = shown_count(problem.line)
        if problem.column is None:
            return line
        return say("{line}, column {column}", line=line, column=shown_count(problem.column))
