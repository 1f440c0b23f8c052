"""The names of all commands, and which of them belong together."""

from enum import StrEnum

from kpinspector.words.writers import EXPLANATIONS, LISTS


class Command(StrEnum):
    """The name of every action."""

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
    KEYS = "keys"
    ABOUT = "about"
    # one for each format, such as EXPORT_HTML
    vars().update({f"EXPORT_{one.upper()}": f"export_{one}" for one in (*LISTS, *EXPLANATIONS)})


def export_of(name: str) -> Command:
    """The command that exports in a format."""
    return Command(f"export_{name}")


THEMES = (Command.THEME_SYSTEM, Command.THEME_LIGHT, Command.THEME_DARK)
PANES = (Command.SHOW_TRACES, Command.SHOW_STEP, Command.SHOW_SCORE)
UNDOING = frozenset({Command.UNDO, Command.REDO})
"""Commands that are enabled by the undo history."""
VIEW = frozenset(
    {
        *PANES,
        Command.ZOOM_IN,
        Command.ZOOM_OUT,
        Command.ACTUAL_SIZE,
        Command.NEXT_TAB,
        Command.PREVIOUS_TAB,
        Command.WHY,
        Command.NEIGHBOURS,
        Command.SHARING,
    }
)
"""Commands that are enabled by the layout of the window."""
WHAT_IF = frozenset({Command.WHAT_IF, Command.RESET_WHAT_IF, Command.MEASURE_AGAIN})
"""Commands that are enabled by the what-if of the current trace."""
COMPARING = frozenset(
    {
        Command.COMPARE,
        Command.COMPARE_NEAREST,
        Command.NEXT_DIFFERENCE,
        Command.PREVIOUS_DIFFERENCE,
        Command.SWAP_SIDES,
        Command.COPY_COMPARISON,
        Command.CLOSE_COMPARISON,
    }
)
"""Commands that are enabled by a comparison, or by rows that can be compared."""
BATCH = frozenset({Command.SHOW_BATCH, Command.EXPORT_SUMMARY, Command.SAVE_PLAN})
"""Commands that are enabled by what is known of all traces together."""

EXPORTS = (
    Command.EXPORT,
    Command.EXPORT_TRACE,
    *map(export_of, (*LISTS, *EXPLANATIONS)),
    Command.EXPORT_RUN,
)

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
"""The commands of a row of the list; None stands for a line."""
