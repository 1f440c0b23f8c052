"""The panes that say something of one trace, or of two side by side, and what panes wish for."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeAlias


class Do(Enum):
    """What a pane can wish for."""

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
    # of all traces together
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
    """A wish, and what it is about.

    Attributes:
        of: A question, row, explanation, neighbour, scenario, novelty, index of a step, way or
            level, of which None is the trace's own. Of all traces the text of a
            filter, a group, a similarity, places of traces, or whether their page is seen: nothing
            is found while nobody looks.
        words: What a scenario changes, in the menu.
        key: Changes with one key are one within a gesture; "" is merged with nothing.
    """

    do: Do
    of: Any = None
    words: str = ""
    key: str = ""


Tell: TypeAlias = Callable[[Wish], object]
"""Takes a wish."""
