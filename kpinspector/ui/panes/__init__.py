"""The panes that show one trace, or two side by side, and the wishes that panes emit."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeAlias


class Do(Enum):
    """What a pane can ask the window to do."""

    ASK = auto()
    STOP = auto()
    FIND_CHANGES = auto()
    COPY = auto()
    GO_TO_STEP = auto()
    SHOW_NEIGHBOURS = auto()
    COMPARE = auto()
    OPEN = auto()
    TRY = auto()
    SHOW_TRIED = auto()
    LEAVE_OUT = auto()
    END_GESTURE = auto()
    UNDO = auto()
    REDO = auto()
    TAKE_WAY = auto()
    TAKE_LEVEL = auto()
    SAVE_BODY = auto()
    # on the Batch page
    SEE = auto()
    RESUME = auto()
    FILTER = auto()
    TAKE_GROUP = auto()
    LINK_AT = auto()
    SELECT = auto()
    SHOW = auto()
    KEEP = auto()
    WISH_NOTHING = auto()


@dataclass(frozen=True, slots=True)
class Wish:
    """What a pane asks for, and what the request is about.

    Attributes:
        of: By ``do``, a question, row, explanation, neighbour, scenario, novelty, index of a step,
            way, or level (None for the trace's own); on the Batch page the text of a
            filter, a group, a similarity, places of traces, or whether the page is visible: nothing
            is computed while it is not.
        words: What a scenario changes, for the menu entry of Undo.
        key: Changes with the same key in one gesture are merged; with "" they never are.
    """

    do: Do
    of: Any = None
    words: str = ""
    key: str = ""


Tell: TypeAlias = Callable[[Wish], object]
"""Is called with a wish."""
