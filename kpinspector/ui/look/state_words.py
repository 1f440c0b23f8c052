"""The words for what a row says first."""

from PySide6.QtCore import QObject

from kpinspector.app.judging import State


def state_word(context: QObject, state: State) -> str:
    """The word for a state."""
    return {
        State.ACCEPTED: context.tr("accepted"),
        State.REJECTED: context.tr("rejected"),
        State.PENDING: context.tr("pending"),
        State.NOT_SCORABLE: context.tr("not scorable"),
        State.UNREADABLE: context.tr("not readable"),
        State.SKIPPED: context.tr("skipped"),
        State.REPORT: context.tr("report"),
    }[state]
