"""Commands that open, export and remove, change the rules, show panes and rows, undo and redo."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import methodcaller
from pathlib import Path, PurePath

from PySide6.QtCore import QEvent, QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeyEvent, QUndoStack, QWheelEvent
from PySide6.QtWidgets import QApplication, QTabBar
from typing_extensions import override

from kpinspector.app.answers import REPORT, TRACES
from kpinspector.app.document import Document
from kpinspector.app.documents import Removed
from kpinspector.app.engine import TAKEN_BACK, Statement
from kpinspector.app.values import Notice, Rules
from kpinspector.runs.read import RunRecord
from kpinspector.runs.stated import NOTHING_STATED
from kpinspector.settings import Theme
from kpinspector.ui.actions import connect, enable
from kpinspector.ui.actions.table import THEMES, Command, export_of
from kpinspector.ui.commands import OF_STEPS, Desk, Part
from kpinspector.ui.commands.opening import paste
from kpinspector.ui.commands.whatif_commands import ValueChange, WhatIfHistory
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import (
    LEAST_ZOOM,
    MOST_ZOOM,
    USUAL_ZOOM,
    application,
    bounded_zoom,
    set_zoom,
    zoom_of,
)
from kpinspector.ui.window.layout import HideablePane
from kpinspector.ui.window.score_panel import Tab
from kpinspector.words.figures import shown_count
from kpinspector.words.recordings import not_exported
from kpinspector.words.say import in_words, say, say_count
from kpinspector.words.writers import EXPLANATIONS, EXPORTS, LISTS

_SEVERAL = "selected"
_ALL = "kpinspector"
# keys of notices about what was refused
_EXPORTING, _EDITING = "exporting runs", "editing"
_IN_STEPS = (*OF_STEPS, Command.COPY_TEXT, Command.COPY_JSON, Command.COPY_POINTER)
_OF_ANY_ROW = (
    Command.RELOAD,
    Command.EXPORT,
    *map(export_of, LISTS),
    Command.CLOSE_ALL,
    Command.FILTER,
    Command.PREVIOUS,
    Command.NEXT,
)
_OF_SELECTED = (Command.EXPORT_TRACE, *map(export_of, EXPLANATIONS), Command.REMOVE)
_MOST_CHANGES = 20  # each removal keeps its rows in memory
_ZOOM_STEP = 10
_NOTCH = 120  # units of an angle delta from one notch of the wheel to the next
_SHOWN = {
    Command.SHOW_TRACES: HideablePane.TRACES,
    Command.SHOW_STEP: HideablePane.STEP,
    Command.SHOW_SCORE: HideablePane.SCORE,
}
_TABS = (Command.WHY, Command.WHAT_IF, Command.NEIGHBOURS, Command.SHARING)
_PANE_OF = {Command.FILTER: HideablePane.TRACES, **dict.fromkeys(_TABS, HideablePane.SCORE)}
_NEEDING_ROWS = {*_SHOWN, *_TABS, Command.NEXT_TAB, Command.PREVIOUS_TAB} - {Command.WHAT_IF}


class UndoCommands(Part):
    """Undo and redo of changes to the list, and of what-ifs.

    The list comes first while it or the tool bar has focus; where one is empty, the other is used.
    """

    def __init__(self, desk: Desk, history: WhatIfHistory) -> None:
        super().__init__(desk)
        self._traces, self._history = self._panes.traces, history
        self._changes = QUndoStack(self)
        self._changes.setUndoLimit(_MOST_CHANGES)
        self._changes.indexChanged.connect(self._show)
        history.indexChanged.connect(self._show)
        self._frame.tools.rules_chosen.connect(self.judge)
        self._traces.histogram.threshold_chosen.connect(
            lambda threshold, gesture: self.judge(
                replace(self._session.store.rules, threshold=threshold), gesture
            )
        )
        application().focusChanged.connect(self._on_focus_changed)
        slots: dict[Command, Callable[..., None]] = {
            Command.UNDO: lambda _: self._stacks("canUndo")[0].undo(),
            Command.REDO: lambda _: self._stacks("canRedo")[0].redo(),
            # files that are still being read come back, too
            Command.CLOSE_ALL: lambda: self._push(self._session.close_all, say("Close All")),
        }
        connect(self._actions, slots)
        self._show()

    def remove(self, numbers: Sequence[int], text: str) -> None:
        """Remove rows; ``text`` names the change in the Edit menu."""
        if numbers:
            self._push(partial(self._session.remove, tuple(numbers)), text)

    def state(self, numbers: Sequence[int], statement: Statement) -> None:
        """State an outcome of the runs among these rows; undo restores what was stated before."""
        outcomes, rows = self._session.outcomes, map(self._session.store.get, numbers)
        before = {
            row.number: Statement(row.run.imported.stated)
            for row in rows
            if row is not None and row.run is not None
        }

        def put(stated: bool) -> None:  # noqa: FBT001
            if stated:
                outcomes.state(tuple(before), statement)
                return
            for number, was in before.items():
                outcomes.state((number,), was)

        words = say("Take Back") if statement is TAKEN_BACK else say("Set Outcome")
        self._changes.push(ValueChange(put, (False, True), words))

    @Slot(object)
    def judge(self, rules: Rules, gesture: int = 0) -> None:
        """Judge all rows by other rules; changes of one gesture, unless 0, are undone together."""
        store, before = self._session.store, self._session.store.rules
        if rules != before:
            moved = rules.threshold != before.threshold
            words = say("Threshold") if moved else say("Profile")
            self._changes.push(ValueChange(store.judge, (before, rules), words, gesture))

    def _push(self, remove: Callable[[], Removed], text: str) -> None:
        """Remove rows as a change; undo puts them back in their places, selected as before."""
        session, traces, removed = self._session, self._traces, Removed()
        current = session.store.current
        shown = None if current is None else current.number
        selected = tuple(one.number for one in traces.table.selected_documents())

        def put(gone: bool) -> None:  # noqa: FBT001
            nonlocal removed
            if gone:
                removed = remove()
                return
            session.put_back(removed)
            removed = Removed()
            if shown is not None:
                traces.show_row(shown)
            traces.table.select(selected)

        self._changes.push(ValueChange(put, (False, True), text))
        traces.table.setFocus()

    def _stacks(self, can: str) -> list[QUndoStack | WhatIfHistory]:
        """The undo stacks whose method named ``can`` returns True; the one to use comes first."""
        stacks: list[QUndoStack | WhatIfHistory] = [self._history, self._changes]
        focus = QApplication.focusWidget()
        if any(one.isAncestorOf(focus) for one in (self._traces, self._frame.tools) if focus):
            stacks.reverse()
        return list(filter(methodcaller(can), stacks))

    def _on_focus_changed(self) -> None:
        if QApplication.focusWidget() is not None:  # a closing window loses it after its parts
            self._show()

    def _show(self) -> None:
        undo = [one.undoText() for one in self._stacks("canUndo")]
        redo = [one.redoText() for one in self._stacks("canRedo")]
        words = {Command.UNDO: (say("&Undo"), undo), Command.REDO: (say("Red&o"), redo)}
        for command, (start, found) in words.items():
            done = found[0].replace("&", "&&") if found else ""
            text = say("{command}: {what}", command=start, what=done) if done else start
            self._actions[command].setText(text)
            self._actions[command].setEnabled(bool(found))


class Commands(Part):
    """Connects actions to the session and the dialogs; they work on the selected rows."""

    def __init__(self, desk: Desk, undo: UndoCommands) -> None:
        super().__init__(desk)
        self._undo = undo
        self._selected: tuple[Document, ...] = ()
        session, dialogs, memory = desk.session, desk.dialogs, desk.session.memory
        unread = session.unread
        slots: dict[Command, Callable[..., object]] = {
            Command.OPEN: dialogs.ask_files,
            Command.OPEN_FOLDER: dialogs.ask_folder,
            Command.OPEN_SAMPLES: lambda _: session.open_samples(),
            Command.PASTE: lambda: paste(session),
            Command.RELOAD: session.reload,
            Command.COPY_PATH: self._copy_path,
            Command.OPEN_IN_EDITOR: self.open_in_editor,
            Command.REMOVE: self.remove,
            Command.STOP: session.stop,
            Command.RESUME: session.resume,
            Command.READ_AND_SCORE: lambda: unread.read(one.number for one in self._chosen()),
            Command.REMEMBER: lambda: unread.remember(one.number for one in self._chosen()),
            Command.SCORE_AGAIN: self._each_scored(lambda one: session.score_again(one.number)),
            Command.FORGET: self._each_scored(memory.forget),
            Command.CLEAR_MEMORY: dialogs.confirm_clearing,
            Command.SETTINGS: dialogs.show_settings,
            Command.MANAGE_MEMORY: dialogs.show_memory,
            Command.HELP: dialogs.show_help,
            Command.KEYS: lambda: dialogs.show_keys(self._actions),
            Command.ABOUT: dialogs.show_about,
            Command.SET_OUTCOME: lambda: self.ask_outcome(*self._chosen()),
            Command.TAKE_BACK_OUTCOME: lambda: self.take_back_outcome(*self._chosen()),
            Command.EXPORT: lambda: self._export(REPORT, f"{_ALL}-report", None),
            Command.EXPORT_TRACE: lambda: self._export_selected(REPORT, "report"),
            Command.EXPORT_RUN: self._export_runs,
        }
        for one in LISTS:
            slots[export_of(one)] = lambda _, form=one: self._export_list(form)
        for one in EXPLANATIONS:
            slots[export_of(one)] = lambda _, form=one: self._export_selected(form, "explanation")
        for command, theme in zip(THEMES, Theme, strict=True):
            slots[command] = lambda _, theme=theme: session.apply_settings(
                replace(session.settings, theme=theme)
            )
        connect(self._actions, slots)

    def set_chosen(self, selected: tuple[Document, ...]) -> None:
        """Set the selected rows; enable the commands that can work on them."""
        self._selected = selected
        session, current, chosen = self._session, self._session.store.current, tuple(self._chosen())
        runs = [one.run for one in chosen if one.run is not None]
        scored = any(one.measured is not None for one in chosen)
        has_file = current is not None and session.store.file_of(current.number) is not None
        readable = current is not None and current.record is not None
        holds = dict.fromkeys(_IN_STEPS, readable)
        holds |= dict.fromkeys(_OF_ANY_ROW, len(session.store) > 0)
        holds |= dict.fromkeys(_OF_SELECTED, bool(selected))
        holds |= {
            Command.COPY_ANSWER: current is not None,
            Command.COPY_PATH: has_file,
            Command.OPEN_IN_EDITOR: has_file,
            Command.STOP: session.progress.busy,
            Command.RESUME: session.waits,
            Command.READ_AND_SCORE: any(one.unread is not None for one in chosen),
            Command.REMEMBER: any(session.unread.is_on_request(one.number) for one in chosen),
            Command.SCORE_AGAIN: scored,
            Command.FORGET: scored,
            Command.SET_OUTCOME: bool(runs),
            Command.TAKE_BACK_OUTCOME: any(run.imported.stated != NOTHING_STATED for run in runs),
            Command.EXPORT_RUN: bool(runs),
        }
        enable(self._actions, holds)

    def _chosen(self) -> Iterator[Document]:
        """The selected rows as they are now; the current row where a filter hides the selection."""
        current = self._session.store.current
        shown = () if current is None else (current,)
        for one in self._selected or shown:
            document = self._session.store.get(one.number)
            if document is not None:
                yield document

    def _each_scored(self, act: Callable[[Document], object]) -> Callable[[], None]:
        def act_on_each() -> None:
            for one in self._chosen():
                if one.measured is not None:
                    act(one)

        return act_on_each

    # opening and copying the file of a row

    def open_in_editor(self) -> None:
        """Open the current row's file in the system's program for its kind."""
        current = self._session.store.current
        if current is not None:
            name, url = one_line(PurePath(current.path).name), QUrl.fromLocalFile(current.path)
            opened = QDesktopServices.openUrl(url)
            words = say("No program on this system opens {name}.", name=name)
            self._tell(_EDITING, None if opened else words)

    def _copy_path(self) -> None:
        current = self._session.store.current
        if current is not None:
            QGuiApplication.clipboard().setText(current.path)

    def _tell(self, key: str, refused: str | None) -> None:
        """Raise the notice ``refused``; with None, withdraw the notice of that key."""
        board = self._session.board
        if refused:
            board.raised.emit(Notice(refused, key=key))
        else:
            board.settled.emit(key)

    # changing rows

    def remove(self) -> None:
        """Take the selected rows off the list."""
        words = say_count("Remove", "Remove {number} Traces", len(self._selected))
        self._undo.remove([one.number for one in self._selected], words)

    def ask_outcome(self, *rows: Document) -> None:
        """Ask the user how the runs among these rows ended."""
        found = _runs_of(rows)
        if found:
            name = one_line(found[0][0].name)
            if len(found) > 1:
                name = say_count("{number} run", "{number} runs", len(found))
            state = partial(self._undo.state, [row.number for row, _ in found])
            self._dialogs.ask_outcome([run for _, run in found], name, state)

    def take_back_outcome(self, *rows: Document) -> None:
        """Take back what was stated of the runs among these rows."""
        self._undo.state([row.number for row, _ in _runs_of(rows)], TAKEN_BACK)

    # exporting

    def _export(self, form: str, name: str, rows: Sequence[Document] | None) -> None:
        """Ask where to write these rows, None for all; write them as they are at that time."""
        numbers = None if rows is None else [one.number for one in rows]
        store, listed = self._session.store, say("Export List")
        if form in LISTS and numbers is not None and len(numbers) < len(store):
            kept, whole = shown_count(len(numbers)), shown_count(len(store))
            listed = say("Export List, {kept} of {whole} Rows", kept=kept, whole=whole)
        if form == REPORT:
            title, kind, suffix = say("Export Report"), say("Report (*.json)"), ".json"
        elif form == TRACES:
            title, kind = say("Export as ReasoningTrace"), say("Traces (*.jsonl)")
            suffix = ".jsonl"
        else:
            title = listed if form in LISTS else say("Export Explanation")
            kind, suffix = in_words(EXPORTS[form].files), EXPORTS[form].suffix

        def write(path: Path) -> None:
            wanted = [one.number for one in store.documents] if numbers is None else numbers
            now = [row for one in wanted if (row := store.get(one)) is not None]
            self._session.exports.write(form, path, now)

        self._dialogs.ask_where(title, {kind: suffix}, name, write)

    def _export_list(self, form: str) -> None:
        """Export the visible rows in their order, without traces that are not scored."""
        shown = self._panes.traces.model.shown
        rows = [one for one in shown if one.measured is not None or one.record is None]
        self._export(form, f"{_ALL}-list", rows)

    def _export_selected(self, form: str, what: str) -> None:
        name = self._selected[0].name if len(self._selected) == 1 else _SEVERAL
        self._export(form, f"{name}-{what}", self._selected)

    def _export_runs(self) -> None:
        """Write the chosen runs that can be converted as traces; say why others cannot."""
        reasons = [(row, not_exported(run.imported)) for row, run in _runs_of(self._chosen())]
        rows = [row for row, why in reasons if not why]
        left = [(row, why) for row, why in reasons if why]
        words = None
        if left:
            row, why = left[0]
            words = say("{name} is not exported: {why}", name=one_line(row.name), why=why)
            if len(left) > 1:
                more = say_count(
                    "Nor is {number} other run.", "Nor are {number} other runs.", len(left) - 1
                )
                words = f"{words} {more}"
        self._tell(_EXPORTING, words)
        if rows:
            name = rows[0].name if len(rows) == 1 else _SEVERAL
            self._export(TRACES, f"{name}-trace", rows)


def _runs_of(rows: Iterator[Document] | Sequence[Document]) -> list[tuple[Document, RunRecord]]:
    return [(row, row.run) for row in rows if row.run is not None]


class ViewCommands(Part):
    """Connects the actions of the View and Go menus to the panes and their layout."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._score, traces = self._panes.score, self._panes.traces
        self._turned = 0
        self._listening = False
        self._layout.changed.connect(self._show_parts)
        for command, part in _SHOWN.items():
            self._actions[command].triggered.connect(
                lambda shown, part=part: self._layout.set_part_shown(part, shown=shown)
            )
        for command, part in _PANE_OF.items():  # first, as the command works in the visible pane
            self._actions[command].triggered.connect(lambda _, part=part: self._reveal(part))
        slots: dict[Command, Callable[..., object]] = {
            Command.FILTER: traces.focus_filter,
            Command.ZOOM_IN: lambda: self.zoom_to(self.zoom + _ZOOM_STEP),
            Command.ZOOM_OUT: lambda: self.zoom_to(self.zoom - _ZOOM_STEP),
            Command.ACTUAL_SIZE: lambda: self.zoom_to(USUAL_ZOOM),
            Command.NEXT_TAB: lambda: self._go_to_tab(1),
            Command.PREVIOUS_TAB: lambda: self._go_to_tab(-1),
            Command.PREVIOUS: lambda: traces.table.go(-1),
            Command.NEXT: lambda: traces.table.go(1),
            Command.QUIT: desk.window.close,
            Command.RESTORE_LAYOUT: self._restore_default,
            Command.NEXT_PANE: lambda: self._layout.go_to_pane(1),
            Command.PREVIOUS_PANE: lambda: self._layout.go_to_pane(-1),
        }
        for command, tab in zip(_TABS, Tab, strict=True):
            slots[command] = lambda _, tab=tab: self._score.show_tab(tab)
        connect(self._actions, slots)
        desk.window.installEventFilter(self)
        self._show_parts()
        self._show_zoom()

    def set_open(self, *, rows: bool) -> None:
        """Enable the commands of panes that are visible only if there are rows."""
        enable(self._actions, dict.fromkeys(_NEEDING_ROWS, rows))

    @property
    def zoom(self) -> int:
        """The zoom in per cent."""
        return zoom_of(application())

    def zoom_to(self, percent: int) -> None:
        """Set the zoom in per cent, within its limits."""
        app, percent = application(), bounded_zoom(percent)
        if percent != zoom_of(app):
            set_zoom(app, percent)
            self._layout.follow_zoom()
        self._show_zoom()

    def _show_zoom(self) -> None:
        percent = self.zoom
        holds = {
            Command.ZOOM_IN: percent < MOST_ZOOM,
            Command.ZOOM_OUT: percent > LEAST_ZOOM,
            Command.ACTUAL_SIZE: percent != USUAL_ZOOM,
        }
        enable(self._actions, holds)

    def _show_parts(self) -> None:
        for command, part in _SHOWN.items():
            self._actions[command].setChecked(part not in self._layout.hidden)

    def _reveal(self, part: HideablePane) -> None:
        if part is HideablePane.SCORE:
            self._layout.set_together(None)
            if self._layout.narrow:  # two traces side by side leave it no room
                self._session.comparisons.close()
        self._layout.set_part_shown(part, shown=True)

    def _restore_default(self) -> None:
        self._layout.restore_default()
        self._panes.traces.table.header.reset_columns()

    def _go_to_tab(self, by: int) -> None:
        """Go to the next visible tab (by 1) or the previous one (by -1), around the ends."""
        self._reveal(HideablePane.SCORE)
        tabs: QTabBar = self._score.tabs
        seen = [n for n in range(tabs.count()) if tabs.isTabVisible(n) and tabs.isTabEnabled(n)]
        if seen:
            here = seen.index(tabs.currentIndex()) if tabs.currentIndex() in seen else 0
            tabs.setCurrentIndex(seen[(here + by) % len(seen)])

    # zooming by the wheel with Ctrl

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Zoom by the wheel anywhere in the window; events are filtered only while Ctrl is down."""
        kind = event.type()
        if kind == QEvent.Type.Wheel and self._listening and isinstance(event, QWheelEvent):
            if event.modifiers() == Qt.KeyboardModifier.ControlModifier:
                self._turn(event.angleDelta().y())
                return True
            self._listen(on=False)
        elif kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Control:
                self._listen(on=kind == QEvent.Type.KeyPress)
        elif kind == QEvent.Type.WindowDeactivate:
            self._listen(on=False)
        return False

    def _listen(self, *, on: bool) -> None:
        if on != self._listening:
            self._listening, self._turned = on, 0
            app = application()
            (app.installEventFilter if on else app.removeEventFilter)(self)

    def _turn(self, by: int) -> None:
        self._turned += by
        notches = int(self._turned / _NOTCH)
        self._turned -= notches * _NOTCH
        if notches:
            self.zoom_to(self.zoom + notches * _ZOOM_STEP)
