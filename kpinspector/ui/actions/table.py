"""Every command with its menu, its words, its key and its icon, once."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence

from kpinspector.ui.actions.names import COMPARING, THEMES, WHAT_IF, Command
from kpinspector.ui.look.icons import IconName


@dataclass(frozen=True, slots=True)
class Entry:
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
    lines: tuple[Entry | None, ...]


__all__ = ["COMPARING", "MENUS", "THEMES", "TRACE_MENU", "WHAT_IF", "Command", "Entry", "Menu"]

_KEY = QKeySequence.StandardKey
# heard only in the widgets that an action is added to, or in what is in them as well
_LOCAL = Qt.ShortcutContext.WidgetShortcut
_PANE = Qt.ShortcutContext.WidgetWithChildrenShortcut
_ROLE = QAction.MenuRole

_FILE = Menu(
    "file",
    "&File",
    (
        Entry(Command.OPEN, "&Open…", "Open trace files", _KEY.Open, icon=IconName.OPEN),
        Entry(
            Command.OPEN_FOLDER,
            "Open &Folder…",
            "Open all traces in a folder",
            own=("Ctrl+Shift+O",),
            icon=IconName.FOLDER,
        ),
        Entry(Command.OPEN_RECENT, "Open &Recent", "Open what was open before"),
        Entry(Command.OPEN_SAMPLES, "Open &Samples", "Open the bundled samples"),
        Entry(
            Command.PASTE,
            "&Paste as Trace",
            "Score the JSON text or the files on the clipboard",
            _KEY.Paste,
            icon=IconName.PASTE,
        ),
        None,
        Entry(
            Command.RELOAD,
            "Reloa&d",
            "Read all open files again",
            _KEY.Refresh,
            icon=IconName.RELOAD,
        ),
        Entry(
            Command.OPEN_IN_EDITOR,
            "Open &in Editor",
            "Open the file in the program that the system has for it",
            icon=IconName.OPEN_EXTERNAL,
        ),
        None,
        Entry(
            Command.EXPORT,
            "&Export Report…",
            "Write the report on all traces as JSON",
            own=("Ctrl+Shift+E",),
            icon=IconName.EXPORT,
        ),
        Entry(
            Command.EXPORT_TRACE,
            "Export Report on Se&lected Traces…",
            "Write the report on the selected traces as JSON",
        ),
        Entry(
            Command.EXPORT_LIST,
            "Export List as CS&V…",
            "Write the list as a table for spreadsheets",
        ),
        Entry(
            Command.EXPORT_MARKDOWN,
            "Export Explanation as &Markdown…",
            "Write why the selected traces score what they score, as Markdown",
        ),
        Entry(
            Command.EXPORT_HTML,
            "Export Explanation as H&TML…",
            "Write why the selected traces score what they score, as a page of its own",
        ),
        None,
        Entry(
            Command.CLOSE_ALL,
            "&Close All",
            "Take all traces off the list",
            own=("Ctrl+Shift+W",),
        ),
        Entry(
            Command.QUIT,
            "&Quit",
            "Stop and close the window",
            _KEY.Quit,
            ("Ctrl+Q",),
            role=_ROLE.QuitRole,
        ),
    ),
)

_EDIT = Menu(
    "edit",
    "&Edit",
    (
        Entry(
            Command.UNDO,
            "&Undo",
            "Take back what was removed, from the list; else the last change of what-if",
            _KEY.Undo,
            icon=IconName.UNDO,
        ),
        Entry(
            Command.REDO,
            "Red&o",
            "Do again what was taken back",
            _KEY.Redo,
            icon=IconName.REDO,
        ),
        None,
        Entry(
            Command.COPY_ANSWER,
            "&Copy Answer",
            "Copy the score and every term of it as text",
            own=("Ctrl+Shift+C",),
            icon=IconName.COPY,
        ),
        Entry(
            Command.COPY_TEXT,
            "Copy Step as &Text",
            "Copy the step's fields as plain text",
            _KEY.Copy,
            context=_LOCAL,
        ),
        Entry(Command.COPY_JSON, "Copy Step as &JSON", "Copy the step as it was read"),
        Entry(
            Command.COPY_POINTER, "Copy JSON &Pointer", "Copy where in its trace the step stands"
        ),
        Entry(Command.COPY_PATH, "Copy File Pat&h", "Copy the path of the trace's file"),
        None,
        Entry(
            Command.REMOVE,
            "&Remove from List",
            "Take the selected traces off the list; files and memory stay",
            _KEY.Delete,
            context=_LOCAL,
        ),
        Entry(
            Command.UNDO_REMOVE,
            "Un&do Remove",
            "Bring back what was taken off the list last, with its score and what-ifs",
        ),
        None,
        Entry(
            Command.FILTER,
            "Fi&lter Traces",
            "Go to the filter of the list",
            own=("Ctrl+L",),
            icon=IconName.FILTER,
        ),
        Entry(
            Command.FIND,
            "&Find in Steps",
            "Go to the search of the steps",
            _KEY.Find,
            icon=IconName.SEARCH,
        ),
        Entry(
            Command.FIND_NEXT, "Find &Next", "Go to the next place that was found", _KEY.FindNext
        ),
        Entry(
            Command.FIND_PREVIOUS,
            "Find Pre&vious",
            "Go to the place found before",
            _KEY.FindPrevious,
        ),
        None,
        Entry(
            Command.SETTINGS,
            "&Settings…",
            "Threshold, memory, look and what is restored",
            _KEY.Preferences,
            ("Ctrl+,", "Ctrl+Shift+,"),
            role=_ROLE.PreferencesRole,
        ),
    ),
)

_VIEW = Menu(
    "view",
    "&View",
    (
        Entry(Command.SHOW_TRACES, "Tra&ces", "Show the list of traces, or hide it", own=("F9",)),
        Entry(
            Command.SHOW_STEP,
            "Step Det&ails",
            "Show what is in the step below the steps, or hide it",
            own=("Shift+F9",),
        ),
        Entry(
            Command.SHOW_SCORE,
            "Sc&ore",
            "Show the score and all that is said of it, or hide it",
            own=("Ctrl+F9",),
        ),
        None,
        Entry(
            Command.ZOOM_IN, "Zoom &In", "Write everything larger", _KEY.ZoomIn, also=("Ctrl+=",)
        ),
        Entry(Command.ZOOM_OUT, "Zoom O&ut", "Write everything smaller", _KEY.ZoomOut),
        Entry(
            Command.ACTUAL_SIZE,
            "Actual Si&ze",
            "Write everything in the size that the system has",
            own=("Ctrl+0",),
        ),
        None,
        Entry(Command.EXPAND_ALL, "&Expand All", "Show what hangs under every step"),
        Entry(Command.COLLAPSE_ALL, "Colla&pse All", "Hide what hangs under every step"),
        None,
        Entry(Command.THEME_SYSTEM, "&System Theme", "Light or dark, as the desktop says"),
        Entry(Command.THEME_LIGHT, "&Light Theme", "Dark text on a light ground"),
        Entry(Command.THEME_DARK, "&Dark Theme", "Light text on a dark ground"),
        None,
        Entry(
            Command.RESTORE_LAYOUT,
            "&Restore Default Layout",
            "Put all panes back where they were at first",
        ),
    ),
)

_GO = Menu(
    "go",
    "&Go",
    (
        Entry(
            Command.PREVIOUS,
            "&Previous Trace",
            "Go to the trace above",
            own=("Alt+Up", "Ctrl+Shift+P"),
            icon=IconName.BACK,
        ),
        Entry(
            Command.NEXT,
            "&Next Trace",
            "Go to the trace below",
            own=("Alt+Down", "Ctrl+Shift+N"),
            icon=IconName.FORWARD,
        ),
        None,
        Entry(Command.GO_TO_STEP, "&Go to Step…", "Go to a step by its number", own=("Ctrl+J",)),
        None,
        Entry(Command.WHY, "&Why", "Show why the trace scores what it scores", own=("Alt+1",)),
        Entry(
            Command.NEIGHBOURS,
            "Neigh&bours",
            "Show the traces that novelty was compared with",
            own=("Alt+3",),
        ),
        Entry(Command.REPORT, "&Report", "Show the report on the trace as JSON", own=("Alt+4",)),
        Entry(Command.NEXT_TAB, "Next &Tab", "Show the next tab of the score", own=("Ctrl+Tab",)),
        Entry(
            Command.PREVIOUS_TAB,
            "Previou&s Tab",
            "Show the tab of the score before",
            own=("Ctrl+Shift+Tab",),
        ),
        None,
        Entry(Command.NEXT_PANE, "N&ext Pane", "Take the keys to the next pane", own=("F6",)),
        Entry(
            Command.PREVIOUS_PANE,
            "Pre&vious Pane",
            "Take the keys to the pane before",
            own=("Shift+F6",),
        ),
    ),
)

_SCORE = Menu(
    "score",
    "&Score",
    (
        Entry(
            Command.STOP,
            "&Stop",
            "Stop; what is scored stays",
            own=("Ctrl+.", "Ctrl+Shift+."),
            icon=IconName.STOP,
        ),
        Entry(Command.RESUME, "&Resume", "Score what is still pending"),
        None,
        Entry(
            Command.WHAT_IF,
            "&What-if",
            "Try what would change the score of this trace",
            own=("Alt+2",),
        ),
        Entry(
            Command.MEASURE_AGAIN,
            "Measure &Novelty Again",
            "Compare the text that what-if leaves with today's memory; remembers nothing",
        ),
        Entry(Command.RESET_WHAT_IF, "Rese&t What-if", "Try nothing any more"),
        Entry(
            Command.SAVE_SCENARIO,
            "Sa&ve as Scenario…",
            "Keep what is tried under a name; the report has it",
        ),
        None,
        Entry(
            Command.SCORE_AGAIN,
            "Score &Again",
            "Compare the selected traces with today's memory; replaces their findings",
            own=("Ctrl+Shift+R",),
        ),
        Entry(
            Command.FORGET, "&Forget Selected Traces", "Take the selected traces out of the memory"
        ),
        Entry(Command.REPLAY, "Repla&y Report", "Compute the scores of the current report again"),
        None,
        Entry(Command.MANAGE_MEMORY, "&Manage Memory…", "See what is remembered and forget it"),
        Entry(Command.CLEAR_MEMORY, "&Clear Memory…", "Forget every trace"),
    ),
)

_COMPARE = Menu(
    "compare",
    "&Compare",
    (
        Entry(
            Command.COMPARE,
            "Com&pare Selected",
            "Put two selected traces side by side, or one and its nearest",
            own=("Ctrl+Shift+D",),
            icon=IconName.COMPARE,
        ),
        Entry(
            Command.COMPARE_NEAREST,
            "Compare with &Nearest",
            "Put this trace and the one that set its novelty side by side",
        ),
        None,
        Entry(
            Command.NEXT_DIFFERENCE,
            "Next &Difference",
            "Go to the next step that is not the same on both sides",
            own=("F8",),
        ),
        Entry(
            Command.PREVIOUS_DIFFERENCE,
            "Pre&vious Difference",
            "Go to the step before that is not the same on both sides",
            own=("Shift+F8",),
        ),
        None,
        Entry(
            Command.SWAP_SIDES,
            "&Swap Sides",
            "Exchange left and right",
            icon=IconName.SWAP,
        ),
        Entry(
            Command.COPY_COMPARISON,
            "Cop&y Comparison",
            "Copy scores, differences and changed words as text",
        ),
        Entry(
            Command.CLOSE_COMPARISON,
            "C&lose Comparison",
            "Show the steps of the current trace again",
            own=("Esc",),
            icon=IconName.CLOSE,
            context=_PANE,
        ),
    ),
)

_HELP = Menu(
    "help",
    "&Help",
    (
        Entry(
            Command.KEYS,
            "&Keyboard Shortcuts",
            "List every key",
            _KEY.HelpContents,
            ("F1",),
        ),
        None,
        Entry(
            Command.ABOUT,
            "&About kpinspector",
            "Versions and licences",
            role=_ROLE.AboutRole,
        ),
    ),
)

MENUS: tuple[Menu, ...] = (_FILE, _EDIT, _VIEW, _GO, _SCORE, _COMPARE, _HELP)

# of a row of the list; None stands for a line
TRACE_MENU: tuple[Command | None, ...] = (
    Command.OPEN_IN_EDITOR,
    Command.RELOAD,
    None,
    Command.COPY_ANSWER,
    Command.COPY_PATH,
    None,
    Command.COMPARE,
    None,
    Command.SCORE_AGAIN,
    Command.FORGET,
    Command.REPLAY,
    None,
    Command.EXPORT_TRACE,
    Command.EXPORT_MARKDOWN,
    Command.EXPORT_HTML,
    None,
    Command.REMOVE,
)
