"""How a command that judges traces ends."""

from collections.abc import Collection, Sequence

from kpinspector.cli.streams import say
from kpinspector.errors import ExitStatus
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.memory.memory import Memory
from kpinspector.trace.read import Problem


def exit_status(
    verdicts: Collection[Verdict], problems: Sequence[Problem], memory: Memory
) -> ExitStatus:
    """2 for a problem or no trace at all, else 1 for a rejected one, else 0.

    A memory that could not be used, or of which something was lost, is a problem too: verdicts may
    differ by it. One that can only be read answers as it is, and changes nothing here.
    """
    if problems or memory.lost:
        return ExitStatus.PROBLEM
    if not verdicts:
        say("No trace was found.")
        return ExitStatus.PROBLEM
    return ExitStatus.REJECTED if Verdict.REJECTED in verdicts else ExitStatus.OK
