"""The command line without a display; loads no Qt."""

from kpinspector.cli.commands import COMMANDS, as_command, run, window_parser
from kpinspector.cli.streams import tell

__all__ = ["COMMANDS", "as_command", "run", "tell", "window_parser"]
