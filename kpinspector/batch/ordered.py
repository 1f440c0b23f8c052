"""The traces of a plan as one file: in its order, each as it stands in its own."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from kpinspector.errors import KpError
from kpinspector.phrase import Phrase
from kpinspector.runs.read import RunRecord
from kpinspector.trace.decode import decode
from kpinspector.trace.encode import encoded
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import TraceRecord, read_text
from kpinspector.trace.step_source import cut_records

_LINE_ENDS = str.maketrans("\r\n", "  ")  # only between tokens: within a text they are escaped


def ordered_lines(records: Sequence[TraceRecord], stdin: tuple[str, bytes] = ("", b"")) -> bytes:
    """One record a line, in UTF-8. A recording is converted; its outcome is to be known.

    Args:
        records: In the order in which they are to be written.
        stdin: What standard input is called as a path, and what it gave.

    Raises:
        OSError: a file cannot be read any more.
        KpError: a file was changed since it was read.
    """
    by_path: defaultdict[str, list[int]] = defaultdict(list)
    lines = [""] * len(records)
    for number, record in enumerate(records):
        if isinstance(record, RunRecord):
            lines[number] = encoded(record.imported.converted())
        else:
            by_path[record.source.path].append(number)
    for path, numbers in by_path.items():
        in_file = sorted(numbers, key=lambda number: records[number].source.record or 1)
        text = decode(stdin[1]).data.decode() if path == stdin[0] else _text(path)
        try:
            found = cut_records(text, [records[number].trace.raw for number in in_file])
        except ValueError as error:
            raise KpError(
                Phrase("{path} was changed since it was read.", path=path), str(error)
            ) from error
        for number, one in zip(in_file, found, strict=True):
            lines[number] = one.translate(_LINE_ENDS)
    return "".join(f"{line}\n" for line in lines).encode()


def _text(path: str) -> str:
    return read_text(FoundFile(Path(path), path, named=True))
