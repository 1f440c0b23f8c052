"""A language that no one speaks, to find what is not looked up in the catalogue.

Its messages are those of the template between brackets, in letters with accents. Traces are written
in Greek letters, so that words in plain Latin ones are names, or were never translated.
"""

import importlib
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kpinspector import files
from kpinspector.words import say
from tests import undecided
from tests.fakes import make_raw, save

# what has no translation: the program, the profiles, the schema's members and what they may be
NAMES = """kpinspector default finance code medical customer_service aggregated federated
private org network MiniLM all ReasoningTrace ExpertSOP metadata task steps outcome
id type success null true"""
# what a reader of recordings counts, and the format and the version that it reads
RECORDING = "lines Lines messages claude-code claude Claude Code"
_LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀćđéƒğĥíĵķĺɱńóþɋřśťúṽẃẋýžÁɃĆĐÉƑĞĤÍĴĶĹṀŃÓÞɊŘŚŤÚṼẂẊÝŽ",
)
_GREEK = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "αβψδεφγηιξκλμνοπρστθωςχυζϊΑΒΨΔΕΦΓΗΙΞΚΛΜΝΟΠΡΣΤΘΩϋΧΥΖΪ",
)
LANGUAGE = "vo"  # for which no system has messages of its own
_TEXTS = {"text", "content", "name"}
_KEPT = re.compile(r"(\{\w*\}|%\(\w+\)s|\{\{|\}\})")
# ids of traces, names of files, and members of JSON with their paths
_PATH = re.compile(r"kp:\w+:[\w#-]+|text:\w+|[0-9a-f]{12,}|[\w*-]*(?:[./][\w*-]+)+")
_WORD = re.compile(r"[A-Za-z_]{2,}")


_CALLS = [
    {"step_id": n, "type": "tool_call", "content": "look", "tool": {"name": "grep"}}
    for n in range(30)
]
_THOUGHT = [{"step_id": 0, "type": "thought", "content": "look"}]
_MIXED = [
    {"step_id": n, "type": kind, "content": f"step {n}", "tool": {"name": "abcdefghijkl"[n]}}
    for n, kind in enumerate(("thought", "tool_call", "observation", "error_recovery") * 3)
]
_WELL = {"outcome": {"result_summary": "", "confidence": 1}}
_BADLY = {"outcome": {"result_summary": "", "confidence": 2}}


@contextmanager
def spoken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The program speaks it meanwhile; its catalogue is loaded as that of any other language."""
    _write_catalogue(folder / "locale")
    with monkeypatch.context() as change:
        change.setenv("LANGUAGE", LANGUAGE)
        change.setattr(files, "resources", lambda: folder)
        importlib.reload(say)
    try:
        yield
    finally:
        importlib.reload(say)


def _write_catalogue(folder: Path) -> None:
    pofile = pytest.importorskip("babel.messages.pofile", reason="Babel reads the template")
    mofile = pytest.importorskip("babel.messages.mofile")
    with (files.resources() / "locale" / "kpinspector.pot").open("rb") as template:
        catalog = pofile.read_po(template, locale=LANGUAGE)
    for message in catalog:
        if message.id:
            many = isinstance(message.id, tuple)
            message.string = tuple(map(pseudo, message.id)) if many else pseudo(message.id)
    compiled = folder / LANGUAGE / "LC_MESSAGES" / "kpinspector.mo"
    compiled.parent.mkdir(parents=True)
    with compiled.open("wb") as out:
        mofile.write_mo(out, catalog)


def pseudo(message: str) -> str:
    """A message as that language has it; its places are as they were."""
    parts = _KEPT.split(message)
    return (
        f"⟦{''.join(one if at % 2 else one.translate(_LETTERS) for at, one in enumerate(parts))}⟧"
    )


def greek(text: str) -> str:
    """A text of a trace in other letters."""
    return text.translate(_GREEK)


def greek_raw(**changes: Any) -> dict[str, Any]:
    """A trace whose texts are in Greek letters, and what the schema has words for is not."""
    raw = make_raw(**changes)
    raw["task"] = {"objective": greek(raw["task"]["objective"])}
    raw["outcome"] = {**raw["outcome"], "result_summary": greek("found")}
    for step in raw["steps"]:
        step["content"] = greek(step["content"])
        if "tool" in step:
            step["tool"] = {"name": greek(step["tool"]["name"])}
    return raw


def greek_session() -> bytes:
    """A recording of another agent, whose texts are."""
    lines = [json.loads(line) for line in undecided.session().splitlines()]
    return "\n".join(json.dumps(_in_greek(line)) for line in lines).encode()


def write_samples(folder: Path) -> Path:
    """Traces, a run, a problem and a skipped unit: all verdicts, overrides and causes."""
    folder.mkdir()
    refused = greek_raw(id="kp:trace:2", steps=_CALLS, **_BADLY)
    refused["metadata"].update(success=1, task_domain="ψ", quality_score=0.3)
    failed = greek_raw(id="kp:trace:3", steps=[*_CALLS, {**_MIXED[3], "step_id": 30}])
    failed["metadata"].update(success=False, task_domain="finance")
    save(
        folder / "δ.jsonl",
        greek_raw(),
        refused,
        failed,
        greek_raw(id="kp:trace:4", steps=_THOUGHT),
        greek_raw(id="kp:trace:5", steps=_MIXED, **_WELL),
        greek_raw(id="kp:trace:5", steps=_MIXED, **_WELL),
        {**greek_raw(id=None), "metadata": None},
        greek_raw(**{"@type": "ExpertSOP", "id": "kp:sop:1"}),
    )
    (folder / "β.json").write_text('{"steps": [τρυ]}', encoding="utf-8")
    (folder / "λ.jsonl").write_bytes(greek_session())
    return folder


def _in_greek(value: Any) -> Any:
    if isinstance(value, list):
        return [_in_greek(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        name: greek(one) if name in _TEXTS and isinstance(one, str) else _in_greek(one)
        for name, one in value.items()
    }


def unsaid(texts: Iterable[str], *names: str) -> list[str]:
    """Those with a word in Latin letters that is no name."""
    known = {word for one in (NAMES, *names) for word in one.split()}
    return sorted({one for one in texts if not known.issuperset(_WORD.findall(_PATH.sub("", one)))})
