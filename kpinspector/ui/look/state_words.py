"""The words for the states of rows."""

from kpinspector.app.values import State
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say


def state_word(state: State) -> str:
    """The word for a state."""
    return {
        State.ACCEPTED: say("accepted"),
        State.REJECTED: say("rejected"),
        State.UNDECIDED: say("undecided"),
        State.PENDING: say("pending"),
        State.NOT_SCORABLE: say("not scorable"),
        State.UNREADABLE: say("not readable"),
        State.SKIPPED: say("skipped"),
        State.REPORT: say("report"),
        State.UNREAD: say("not read"),
    }[state]


def counted_state(state: State, number: int) -> str:
    """How many rows have a state, as "3 accepted"."""
    return say("{number} {state}", number=shown_count(number), state=state_word(state))
