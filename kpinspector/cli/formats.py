"""``kpinspector formats``: what recordings are read, and in which versions that was tested."""

import argparse

from kpinspector.cli.streams import print_out, terminal_width
from kpinspector.errors import ExitStatus
from kpinspector.runs.readers import formats
from kpinspector.words.say import say
from kpinspector.words.writers.columns import labelled


def run(_arguments: argparse.Namespace) -> int:
    """Print a line for each format."""
    widest = max(map(len, formats()))
    rows = [
        (
            f"{form:{widest}}",
            say("{name}, tested: {versions}", name=info.name, versions=", ".join(info.tested)),
        )
        for form, info in formats().items()
    ]
    print_out("".join(f"{line}\n" for line in labelled(rows, terminal_width())))
    return ExitStatus.OK
