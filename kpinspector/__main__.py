"""Entry: opens the window, or hands over to the command line."""

import sys
import traceback
from collections.abc import Sequence

from kpinspector import cli

EXIT_INTERNAL = 3


def main(argv: Sequence[str] | None = None) -> int:
    """Run kpinspector with the arguments after the program's name; returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        if arguments and arguments[0] in (*cli.COMMANDS, "-h", "--help", "--version"):
            return cli.run(arguments)
        from kpinspector.ui.application import run  # noqa: PLC0415 - loads Qt only when needed

        return run(arguments)
    except Exception:  # noqa: BLE001 - the last resort, with an exit status of its own
        traceback.print_exc()
        return EXIT_INTERNAL


if __name__ == "__main__":
    sys.exit(main())
