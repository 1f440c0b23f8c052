"""Cases in a text: a title behind ``# ``, JSON texts, and behind ``=>`` what is made of them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def cases(path: Path) -> Iterator[tuple[str, list[Any], str]]:
    """The title of each case, its JSON texts, and what is made of them."""
    for case in path.read_text(encoding="utf-8").split("\n\n"):
        given, _, made = case.rstrip("\n").partition("\n=>")
        title, *texts = given.split("\n")
        yield title, [json.loads(one) for one in texts], made.lstrip("\n")


def renew(path: Path, told: Callable[[list[Any]], str]) -> None:
    """Write anew what is made of every case."""
    found = []
    for title, records, _ in cases(path):
        texts = (json.dumps(one, ensure_ascii=False) for one in records)
        found.append("\n".join([title, *texts, "=>", told(records)]))
    path.write_text("\n\n".join(found) + "\n", encoding="utf-8")


def facts(of: str, named: dict[str, Any]) -> str:
    """A line with all that is not empty."""
    said = {name: json.dumps(one, ensure_ascii=False) for name, one in named.items() if one}
    line = " ".join([of, *(f"{name}={one}" for name, one in said.items())])
    return line.encode("utf-8", "backslashreplace").decode()
