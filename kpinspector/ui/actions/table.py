"""Every command with its menu, its words, its key and its icon, once."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence

from kpinspector.ui.actions.command_names import COMPARING, THEMES, TRACE_MENU, WHAT_IF, Command
from kpinspector.ui.look.icons import IconName
from kpinspector.words.say import say

_KEY = QKeySequence.StandardKey
# contexts of keys: only the widgets that an action is added to, or also those inside them
_LOCAL = Qt.ShortcutContext.WidgetShortcut
_PANE = Qt.ShortcutContext.WidgetWithChildrenShortcut
_ROLE = QAction.MenuRole


@dataclass(frozen=True, slots=True)
class ActionEntry:
    """One line of a menu.

    Attributes:
        command: Its name.
        text: Its words, in title case, with their mnemonic.
        tip: A sentence on what it does.
        key: The standard key with this very meaning.
        own: Keys of ours in order of preference, for where the platform has none of ``key``;
            what has a standard meaning there is passed over.
        also: Keys that do it as well, wherever they have no standard meaning.
        icon: Drawn beside it and on buttons.
        context: Where its key is heard.
        role: Its place in the menu of the application on macOS.
    """

    command: Command
    text: str
    tip: str
    key: QKeySequence.StandardKey | None = None
    own: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    icon: IconName | None = None
    context: Qt.ShortcutContext = Qt.ShortcutContext.WindowShortcut
    role: QAction.MenuRole = QAction.MenuRole.NoRole


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu of the menu bar; None stands for a line."""

    name: str
    text: str
    lines: tuple[ActionEntry | None, ...]


__all__ = [
    "COMPARING",
    "THEMES",
    "TRACE_MENU",
    "WHAT_IF",
    "ActionEntry",
    "Command",
    "Menu",
    "menus",
]


def _file() -> Menu:
    return Menu(
        "file",
        say("&File"),
        (
            ActionEntry(
                Command.OPEN, say("&Open…"), say("Open trace files"), _KEY.Open, icon=IconName.OPEN
            ),
            ActionEntry(
                Command.OPEN_FOLDER,
                say("Open &Folder…"),
                say("Open all traces in a folder"),
                own=("Ctrl+Shift+O",),
                icon=IconName.FOLDER,
            ),
            ActionEntry(Command.OPEN_RECENT, say("Open &Recent"), say("Open what was open before")),
            ActionEntry(
                Command.OPEN_SAMPLES, say("Open &Samples"), say("Open the bundled samples")
            ),
            ActionEntry(
                Command.PASTE,
                say("&Paste as Trace"),
                say("Score the JSON text or the files on the clipboard"),
                _KEY.Paste,
                icon=IconName.PASTE,
            ),
            None,
            ActionEntry(
                Command.RELOAD,
                say("Reloa&d"),
                say("Read all open files again"),
                _KEY.Refresh,
                icon=IconName.RELOAD,
            ),
            ActionEntry(
                Command.OPEN_IN_EDITOR,
                say("Open &in Editor"),
                say("Open the file in the program that the system has for it"),
                icon=IconName.OPEN_EXTERNAL,
            ),
            None,
            ActionEntry(
                Command.EXPORT,
                say("&Export Report…"),
                say("Write the report on all traces as JSON"),
                own=("Ctrl+Shift+E",),
                icon=IconName.EXPORT,
            ),
            ActionEntry(
                Command.EXPORT_TRACE,
                say("Export Report on Se&lected Traces…"),
                say("Write the report on the selected traces as JSON"),
            ),
            ActionEntry(
                Command.EXPORT_LIST,
                say("Export List as CS&V…"),
                say("Write the list as a table for spreadsheets"),
            ),
            ActionEntry(
                Command.EXPORT_MARKDOWN,
                say("Export Explanation as &Markdown…"),
                say("Write why the selected traces score what they score, as Markdown"),
            ),
            ActionEntry(
                Command.EXPORT_HTML,
                say("Export Explanation as H&TML…"),
                say("Write why the selected traces score what they score, as a page of its own"),
            ),
            ActionEntry(
                Command.EXPORT_RUN,
                say("Export as Reasonin&gTrace…"),
                say("Write the selected runs of other agents as traces, one a line"),
            ),
            ActionEntry(
                Command.EXPORT_SUMMARY,
                say("Export S&ummary…"),
                say("Write the summary of all traces as a page, as JSON or as text"),
                icon=IconName.EXPORT,
            ),
            ActionEntry(
                Command.SAVE_PLAN,
                say("Save the Pla&n…"),
                say("Write the planned traces in their order, one a line; nothing is masked"),
                icon=IconName.DOWNLOAD,
            ),
            None,
            ActionEntry(
                Command.CLOSE_ALL,
                say("&Close All"),
                say("Take all traces off the list"),
                own=("Ctrl+Shift+W",),
            ),
            ActionEntry(
                Command.QUIT,
                say("&Quit"),
                say("Stop and close the window"),
                _KEY.Quit,
                ("Ctrl+Q",),
                role=_ROLE.QuitRole,
            ),
        ),
    )


def _edit() -> Menu:
    return Menu(
        "edit",
        say("&Edit"),
        (
            ActionEntry(
                Command.UNDO,
                say("&Undo"),
                say("Take back what was removed from the list or stated; else a change of what-if"),
                _KEY.Undo,
                icon=IconName.UNDO,
            ),
            ActionEntry(
                Command.REDO,
                say("Red&o"),
                say("Do again what was taken back"),
                _KEY.Redo,
                icon=IconName.REDO,
            ),
            None,
            ActionEntry(
                Command.COPY_ANSWER,
                say("&Copy Answer"),
                say("Copy the score and every term of it as text"),
                own=("Ctrl+Shift+C",),
                icon=IconName.COPY,
            ),
            ActionEntry(
                Command.COPY_TEXT,
                say("Copy Step as &Text"),
                say("Copy the step's fields as plain text"),
                _KEY.Copy,
                context=_LOCAL,
            ),
            ActionEntry(
                Command.COPY_JSON, say("Copy Step as &JSON"), say("Copy the step as it was read")
            ),
            ActionEntry(
                Command.COPY_POINTER,
                say("Copy JSON &Pointer"),
                say("Copy where in its trace the step stands"),
            ),
            ActionEntry(
                Command.COPY_PATH, say("Copy File Pat&h"), say("Copy the path of the trace's file")
            ),
            None,
            ActionEntry(
                Command.REMOVE,
                say("&Remove from List"),
                say("Take the selected traces off the list; files and memory stay"),
                _KEY.Delete,
                context=_LOCAL,
            ),
            None,
            ActionEntry(
                Command.FILTER,
                say("Fi&lter Traces"),
                say("Go to the filter of the list"),
                own=("Ctrl+L",),
                icon=IconName.FILTER,
            ),
            ActionEntry(
                Command.FIND,
                say("&Find in Steps"),
                say("Go to the search of the steps"),
                _KEY.Find,
                icon=IconName.SEARCH,
            ),
            ActionEntry(
                Command.FIND_NEXT,
                say("Find &Next"),
                say("Go to the next place that was found"),
                _KEY.FindNext,
            ),
            ActionEntry(
                Command.FIND_PREVIOUS,
                say("Find Pre&vious"),
                say("Go to the place found before"),
                _KEY.FindPrevious,
            ),
            None,
            ActionEntry(
                Command.SETTINGS,
                say("&Settings…"),
                say("Threshold, memory, look and what is restored"),
                _KEY.Preferences,
                ("Ctrl+,", "Ctrl+Shift+,"),
                role=_ROLE.PreferencesRole,
            ),
        ),
    )


def _view() -> Menu:
    return Menu(
        "view",
        say("&View"),
        (
            ActionEntry(
                Command.SHOW_TRACES,
                say("Tra&ces"),
                say("Show the list of traces, or hide it"),
                own=("F9",),
            ),
            ActionEntry(
                Command.SHOW_STEP,
                say("Step Det&ails"),
                say("Show what is in the step below the steps, or hide it"),
                own=("Shift+F9",),
            ),
            ActionEntry(
                Command.SHOW_SCORE,
                say("Sc&ore"),
                say("Show the score and all that is said of it, or hide it"),
                own=("Ctrl+F9",),
            ),
            ActionEntry(
                Command.SHOW_BATCH,
                say("&Batch"),
                say("Show all traces together: summary, map, groups and plan"),
                own=("Alt+0", "Ctrl+Shift+B"),
            ),
            None,
            ActionEntry(
                Command.ZOOM_IN,
                say("Zoom &In"),
                say("Write everything larger"),
                _KEY.ZoomIn,
                also=("Ctrl+=",),
            ),
            ActionEntry(
                Command.ZOOM_OUT, say("Zoom O&ut"), say("Write everything smaller"), _KEY.ZoomOut
            ),
            ActionEntry(
                Command.ACTUAL_SIZE,
                say("Actual Si&ze"),
                say("Write everything in the size that the system has"),
                own=("Ctrl+0",),
            ),
            None,
            ActionEntry(
                Command.EXPAND_ALL, say("&Expand All"), say("Show what hangs under every step")
            ),
            ActionEntry(
                Command.COLLAPSE_ALL, say("Colla&pse All"), say("Hide what hangs under every step")
            ),
            None,
            ActionEntry(
                Command.THEME_SYSTEM,
                say("&System Theme"),
                say("Light or dark, as the desktop says"),
            ),
            ActionEntry(
                Command.THEME_LIGHT, say("&Light Theme"), say("Dark text on a light ground")
            ),
            ActionEntry(Command.THEME_DARK, say("&Dark Theme"), say("Light text on a dark ground")),
            None,
            ActionEntry(
                Command.RESTORE_LAYOUT,
                say("&Restore Default Layout"),
                say("Put all panes back where they were at first"),
            ),
        ),
    )


def _go() -> Menu:
    return Menu(
        "go",
        say("&Go"),
        (
            ActionEntry(
                Command.PREVIOUS,
                say("&Previous Trace"),
                say("Go to the trace above"),
                own=("Alt+Up", "Ctrl+Shift+P"),
                icon=IconName.BACK,
            ),
            ActionEntry(
                Command.NEXT,
                say("&Next Trace"),
                say("Go to the trace below"),
                own=("Alt+Down", "Ctrl+Shift+N"),
                icon=IconName.FORWARD,
            ),
            None,
            ActionEntry(
                Command.GO_TO_STEP,
                say("&Go to Step…"),
                say("Go to a step by its number"),
                own=("Ctrl+J",),
            ),
            None,
            ActionEntry(
                Command.WHY,
                say("&Why"),
                say("Show why the trace scores what it scores"),
                own=("Alt+1",),
            ),
            ActionEntry(
                Command.NEIGHBOURS,
                say("Neigh&bours"),
                say("Show the traces that novelty was compared with"),
                own=("Alt+3",),
            ),
            ActionEntry(
                Command.SHARING,
                say("S&haring"),
                say("Show what would leave the machine, and in which words"),
                own=("Alt+5",),
            ),
            ActionEntry(
                Command.NEXT_TAB,
                say("Next &Tab"),
                say("Show the next tab of the score"),
                own=("Ctrl+Tab",),
            ),
            ActionEntry(
                Command.PREVIOUS_TAB,
                say("Previou&s Tab"),
                say("Show the tab of the score before"),
                own=("Ctrl+Shift+Tab",),
            ),
            None,
            ActionEntry(
                Command.NEXT_PANE,
                say("N&ext Pane"),
                say("Take the keys to the next pane"),
                own=("F6",),
            ),
            ActionEntry(
                Command.PREVIOUS_PANE,
                say("Pre&vious Pane"),
                say("Take the keys to the pane before"),
                own=("Shift+F6",),
            ),
        ),
    )


def _score() -> Menu:
    return Menu(
        "score",
        say("&Score"),
        (
            ActionEntry(
                Command.STOP,
                say("&Stop"),
                say("Stop; what is scored stays"),
                own=("Ctrl+.", "Ctrl+Shift+."),
                icon=IconName.STOP,
            ),
            ActionEntry(Command.RESUME, say("&Resume"), say("Score what is still pending")),
            None,
            ActionEntry(
                Command.READ_AND_SCORE,
                say("R&ead and Score"),
                say("Read the selected recordings and score them; remembers nothing"),
                own=("Ctrl+Return",),
            ),
            ActionEntry(
                Command.REMEMBER,
                say("Remem&ber"),
                say("Score the selected recordings of large folders, and remember them"),
                own=("Ctrl+Shift+M",),
            ),
            None,
            ActionEntry(
                Command.WHAT_IF,
                say("&What-if"),
                say("Try what would change the score of this trace"),
                own=("Alt+2",),
            ),
            ActionEntry(
                Command.MEASURE_AGAIN,
                say("Measure &Novelty Again"),
                say("Compare the text that what-if leaves with today's memory; remembers nothing"),
            ),
            ActionEntry(Command.RESET_WHAT_IF, say("Rese&t What-if"), say("Try nothing any more")),
            None,
            ActionEntry(
                Command.SET_OUTCOME,
                say("Set &Outcome…"),
                say("State how the selected runs of other agents ended, and their domain"),
            ),
            ActionEntry(
                Command.TAKE_BACK_OUTCOME,
                say("Ta&ke Back Outcome"),
                say("State nothing of the selected runs any more"),
            ),
            None,
            ActionEntry(
                Command.SCORE_AGAIN,
                say("Score &Again"),
                say("Compare the selected traces with today's memory; replaces their findings"),
                own=("Ctrl+Shift+R",),
            ),
            ActionEntry(
                Command.FORGET,
                say("&Forget Selected Traces"),
                say("Take the selected traces out of the memory"),
            ),
            None,
            ActionEntry(
                Command.MANAGE_MEMORY,
                say("&Manage Memory…"),
                say("See what is remembered and forget it"),
            ),
            ActionEntry(Command.CLEAR_MEMORY, say("&Clear Memory…"), say("Forget every trace")),
        ),
    )


def _compare() -> Menu:
    return Menu(
        "compare",
        say("&Compare"),
        (
            ActionEntry(
                Command.COMPARE,
                say("Com&pare Selected"),
                say("Put two selected traces side by side, or one and its nearest"),
                own=("Ctrl+Shift+D",),
                icon=IconName.COMPARE,
            ),
            ActionEntry(
                Command.COMPARE_NEAREST,
                say("Compare with &Nearest"),
                say("Put this trace and the one that set its novelty side by side"),
            ),
            None,
            ActionEntry(
                Command.NEXT_DIFFERENCE,
                say("Next &Difference"),
                say("Go to the next step that is not the same on both sides"),
                own=("F8",),
            ),
            ActionEntry(
                Command.PREVIOUS_DIFFERENCE,
                say("Pre&vious Difference"),
                say("Go to the step before that is not the same on both sides"),
                own=("Shift+F8",),
            ),
            None,
            ActionEntry(
                Command.SWAP_SIDES,
                say("&Swap Sides"),
                say("Exchange left and right"),
                icon=IconName.SWAP,
            ),
            ActionEntry(
                Command.COPY_COMPARISON,
                say("Cop&y Comparison"),
                say("Copy scores, differences and changed words as text"),
            ),
            ActionEntry(
                Command.CLOSE_COMPARISON,
                say("C&lose Comparison"),
                say("Show the steps of the current trace again"),
                own=("Esc",),
                icon=IconName.CLOSE,
                context=_PANE,
            ),
        ),
    )


def _help() -> Menu:
    return Menu(
        "help",
        say("&Help"),
        (
            ActionEntry(
                Command.KEYS,
                say("&Keyboard Shortcuts"),
                say("List every key"),
                _KEY.HelpContents,
                ("F1",),
            ),
            None,
            ActionEntry(
                Command.ABOUT,
                say("&About kpinspector"),
                say("Versions and licences"),
                role=_ROLE.AboutRole,
            ),
        ),
    )


def menus() -> tuple[Menu, ...]:
    """All of the menu bar, in the reader's language."""
    return _file(), _edit(), _view(), _go(), _score(), _compare(), _help()
