"""The traces of a plan as one file, in its order."""

from collections.abc import Sequence

from kpinspector.batch.ordered import ordered_lines
from kpinspector.errors import KpError
from kpinspector.trace.read import TraceRecord
from kpinspector.words.say import in_words, say


def plan_file(records: Sequence[TraceRecord], stdin: tuple[str, bytes] = ("", b"")) -> bytes:
    """One record a line, in UTF-8. A recording is converted; its outcome is to be known.

    Args:
        records: In the order of the plan.
        stdin: What standard input is called as a path, and what it gave.

    Raises:
        KpError: a file cannot be read any more, or was changed.
    """
    try:
        return ordered_lines(records, stdin)
    except OSError as error:
        reason = in_words(error.strerror or str(error))
        raise KpError(
            say("{path} could not be read again: {reason}", path=error.filename, reason=reason)
        ) from error
