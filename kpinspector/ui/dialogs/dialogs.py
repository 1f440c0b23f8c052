"""All dialogs of the window, none in a nested event loop; and the dialog for outcomes."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

from PySide6.QtCore import QDir, QObject, Qt
from PySide6.QtGui import QAction, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QMessageBox,
    QSpacerItem,
    QWidget,
)

from kpinspector.app.engine import TAKEN_BACK, Said, Statement
from kpinspector.app.session import Session
from kpinspector.runs.read import RunRecord
from kpinspector.runs.rules import RunOutcome, SuccessScore
from kpinspector.runs.stated import NOTHING_STATED, Stated
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.ui.actions.table import Command
from kpinspector.ui.controls.base import Label, PushButton, in_row
from kpinspector.ui.controls.fields import ComboBox, TextField, mark_wrong
from kpinspector.ui.dialogs.help import AboutDialog, HelpWindow, KeysDialog, page_of
from kpinspector.ui.dialogs.memory_dialog import MemoryDialog
from kpinspector.ui.dialogs.settings_dialog import SettingsDialog
from kpinspector.ui.look.theme import TextRole, scale
from kpinspector.ui.parts.sections import PADDING, RING_ROOM, Rows, SectionDialog
from kpinspector.words.figures import shown_count, shown_short
from kpinspector.words.recordings import score_phrase, shown_name
from kpinspector.words.say import say, say_count

_DIFFERENT: Final = "different"
_MOST_SCORES: Final = 100
_Dialog = TypeVar("_Dialog", bound=QDialog)


def confidence_of(text: str) -> float | None:
    """A typed confidence from 0 to 1; None for an empty text.

    Raises:
        ValueError: the text is no such number.
    """
    if not text.strip():
        return None
    value = float(text)
    if not 0.0 <= value <= 1.0:
        raise ValueError("a confidence lies between 0 and 1")
    return value


class OutcomeDialog(SectionDialog):
    """Makes one statement about several runs; fields that are not touched state nothing."""

    def __init__(
        self,
        runs: Sequence[RunRecord],
        name: str,
        parent: QWidget,
        state: Callable[[Statement], object],
    ) -> None:
        super().__init__(parent)
        self._state = state
        self.setWindowTitle(say("Set Outcome"))
        self._runs = runs
        said = [run.imported.stated for run in runs]
        self.success = ComboBox(say("Success"))
        self.confidence = TextField(say("Confidence"))
        self.domain = ComboBox(say("Domain"))
        self.score = ComboBox(say("Score"))
        for answer, word in ((None, say("Not stated")), (True, say("Yes")), (False, say("No"))):
            self.success.addItem(word, answer)
        _choose(self.success, {one.outcome.success for one in said})
        known = {one.outcome.confidence for one in said}
        if len(known) > 1:
            self.confidence.setPlaceholderText(say("different"))
        elif (confidence := known.pop()) is not None:
            self.confidence.setText(shown_short(confidence))
        self._fill_domains({one.domain for one in said})
        self._fill_scores({one.success_score for one in said})
        self._before = self._said()
        note = _hint(
            say(
                "Kept beside the memory, never written into a recording, and told as stated by you."
            )
        )
        note.setWordWrap(True)
        self.add_section(name, (self._made_rows(), note))
        self._add_buttons(can_take_back=any(one != NOTHING_STATED for one in said))
        self.confidence.textChanged.connect(self._on_confidence_changed)
        self.success.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill_domains(self, chosen: set[str | None]) -> None:
        """Offer the profiles' domains, and other domains that were stated."""
        recorded = {run.imported.run.domain for run in self._runs}
        words = say("As recorded")
        if len(recorded) == 1:
            (domain,) = recorded
            shown = shown_name(domain) if domain else say("none")
            words = say("As recorded: {domain}", domain=shown)
        self.domain.addItem(words, None)
        names = [one.name for one in PROFILES]
        for name in (*names, *sorted(filter(None, chosen - {*names}))):
            self.domain.addItem(shown_name(name), name)
        _choose(self.domain, chosen)

    def _fill_scores(self, mapped: set[SuccessScore | None]) -> None:
        """Offer each value of each score that the runs recorded, with the number of these runs."""
        found = Counter(score for run in self._runs for score in run.imported.run.scores.items())
        pairs = sorted(dict(found.most_common(_MOST_SCORES)))
        self.score.addItem(say("Says nothing of success"), None)
        for name, value in pairs:
            about = say_count(
                "{score}: {number} run",
                "{score}: {number} runs",
                found[name, value],
                score=score_phrase(name, value),
            )
            self.score.addItem(about, SuccessScore(name, value))
        for score in mapped - {SuccessScore(*pair) for pair in pairs} - {None}:
            if score is not None:
                self.score.addItem(score_phrase(score.name, score.value), score)
        _choose(self.score, mapped)

    def _said(self) -> tuple[object, str, object, object]:
        """The present values of the fields."""
        return (
            self.success.currentData(),
            self.confidence.text(),
            self.domain.currentData(),
            self.score.currentData(),
        )

    def _made_rows(self) -> Rows:
        recorded = [run.imported.recorded for run in self._runs]
        successes = [one.success is not None for one in recorded]
        confidences = [one.confidence is not None for one in recorded]
        self.success.setEnabled(not all(successes))
        self.confidence.setEnabled(not all(confidences))
        self._hint = _hint(_recorded_words(confidences) or say("From 0 to 1; empty: not stated."))
        rows = Rows()
        line = in_row(self.success, None, margins=None, spacing=None)
        below = _hint(_recorded_words(successes) or say("Whether the run did what it was to do."))
        rows.add(say("&Success"), line, below, self.success)
        if self.score.count() > 1:
            meaning = _hint(say("The value that means success; every other one means failure."))
            rows.add(say("Sco&re"), self.score, meaning, self.score)
        rows.add(say("&Confidence"), self.confidence, self._hint, self.confidence)
        about = _hint(say("Chooses the profile."))
        rows.add(say("&Domain"), self.domain, about, self.domain)
        return rows

    def _add_buttons(self, *, can_take_back: bool) -> None:
        role = QDialogButtonBox.ButtonRole
        self.take_back = self.add_button(PushButton(say("&Take Back")), role.ResetRole)
        cancel = self.add_button(PushButton(say("Cancel")), role.RejectRole)
        button = PushButton(say("Set &Outcome"), primary=True)
        self.accept_button = self.add_button(button, role.AcceptRole)
        self.accept_button.setDefault(True)
        self.take_back.setToolTip(say("State nothing of these runs any more"))
        self.take_back.setEnabled(can_take_back)
        self.take_back.clicked.connect(self._on_taken_back)
        cancel.clicked.connect(self.close)
        self.accept_button.clicked.connect(self._on_set)

    def _on_confidence_changed(self, text: str) -> None:
        wrong, hint = False, say("From 0 to 1; empty: not stated.")
        try:
            confidence_of(text)
        except ValueError:
            wrong, hint = True, say("A number from 0 to 1.")
        mark_wrong(self.confidence, wrong=wrong)
        self.accept_button.setEnabled(not wrong)
        self._hint.setText(hint)

    def _on_taken_back(self) -> None:
        self._state(TAKEN_BACK)
        self.close()

    def _on_set(self) -> None:
        success, confidence, domain, score = now = self._said()
        fields = (Said.SUCCESS, Said.CONFIDENCE, Said.DOMAIN, Said.SCORE)
        pairs = zip(fields, self._before, now, strict=True)
        about = tuple(one for one, was, value in pairs if value != was)
        if about:
            stated = Stated(
                RunOutcome(
                    confidence_of(confidence), success if isinstance(success, bool) else None
                ),
                domain if isinstance(domain, str) else None,
                score if isinstance(score, SuccessScore) else None,
            )
            self._state(Statement(stated, about))
        self.close()


def _choose(box: ComboBox, said: Collection[object]) -> None:
    """Choose the value that all runs share, or *Different*."""
    if len(said) > 1:
        box.addItem(say("Different"), _DIFFERENT)
    (now,) = said if len(said) == 1 else (_DIFFERENT,)
    data = [box.itemData(index) for index in range(box.count())]
    box.setCurrentIndex(data.index(now))


def _hint(text: str) -> Label:
    return Label(text, TextRole.CAPTION, second=True)


def _recorded_words(recorded: Sequence[bool]) -> str:
    """Says how many of the runs have a recorded value, which they keep; "" for none."""
    number = sum(recorded)
    if not number:
        return ""
    if number == len(recorded):
        return say("Recorded, and not to be stated.")
    return say_count(
        "{number} of {total} has it recorded and keeps it.",
        "{number} of {total} have it recorded and keep it.",
        number,
        total=shown_count(len(recorded)),
    )


class Dialogs(QObject):
    """Opens the dialogs of a window, one of each kind, and connects them to the session."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._window = window

    def ask_files(self) -> None:
        """Ask the user which files to open."""
        traces = say("Traces and recordings (*.json *.jsonl *.ndjson *.gz *.eval *.traj *.db)")
        dialog = self._ask_for(say("Open Traces"), QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([traces, say("All files (*)")])
        _open(dialog)

    def ask_folder(self) -> None:
        """Ask the user which folder to open."""
        _open(self._ask_for(say("Open Folder"), QFileDialog.FileMode.Directory))

    def _ask_for(self, title: str, mode: QFileDialog.FileMode) -> QFileDialog:
        """A dialog that asks for files or folders, also hidden ones: agents keep sessions there."""
        dialog = self._ask(title, "open")
        dialog.setFileMode(mode)
        dialog.setFilter(dialog.filter() | QDir.Filter.Hidden)
        dialog.filesSelected.connect(self._session.opener.open)
        return dialog

    def _ask(self, title: str, what: str) -> QFileDialog:
        """A file dialog that starts in the last folder of its kind ``what``, "open" or "save"."""
        history = self._session.history
        folders = history.state.folders
        dialog = QFileDialog(self._window, title, folders.get(what, folders.get("open", "")))

        def keep_folder(paths: Sequence[str]) -> None:
            folder = str(Path(paths[0]).parent)
            history.keep(folders=history.state.folders | {what: folder})

        dialog.filesSelected.connect(keep_folder)
        return dialog

    def ask_where(
        self, title: str, kinds: Mapping[str, str], name: str, write: Callable[[Path], object]
    ) -> None:
        """Ask the user where to write a file, in one of these kinds, given with their suffixes.

        ``name`` is the proposed name without its suffix; ``write`` is called with the path.
        """
        dialog = self._ask(title, "save")
        suffix = next(iter(kinds.values()))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix)
        dialog.setNameFilters([*kinds])
        dialog.selectFile(f"{name}{suffix}")
        dialog.filterSelected.connect(lambda one: dialog.setDefaultSuffix(kinds[one]))
        dialog.fileSelected.connect(lambda path: write(Path(path)))
        _open(dialog)

    def ask_outcome(
        self, runs: Sequence[RunRecord], name: str, state: Callable[[Statement], None]
    ) -> None:
        """Ask the user how these runs ended; an open dialog of this kind is closed."""
        before = self._found(OutcomeDialog)
        if before is not None:
            before.close()
        _show(OutcomeDialog(runs, name, self._window, state))

    def confirm_clearing(self) -> None:
        """Ask the user whether to forget everything."""
        box = QMessageBox(self._found(MemoryDialog) or self._window)
        box.setIcon(QMessageBox.Icon.NoIcon)
        box.setWindowTitle(say("Clear Memory"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setBackgroundRole(QPalette.ColorRole.Base)
        box.setAutoFillBackground(True)
        box.setText(say("Forget every trace that was scored?"))
        box.setInformativeText(
            say("New traces are then compared with nothing. This cannot be taken back.")
        )
        clear = PushButton(say("Clear Memory"), box)
        keep = PushButton(say("Cancel"), box)
        box.addButton(clear, QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(keep, QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        for buttons in box.findChildren(QDialogButtonBox):
            buttons.setContentsMargins(RING_ROOM, RING_ROOM, RING_ROOM, RING_ROOM)
        grid = box.layout()
        if isinstance(grid, QGridLayout):
            side = scale(PADDING, box.fontMetrics())
            grid.setContentsMargins(side, side, side - RING_ROOM, side - RING_ROOM)
            indent = grid.itemAtPosition(0, 0)
            if isinstance(indent, QSpacerItem):
                indent.changeSize(0, 0)
        clear.clicked.connect(self._session.memory.clear)
        _open(box)

    def show_settings(self) -> None:
        """Show the settings; they take effect when they are applied."""
        dialog, session = self._found(SettingsDialog), self._session
        if dialog is None:
            dialog = SettingsDialog(session.settings, self._window)
            dialog.settings_chosen.connect(session.apply_settings)
            session.settings_changed.connect(dialog.set_settings)
        _show(dialog)

    def show_memory(self) -> None:
        """Show the memory; the dialog asks for its contents while it is open."""
        dialog, memory = self._found(MemoryDialog), self._session.memory
        if dialog is None:
            dialog = MemoryDialog(self._window)
            dialog.listing_wanted.connect(memory.list_all)
            dialog.forgetting_chosen.connect(memory.forget_keys)
            dialog.clearing_wanted.connect(self.confirm_clearing)
            memory.listed.connect(dialog.set_listing)
            memory.changed.connect(dialog.set_state)
            if memory.state is not None:
                dialog.set_state(memory.state)
        _show(dialog)

    def show_help(self) -> None:
        """Show the help page of the pane that has the focus."""
        help_window = self._found(HelpWindow) or HelpWindow(self._window)
        help_window.show_page(page_of(self._window.focusWidget()))
        _show(help_window)

    def show_keys(self, actions: Mapping[Command, QAction]) -> None:
        """Show all keys with their commands."""
        _show(self._found(KeysDialog) or KeysDialog(actions, self._window))

    def show_about(self) -> None:
        """Show versions and licences."""
        _show(self._found(AboutDialog) or AboutDialog(self._window))

    def _found(self, kind: type[_Dialog]) -> _Dialog | None:
        """The open dialog of a kind; None without one."""
        return next((one for one in self._window.findChildren(kind) if one.isVisible()), None)


def _show(dialog: QDialog) -> None:
    dialog.show()
    dialog.activateWindow()


def _open(dialog: QFileDialog | QMessageBox) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
