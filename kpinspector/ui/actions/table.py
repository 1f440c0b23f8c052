"""Every command with its menu, its words, its key and its icon, once."""

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence

from kpinspector.ui.actions.command_names import (
    COMPARING,
    THEMES,
    TRACE_MENU,
    WHAT_IF,
    Command,
    export_of,
)
from kpinspector.ui.look.icons import IconName
from kpinspector.words.say import in_words, say
from kpinspector.words.writers import EXPORTS, LISTS

_KEY = QKeySequence.StandardKey
# contexts of keys: only the widgets that an action is added to, or also those inside them
_LOCAL = Qt.ShortcutContext.WidgetShortcut
_PANE = Qt.ShortcutContext.WidgetWithChildrenShortcut
_ROLE = QAction.MenuRole


class Keys(NamedTuple):
    """The keys of a command.

    Attributes:
        standard: The standard key with this very meaning.
        own: Keys of ours in order of preference, for where the platform has none of ``standard``;
            what has a standard meaning there is passed over.
        also: Keys that do it as well, wherever they have no standard meaning.
        context: Where they are heard.
    """

    standard: QKeySequence.StandardKey | None = None
    own: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    context: Qt.ShortcutContext = Qt.ShortcutContext.WindowShortcut


class Line(NamedTuple):
    """One line of a menu: its command, its words in title case, a sentence on it, and its icon."""

    command: Command
    text: str
    tip: str
    icon: IconName | None = None

    @property
    def keys(self) -> Keys:
        """The keys of the command."""
        return _KEYS.get(self.command, Keys())


class Menu(NamedTuple):
    """A menu of the menu bar; None stands for a line."""

    name: str
    text: str
    lines: tuple[Line | None, ...]


__all__ = [
    "COMPARING",
    "ROLES",
    "THEMES",
    "TRACE_MENU",
    "WHAT_IF",
    "Command",
    "Line",
    "Menu",
    "menus",
]

_KEYS: Mapping[Command, Keys] = {
    Command.OPEN: Keys(_KEY.Open),
    Command.OPEN_FOLDER: Keys(own=("Ctrl+Shift+O",)),
    Command.PASTE: Keys(_KEY.Paste),
    Command.RELOAD: Keys(_KEY.Refresh),
    Command.EXPORT: Keys(own=("Ctrl+Shift+E",)),
    Command.CLOSE_ALL: Keys(own=("Ctrl+Shift+W",)),
    Command.QUIT: Keys(_KEY.Quit, ("Ctrl+Q",)),
    Command.UNDO: Keys(_KEY.Undo),
    Command.REDO: Keys(_KEY.Redo),
    Command.COPY_ANSWER: Keys(own=("Ctrl+Shift+C",)),
    Command.COPY_TEXT: Keys(_KEY.Copy, context=_LOCAL),
    Command.REMOVE: Keys(_KEY.Delete, context=_LOCAL),
    Command.FILTER: Keys(own=("Ctrl+L",)),
    Command.FIND: Keys(_KEY.Find),
    Command.FIND_NEXT: Keys(_KEY.FindNext),
    Command.FIND_PREVIOUS: Keys(_KEY.FindPrevious),
    Command.SETTINGS: Keys(_KEY.Preferences, ("Ctrl+,", "Ctrl+Shift+,")),
    Command.SHOW_TRACES: Keys(own=("F9",)),
    Command.SHOW_STEP: Keys(own=("Shift+F9",)),
    Command.SHOW_SCORE: Keys(own=("Ctrl+F9",)),
    Command.SHOW_BATCH: Keys(own=("Alt+0", "Ctrl+Shift+B")),
    Command.ZOOM_IN: Keys(_KEY.ZoomIn, also=("Ctrl+=",)),
    Command.ZOOM_OUT: Keys(_KEY.ZoomOut),
    Command.ACTUAL_SIZE: Keys(own=("Ctrl+0",)),
    Command.PREVIOUS: Keys(own=("Alt+Up", "Ctrl+Shift+P")),
    Command.NEXT: Keys(own=("Alt+Down", "Ctrl+Shift+N")),
    Command.GO_TO_STEP: Keys(own=("Ctrl+J",)),
    Command.WHY: Keys(own=("Alt+1",)),
    Command.NEIGHBOURS: Keys(own=("Alt+3",)),
    Command.SHARING: Keys(own=("Alt+5",)),
    Command.NEXT_TAB: Keys(own=("Ctrl+Tab",)),
    Command.PREVIOUS_TAB: Keys(own=("Ctrl+Shift+Tab",)),
    Command.NEXT_PANE: Keys(own=("F6",)),
    Command.PREVIOUS_PANE: Keys(own=("Shift+F6",)),
    Command.STOP: Keys(own=("Ctrl+.", "Ctrl+Shift+.")),
    Command.READ_AND_SCORE: Keys(own=("Ctrl+Return",)),
    Command.REMEMBER: Keys(own=("Ctrl+Shift+M",)),
    Command.WHAT_IF: Keys(own=("Alt+2",)),
    Command.SCORE_AGAIN: Keys(own=("Ctrl+Shift+R",)),
    Command.COMPARE: Keys(own=("Ctrl+Shift+D",)),
    Command.NEXT_DIFFERENCE: Keys(own=("F8",)),
    Command.PREVIOUS_DIFFERENCE: Keys(own=("Shift+F8",)),
    Command.CLOSE_COMPARISON: Keys(own=("Esc",), context=_PANE),
    Command.KEYS: Keys(_KEY.HelpContents, ("F1",)),
}

ROLES = {
    Command.QUIT: _ROLE.QuitRole,
    Command.SETTINGS: _ROLE.PreferencesRole,
    Command.ABOUT: _ROLE.AboutRole,
}
"""The places of commands in the menu of the application on macOS."""


def _menu(name: str, text: str, *lines: Line | None) -> Menu:
    return Menu(name, text, lines)


def _file() -> Menu:
    lists = say("Write the list as a table for spreadsheets")
    explanations = say("Write why the selected traces score what they score")
    return _menu(
        "file",
        say("&File"),
        Line(Command.OPEN, say("&Open…"), say("Open trace files"), IconName.OPEN),
        Line(
            Command.OPEN_FOLDER,
            say("Open &Folder…"),
            say("Open all traces in a folder"),
            IconName.FOLDER,
        ),
        Line(Command.OPEN_RECENT, say("Open &Recent"), say("Open what was open before")),
        Line(Command.OPEN_SAMPLES, say("Open &Samples"), say("Open the bundled samples")),
        Line(
            Command.PASTE,
            say("&Paste as Trace"),
            say("Score the JSON text or the files on the clipboard"),
            IconName.PASTE,
        ),
        None,
        Line(Command.RELOAD, say("Reloa&d"), say("Read all open files again"), IconName.RELOAD),
        Line(
            Command.OPEN_IN_EDITOR,
            say("Open &in Editor"),
            say("Open the file in the program that the system has for it"),
            IconName.OPEN_EXTERNAL,
        ),
        None,
        Line(
            Command.EXPORT,
            say("&Export Report…"),
            say("Write the report on all traces as JSON"),
            IconName.EXPORT,
        ),
        Line(
            Command.EXPORT_TRACE,
            say("Export Report on Se&lected Traces…"),
            say("Write the report on the selected traces as JSON"),
        ),
        *(
            Line(export_of(name), in_words(one.entry), lists if name in LISTS else explanations)
            for name, one in EXPORTS.items()
        ),
        Line(
            Command.EXPORT_RUN,
            say("Export as Reasonin&gTrace…"),
            say("Write the selected runs of other agents as traces, one a line"),
        ),
        Line(
            Command.EXPORT_SUMMARY,
            say("Export S&ummary…"),
            say("Write the summary of all traces as a page, as JSON or as text"),
            IconName.EXPORT,
        ),
        Line(
            Command.SAVE_PLAN,
            say("Save the Pla&n…"),
            say("Write the planned traces in their order, one a line; nothing is masked"),
            IconName.DOWNLOAD,
        ),
        None,
        Line(Command.CLOSE_ALL, say("&Close All"), say("Take all traces off the list")),
        Line(Command.QUIT, say("&Quit"), say("Stop and close the window")),
    )


def _edit() -> Menu:
    return _menu(
        "edit",
        say("&Edit"),
        Line(
            Command.UNDO,
            say("&Undo"),
            say("Take back what was removed from the list or stated; else a change of what-if"),
            IconName.UNDO,
        ),
        Line(Command.REDO, say("Red&o"), say("Do again what was taken back"), IconName.REDO),
        None,
        Line(
            Command.COPY_ANSWER,
            say("&Copy Answer"),
            say("Copy the score and every term of it as text"),
            IconName.COPY,
        ),
        Line(
            Command.COPY_TEXT,
            say("Copy Step as &Text"),
            say("Copy the step's fields as plain text"),
        ),
        Line(Command.COPY_JSON, say("Copy Step as &JSON"), say("Copy the step as it was read")),
        Line(
            Command.COPY_POINTER,
            say("Copy JSON &Pointer"),
            say("Copy where in its trace the step stands"),
        ),
        Line(Command.COPY_PATH, say("Copy File Pat&h"), say("Copy the path of the trace's file")),
        None,
        Line(
            Command.REMOVE,
            say("&Remove from List"),
            say("Take the selected traces off the list; files and memory stay"),
        ),
        None,
        Line(
            Command.FILTER,
            say("Fi&lter Traces"),
            say("Go to the filter of the list"),
            IconName.FILTER,
        ),
        Line(
            Command.FIND,
            say("&Find in Steps"),
            say("Go to the search of the steps"),
            IconName.SEARCH,
        ),
        Line(Command.FIND_NEXT, say("Find &Next"), say("Go to the next place that was found")),
        Line(Command.FIND_PREVIOUS, say("Find Pre&vious"), say("Go to the place found before")),
        None,
        Line(
            Command.SETTINGS, say("&Settings…"), say("Threshold, memory, look and what is restored")
        ),
    )


def _view() -> Menu:
    return _menu(
        "view",
        say("&View"),
        Line(Command.SHOW_TRACES, say("Tra&ces"), say("Show the list of traces, or hide it")),
        Line(
            Command.SHOW_STEP,
            say("Step Det&ails"),
            say("Show what is in the step below the steps, or hide it"),
        ),
        Line(
            Command.SHOW_SCORE,
            say("Sc&ore"),
            say("Show the score and all that is said of it, or hide it"),
        ),
        Line(
            Command.SHOW_BATCH,
            say("&Batch"),
            say("Show all traces together: summary, map, groups and plan"),
        ),
        None,
        Line(Command.ZOOM_IN, say("Zoom &In"), say("Write everything larger")),
        Line(Command.ZOOM_OUT, say("Zoom O&ut"), say("Write everything smaller")),
        Line(
            Command.ACTUAL_SIZE,
            say("Actual Si&ze"),
            say("Write everything in the size that the system has"),
        ),
        None,
        Line(Command.EXPAND_ALL, say("&Expand All"), say("Show what hangs under every step")),
        Line(Command.COLLAPSE_ALL, say("Colla&pse All"), say("Hide what hangs under every step")),
        None,
        Line(Command.THEME_SYSTEM, say("&System Theme"), say("Light or dark, as the desktop says")),
        Line(Command.THEME_LIGHT, say("&Light Theme"), say("Dark text on a light ground")),
        Line(Command.THEME_DARK, say("&Dark Theme"), say("Light text on a dark ground")),
        None,
        Line(
            Command.RESTORE_LAYOUT,
            say("&Restore Default Layout"),
            say("Put all panes back where they were at first"),
        ),
    )


def _go() -> Menu:
    return _menu(
        "go",
        say("&Go"),
        Line(Command.PREVIOUS, say("&Previous Trace"), say("Go to the trace above"), IconName.BACK),
        Line(Command.NEXT, say("&Next Trace"), say("Go to the trace below"), IconName.FORWARD),
        None,
        Line(Command.GO_TO_STEP, say("&Go to Step…"), say("Go to a step by its number")),
        None,
        Line(Command.WHY, say("&Why"), say("Show why the trace scores what it scores")),
        Line(
            Command.NEIGHBOURS,
            say("Neigh&bours"),
            say("Show the traces that novelty was compared with"),
        ),
        Line(
            Command.SHARING,
            say("S&haring"),
            say("Show what would leave the machine, and in which words"),
        ),
        Line(Command.NEXT_TAB, say("Next &Tab"), say("Show the next tab of the score")),
        Line(Command.PREVIOUS_TAB, say("Previou&s Tab"), say("Show the tab of the score before")),
        None,
        Line(Command.NEXT_PANE, say("N&ext Pane"), say("Take the keys to the next pane")),
        Line(Command.PREVIOUS_PANE, say("Pre&vious Pane"), say("Take the keys to the pane before")),
    )


def _score() -> Menu:
    return _menu(
        "score",
        say("&Score"),
        Line(Command.STOP, say("&Stop"), say("Stop; what is scored stays"), IconName.STOP),
        Line(Command.RESUME, say("&Resume"), say("Score what is still pending")),
        None,
        Line(
            Command.READ_AND_SCORE,
            say("R&ead and Score"),
            say("Read the selected recordings and score them; remembers nothing"),
        ),
        Line(
            Command.REMEMBER,
            say("Remem&ber"),
            say("Score the selected recordings of large folders, and remember them"),
        ),
        None,
        Line(
            Command.WHAT_IF, say("&What-if"), say("Try what would change the score of this trace")
        ),
        Line(
            Command.MEASURE_AGAIN,
            say("Measure &Novelty Again"),
            say("Compare the text that what-if leaves with today's memory; remembers nothing"),
        ),
        Line(Command.RESET_WHAT_IF, say("Rese&t What-if"), say("Try nothing any more")),
        None,
        Line(
            Command.SET_OUTCOME,
            say("Set &Outcome…"),
            say("State how the selected runs of other agents ended, and their domain"),
        ),
        Line(
            Command.TAKE_BACK_OUTCOME,
            say("Ta&ke Back Outcome"),
            say("State nothing of the selected runs any more"),
        ),
        None,
        Line(
            Command.SCORE_AGAIN,
            say("Score &Again"),
            say("Compare the selected traces with today's memory; replaces their findings"),
        ),
        Line(
            Command.FORGET,
            say("&Forget Selected Traces"),
            say("Take the selected traces out of the memory"),
        ),
        None,
        Line(
            Command.MANAGE_MEMORY,
            say("&Manage Memory…"),
            say("See what is remembered and forget it"),
        ),
        Line(Command.CLEAR_MEMORY, say("&Clear Memory…"), say("Forget every trace")),
    )


def _compare() -> Menu:
    return _menu(
        "compare",
        say("&Compare"),
        Line(
            Command.COMPARE,
            say("Com&pare Selected"),
            say("Put two selected traces side by side, or one and its nearest"),
            IconName.COMPARE,
        ),
        Line(
            Command.COMPARE_NEAREST,
            say("Compare with &Nearest"),
            say("Put this trace and the one that set its novelty side by side"),
        ),
        None,
        Line(
            Command.NEXT_DIFFERENCE,
            say("Next &Difference"),
            say("Go to the next step that is not the same on both sides"),
        ),
        Line(
            Command.PREVIOUS_DIFFERENCE,
            say("Pre&vious Difference"),
            say("Go to the step before that is not the same on both sides"),
        ),
        None,
        Line(Command.SWAP_SIDES, say("&Swap Sides"), say("Exchange left and right"), IconName.SWAP),
        Line(
            Command.COPY_COMPARISON,
            say("Cop&y Comparison"),
            say("Copy scores, differences and changed words as text"),
        ),
        Line(
            Command.CLOSE_COMPARISON,
            say("C&lose Comparison"),
            say("Show the steps of the current trace again"),
            IconName.CLOSE,
        ),
    )


def _help() -> Menu:
    return _menu(
        "help",
        say("&Help"),
        Line(Command.KEYS, say("&Keyboard Shortcuts"), say("List every key")),
        None,
        Line(Command.ABOUT, say("&About kpinspector"), say("Versions and licences")),
    )


def menus() -> tuple[Menu, ...]:
    """All of the menu bar, in the reader's language."""
    return _file(), _edit(), _view(), _go(), _score(), _compare(), _help()
