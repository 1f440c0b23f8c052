"""Write the man page and the completions from the parser: python packaging/make_manual.py."""

import argparse
import os
import re
from collections.abc import Iterator
from pathlib import Path

import shtab
from argparse_manpage.manpage import Manpage

from kpinspector import __version__
from kpinspector.cli import SHELLS, parser_of_all

ROOT = Path(__file__).resolve().parents[1]
FILES = {"PATH", "FILE", "A", "B", "REPORT", "OUT.jsonl"}
NAME = "show why a reasoning trace scores what it scores"
SYNOPSIS = r""".B kpinspector
[\fIPATH\fR ...] [\-\-guest | \-\-fresh] [\-\-data\-dir \fIDIR\fR]
.br
.B kpinspector
\fICOMMAND\fR ..."""


def every_parser(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and those of its commands; what names a file is marked for the shells."""
    yield parser
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way to them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for one in action.choices.values():
                yield from every_parser(one)
        elif action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar == "DIR":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]


def completions() -> dict[str, str]:
    """What each shell reads."""
    parser = parser_of_all(whole=True)
    for one in every_parser(parser):
        for action in one._actions:  # noqa: SLF001
            for named in getattr(action, "_choices_actions", ()):
                action.choices[named.dest].description = named.help  # type: ignore[index]
    return {shell: shtab.complete(parser, shell) for shell in SHELLS}


def man_page() -> str:
    """The page, dated by the release."""
    parser = parser_of_all(whole=True)
    for one in every_parser(parser):
        one.usage = ""  # the page of a command begins with what it does
    about = ROOT / "packaging/linux/io.github.kpinspector.kpinspector.metainfo.xml"
    found = re.search(r'<release version="\S+" date="(\S+)"', about.read_text(encoding="utf-8"))
    data = {
        "description": NAME,
        "manual_title": "User Commands",
        "version": __version__,
        "date": found[1] if found else "",
    }
    page = Manpage(parser, data, format="single-commands-section")
    page.add_section("synopsis", "=", SYNOPSIS)
    tight = re.sub(r"\n{2,}(?=\.)", "\n", str(page).replace("usage: \n", ""))
    return re.sub(r"\n{2,}", "\n.PP\n", tight)


def main() -> None:
    """Write them all."""
    os.environ["COLUMNS"] = "10000"  # the reader's terminal breaks the lines
    for shell, text in completions().items():
        (ROOT / "resources/completions" / shell).write_text(text, encoding="utf-8")
    (ROOT / "packaging/linux/kpinspector.1").write_text(man_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
