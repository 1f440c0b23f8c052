"""The table of all commands: each with its menu, words, keys and icon."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence

from kpinspector.ui.look.marks import IconName
from kpinspector.words.say import in_words, say
from kpinspector.words.writers import EXPLANATIONS, EXPORTS, LISTS

_KEY = QKeySequence.StandardKey
# contexts of keys: only the widgets that an action is added to, or also those inside them
_LOCAL = Qt.ShortcutContext.WidgetShortcut
_PANE = Qt.ShortcutContext.WidgetWithChildrenShortcut
_ROLE = QAction.MenuRole


class Command(StrEnum):
    """The names of all commands, which are those of their actions."""

    OPEN = "open"
    OPEN_FOLDER = "open_folder"
    OPEN_RECENT = "open_recent"
    OPEN_SAMPLES = "open_samples"
    PASTE = "paste"
    RELOAD = "reload"
    OPEN_IN_EDITOR = "open_in_editor"
    EXPORT = "export"
    EXPORT_TRACE = "export_trace"
    EXPORT_RUN = "export_run"
    EXPORT_SUMMARY = "export_summary"
    SAVE_PLAN = "save_plan"
    CLOSE_ALL = "close_all"
    QUIT = "quit"
    UNDO = "undo"
    REDO = "redo"
    COPY_ANSWER = "copy_answer"
    COPY_TEXT = "copy_text"
    COPY_JSON = "copy_json"
    COPY_POINTER = "copy_pointer"
    COPY_PATH = "copy_path"
    REMOVE = "remove"
    FILTER = "filter"
    FIND = "find"
    FIND_NEXT = "find_next"
    FIND_PREVIOUS = "find_previous"
    SETTINGS = "settings"
    THEME_SYSTEM = "theme_system"
    THEME_LIGHT = "theme_light"
    THEME_DARK = "theme_dark"
    EXPAND_ALL = "expand_all"
    COLLAPSE_ALL = "collapse_all"
    SHOW_TRACES = "show_traces"
    SHOW_STEP = "show_step"
    SHOW_SCORE = "show_score"
    SHOW_BATCH = "show_batch"
    ZOOM_IN = "zoom_in"
    ZOOM_OUT = "zoom_out"
    ACTUAL_SIZE = "actual_size"
    RESTORE_LAYOUT = "restore_layout"
    NEXT_PANE = "next_pane"
    PREVIOUS_PANE = "previous_pane"
    PREVIOUS = "previous"
    NEXT = "next"
    GO_TO_STEP = "go_to_step"
    NEXT_TAB = "next_tab"
    PREVIOUS_TAB = "previous_tab"
    WHY = "why"
    NEIGHBOURS = "neighbours"
    SHARING = "sharing"
    STOP = "stop"
    RESUME = "resume"
    READ_AND_SCORE = "read_and_score"
    REMEMBER = "remember"
    WHAT_IF = "what_if"
    RESET_WHAT_IF = "reset_what_if"
    MEASURE_AGAIN = "measure_again"
    SET_OUTCOME = "set_outcome"
    TAKE_BACK_OUTCOME = "take_back_outcome"
    SCORE_AGAIN = "score_again"
    FORGET = "forget"
    MANAGE_MEMORY = "manage_memory"
    CLEAR_MEMORY = "clear_memory"
    COMPARE = "compare"
    COMPARE_NEAREST = "compare_nearest"
    NEXT_DIFFERENCE = "next_difference"
    PREVIOUS_DIFFERENCE = "previous_difference"
    SWAP_SIDES = "swap_sides"
    COPY_COMPARISON = "copy_comparison"
    CLOSE_COMPARISON = "close_comparison"
    HELP = "help"
    KEYS = "keys"
    ABOUT = "about"
    # one for each format, such as EXPORT_HTML
    vars().update({f"EXPORT_{one.upper()}": f"export_{one}" for one in (*LISTS, *EXPLANATIONS)})


def export_of(name: str) -> Command:
    """The command that exports in a format."""
    return Command(f"export_{name}")


THEMES = (Command.THEME_SYSTEM, Command.THEME_LIGHT, Command.THEME_DARK)
PANES = (Command.SHOW_TRACES, Command.SHOW_STEP, Command.SHOW_SCORE)
EXPORT_MENU = (Command.EXPORT, Command.EXPORT_TRACE, *map(export_of, EXPORTS), Command.EXPORT_RUN)

TRACE_MENU: tuple[Command | None, ...] = (
    Command.OPEN_IN_EDITOR,
    Command.RELOAD,
    None,
    Command.COPY_ANSWER,
    Command.COPY_PATH,
    None,
    Command.COMPARE,
    None,
    Command.READ_AND_SCORE,
    Command.REMEMBER,
    None,
    Command.SET_OUTCOME,
    Command.TAKE_BACK_OUTCOME,
    None,
    Command.SCORE_AGAIN,
    Command.FORGET,
    None,
    Command.EXPORT_TRACE,
    *map(export_of, EXPLANATIONS),
    Command.EXPORT_RUN,
    None,
    Command.REMOVE,
)
"""The commands in the context menu of a row of the list; None stands for a separator."""


class Keys(NamedTuple):
    """The keys of a command, by which the keys on a platform are found.

    Attributes:
        standard: Qt's standard key of this meaning; None for none.
        own: Own keys in order of preference, for platforms without the standard key; a key that
            has another standard meaning there is left out.
        also: Further keys, which are left out if they have a standard meaning.
        context: Where the keys work.
    """

    standard: QKeySequence.StandardKey | None = None
    own: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    context: Qt.ShortcutContext = Qt.ShortcutContext.WindowShortcut


class Line(NamedTuple):
    """A line of a menu: its command, its words in title case, and a sentence for the tooltip."""

    command: Command
    text: str
    tip: str

    @property
    def keys(self) -> Keys:
        """The keys of the command."""
        return _KEYS.get(self.command, Keys())

    @property
    def icon(self) -> IconName | None:
        """The icon of the command; None for none."""
        return _ICONS.get(self.command)


class Menu(NamedTuple):
    """A menu of the menu bar; in its lines None stands for a separator."""

    name: str
    text: str
    lines: tuple[Line | None, ...]


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
    Command.HELP: Keys(_KEY.HelpContents, ("F1",)),
    Command.KEYS: Keys(own=("Ctrl+F1",)),
}

_ICONS: Mapping[Command, IconName] = {
    Command.OPEN: IconName.OPEN,
    Command.OPEN_FOLDER: IconName.FOLDER,
    Command.PASTE: IconName.PASTE,
    Command.RELOAD: IconName.RELOAD,
    Command.OPEN_IN_EDITOR: IconName.OPEN_EXTERNAL,
    Command.EXPORT: IconName.EXPORT,
    Command.EXPORT_SUMMARY: IconName.EXPORT,
    Command.SAVE_PLAN: IconName.DOWNLOAD,
    Command.UNDO: IconName.UNDO,
    Command.REDO: IconName.REDO,
    Command.COPY_ANSWER: IconName.COPY,
    Command.FILTER: IconName.FILTER,
    Command.FIND: IconName.SEARCH,
    Command.PREVIOUS: IconName.BACK,
    Command.NEXT: IconName.FORWARD,
    Command.STOP: IconName.STOP,
    Command.COMPARE: IconName.COMPARE,
    Command.SWAP_SIDES: IconName.SWAP,
    Command.CLOSE_COMPARISON: IconName.CLOSE,
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
    pages = say("Write why the selected traces score what they score")
    return _menu(
        "file",
        say("&File"),
        Line(Command.OPEN, say("&Open…"), say("Open trace files")),
        Line(Command.OPEN_FOLDER, say("Open &Folder…"), say("Open all traces in a folder")),
        Line(Command.OPEN_RECENT, say("Open &Recent"), say("Open what was open before")),
        Line(Command.OPEN_SAMPLES, say("Open &Samples"), say("Open the bundled samples")),
        Line(
            Command.PASTE,
            say("&Paste as Trace"),
            say("Score the JSON text or the files on the clipboard"),
        ),
        None,
        Line(Command.RELOAD, say("Reloa&d"), say("Read all open files again")),
        Line(
            Command.OPEN_IN_EDITOR,
            say("Open &in Editor"),
            say("Open the file in the program that the system has for it"),
        ),
        None,
        Line(Command.EXPORT, say("&Export Report…"), say("Write the report on all traces as JSON")),
        Line(
            Command.EXPORT_TRACE,
            say("Export Report on Se&lected Traces…"),
            say("Write the report on the selected traces as JSON"),
        ),
        *(
            Line(export_of(name), in_words(one.entry), lists if name in LISTS else pages)
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
        ),
        Line(
            Command.SAVE_PLAN,
            say("Save the Pla&n…"),
            say("Write the planned traces in their order, one a line; nothing is masked"),
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
            say("Take back a change of the list or of how it is judged; else one of what-if"),
        ),
        Line(Command.REDO, say("Red&o"), say("Do again what was taken back")),
        None,
        Line(
            Command.COPY_ANSWER,
            say("&Copy Answer"),
            say("Copy the score and every term of it as text"),
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
        Line(Command.FILTER, say("Fi&lter Traces"), say("Go to the filter of the list")),
        Line(Command.FIND, say("&Find in Steps"), say("Go to the search of the steps")),
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
        Line(Command.WHY, say("&Why"), say("Show why the trace scores what it scores")),
        Line(
            Command.WHAT_IF, say("W&hat-if"), say("Try what would change the score of this trace")
        ),
        Line(
            Command.NEIGHBOURS,
            say("&Neighbours"),
            say("Show the traces that novelty was compared with"),
        ),
        Line(
            Command.SHARING,
            say("Sharin&g"),
            say("Show what would leave the machine, and in which words"),
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
        Line(Command.PREVIOUS, say("&Previous Trace"), say("Go to the trace above")),
        Line(Command.NEXT, say("&Next Trace"), say("Go to the trace below")),
        None,
        Line(Command.GO_TO_STEP, say("&Go to Step…"), say("Go to a step by its number")),
        None,
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
        Line(Command.STOP, say("&Stop"), say("Stop; what is scored stays")),
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
        Line(Command.SWAP_SIDES, say("&Swap Sides"), say("Exchange left and right")),
        Line(
            Command.COPY_COMPARISON,
            say("Cop&y Comparison"),
            say("Copy scores, differences and changed words as text"),
        ),
        Line(
            Command.CLOSE_COMPARISON,
            say("C&lose Comparison"),
            say("Show the steps of the current trace again"),
        ),
    )


def _help() -> Menu:
    return _menu(
        "help",
        say("&Help"),
        Line(Command.HELP, say("&Help"), say("Read about the pane that has the keys")),
        Line(Command.KEYS, say("&Keyboard Shortcuts"), say("List every key")),
        None,
        Line(Command.ABOUT, say("&About kpinspector"), say("Versions and licences")),
    )


def menus() -> tuple[Menu, ...]:
    """All menus of the menu bar, in the user's language."""
    return _file(), _edit(), _view(), _go(), _score(), _compare(), _help()
