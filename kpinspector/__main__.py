"""Entry: opens the window, or hands over to the command line."""

import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from kpinspector.errors import ExitStatus, KpError
from kpinspector.loading import loading


def main(argv: Sequence[str] | None = None) -> int:
    """Run kpinspector with the arguments after the program's name; returns the exit status."""
    if getattr(sys, "frozen", False):
        from multiprocessing import freeze_support  # noqa: PLC0415 - needed in a bundle only

        freeze_support()  # in a solver's process, which on Windows begins here, it never returns
    arguments = list(sys.argv[1:] if argv is None else argv)
    # pydantic would look for plugins of other packages, a sixth of its start-up, and run them here
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED
    except Exception:  # noqa: BLE001 - the last resort, with an exit status of its own
        _tell_bug()
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
    if not _has_display():
        sys.stderr.write("kpinspector: no display. `kpinspector score PATH` needs none.\n")
        return ExitStatus.PROBLEM
    with loading():
        from kpinspector.files import data_dir  # noqa: PLC0415
        from kpinspector.ui.application import run  # noqa: PLC0415 - loads Qt only when needed

    folder = data_dir(given.data_dir)
    paths = [str(Path(path).absolute()) for path in given.paths]
    return run(paths, folder, cli.given_mode(given))


def _tell_bug() -> None:
    """Write the traceback; its last line may hold text of a trace."""
    lines = traceback.format_exc().split("\n")
    sys.stderr.write(
        "\n".join("".join(c if c.isprintable() else "?" for c in one) for one in lines)
    )


def _has_display() -> bool:
    """Qt ends the process when there is none, so look first."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(one) for one in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


if __name__ == "__main__":
    sys.exit(main())
