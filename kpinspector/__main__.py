"""Entry: opens the window, or hands over to the command line."""

import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from kpinspector.errors import ExitStatus, KpError
from kpinspector.loading import loading

_PACKAGES: Final = (
    "libegl1 libgl1 libfontconfig1 libglib2.0-0 libdbus-1-3 libxkbcommon-x11-0 libxcb-cursor0"
    " libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0"
    " libxcb-sync1 libxcb-xfixes0 libxcb-xkb1"
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run kpinspector with the arguments after the program's name; returns the exit status."""
    if getattr(sys, "frozen", False):
        from multiprocessing import freeze_support  # noqa: PLC0415 - needed in a bundle only

        freeze_support()  # never returns in a solver's process, which begins here on Windows
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED
    except Exception:  # noqa: BLE001 - the last resort, with an exit status of its own
        # the last line of a traceback may hold text of a trace
        lines = traceback.format_exc().split("\n")
        shown = ("".join(c if c.isprintable() else "?" for c in one) for one in lines)
        sys.stderr.write("\n".join(shown))
        return ExitStatus.BUG


def _run(arguments: Sequence[str]) -> int:
    with loading():
        from kpinspector import cli  # noqa: PLC0415
    try:
        command = cli.as_command(arguments)
    except KpError as error:
        cli.tell(error.message)
        return ExitStatus.PROBLEM
    if command is not None:
        return cli.run(command)
    given = cli.window_parser().parse_args(arguments)
    # Qt ends the process when there is no display, so check first
    displays = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    if sys.platform.startswith("linux") and not any(map(os.environ.get, displays)):
        return _tell_no_window("no display")
    try:
        with loading():
            import PySide6.QtGui  # noqa: F401, PLC0415 - the first that needs the system's libraries
    except ImportError as error:
        return _tell_no_window(str(error))
    with loading():
        from kpinspector.files import data_dir  # noqa: PLC0415
        from kpinspector.ui.application import run  # noqa: PLC0415 - loads Qt only when needed

    folder = data_dir(given.data_dir)
    paths = [str(Path(path).absolute()) for path in given.paths]
    return run(paths, folder, given.mode, _tell_no_window)


def _tell_no_window(reason: str) -> int:
    """Say why no window can be opened, as Qt or the system put it; returns the exit status."""
    from kpinspector import cli  # noqa: PLC0415
    from kpinspector.words.say import say  # noqa: PLC0415

    sentences = [say("No window can be opened: {reason}.", reason=reason.strip(" ."))]
    if sys.platform.startswith("linux") and "lib" in reason:
        sentences.append(
            say("On Debian and Ubuntu, Qt needs the packages {packages}.", packages=_PACKAGES)
        )
    sentences.append(say("`kpinspector score PATH` needs no window."))
    cli.tell(" ".join(sentences))
    return ExitStatus.PROBLEM


if __name__ == "__main__":
    sys.exit(main())
