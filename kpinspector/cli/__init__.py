"""The command line without a display; loads no Qt."""

from kpinspector.cli.commands import COMMANDS, as_command, parser_of_all, run, window_parser
from kpinspector.cli.streams import SHELLS, tell

__all__ = ["COMMANDS", "SHELLS", "as_command", "parser_of_all", "run", "tell", "window_parser"]
