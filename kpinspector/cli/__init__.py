"""The command line without a display; loads no Qt."""

from kpinspector.cli.commands import COMMANDS, given_mode
from kpinspector.cli.parser import as_command, run, window_parser
from kpinspector.cli.streams import tell

__all__ = ["COMMANDS", "as_command", "given_mode", "run", "tell", "window_parser"]
