"""The traces of a plan as one JSON Lines file, in its order, each as its own file has it."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from kpinspector.errors import KpError
from kpinspector.phrase import Phrase
from kpinspector.runs.read import RunRecord
from kpinspector.trace.bytes import decode, encoded
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import read_text
from kpinspector.trace.records import TraceRecord
from kpinspector.trace.step_source import cut_records

_LINE_ENDS = str.maketrans("\r\n", "  ")  # between tokens only: strings have them escaped


def ordered_lines(records: Sequence[TraceRecord], stdin: tuple[str, bytes] = ("", b"")) -> bytes:
    """One record per line, in UTF-8. A recording is converted; its outcome has to be known.

    Args:
        records: The records in the order of the lines.
        stdin: The path that stands for standard input, and the bytes that were read from it.

    Raises:
        OSError: a file can no longer be read.
        KpError: a file has changed since it was read.
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
