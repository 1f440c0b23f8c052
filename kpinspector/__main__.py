"""Entry: opens the window, or hands over to the command line."""

import os
import sys
import traceback
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from kpinspector import cli
from kpinspector.errors import ExitStatus
from kpinspector.files import data_dir
from kpinspector.scoring.mode import Mode
from kpinspector.settings import load_settings


def main(argv: Sequence[str] | None = None) -> int:
    """Run kpinspector with the arguments after the program's name; returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        if arguments and arguments[0] in (*cli.COMMANDS, "-h", "--help", "--version"):
            return cli.run(arguments)
        return _open_window(cli.window_parser().parse_args(arguments))
    except Exception:  # noqa: BLE001 - the last resort, with an exit status of its own
        traceback.print_exc()
        return ExitStatus.BUG


def _open_window(arguments: Namespace) -> int:
    if not _has_display():
        sys.stderr.write("kpinspector: no display. `kpinspector score PATH` needs none.\n")
        return ExitStatus.PROBLEM
    from kpinspector.ui.application import run  # noqa: PLC0415 - loads Qt only when needed

    folder = data_dir(arguments.data_dir)
    settings, notice = load_settings(folder)
    paths = [str(Path(path).absolute()) for path in arguments.paths]
    return run(paths, folder, _given_mode(arguments), settings, notice)


def _given_mode(arguments: Namespace) -> Mode | None:
    """The mode that the options ask for; None leaves it to the settings."""
    if arguments.fresh:
        return Mode.FRESH
    return Mode.GUEST if arguments.guest else None


def _has_display() -> bool:
    """Qt ends the process when there is none, so look first."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(one) for one in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


if __name__ == "__main__":
    sys.exit(main())
