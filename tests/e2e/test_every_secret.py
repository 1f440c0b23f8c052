"""Nothing that is written shows more of a secret than its mask, wherever it cuts a text."""

import json

import pytest

from kpinspector.trace.clear import masked_in
from tests.every_secret import leaks, write_turned

pytestmark = pytest.mark.usefixtures("fake")
COMMANDS = (
    "score {traces}",
    "score {traces} --json",
    "score {traces} --csv -",
    "score {traces} --report {out}/report.json",
    "explain {traces} --today --alike",
    "explain {traces} --json",
    "explain {traces} --markdown -",
    "explain {traces} --html -",
    "summary {traces}",
    "summary {traces} --json",
    "summary {traces} --html -",
    "plan {traces}",
    "plan {traces} --json",
    "compare {traces}/turned.jsonl#1 {traces}/turned.jsonl#4",
    "compare {traces}/turned.jsonl#1 {traces}/turned.jsonl#4 --json",
    "sharing {traces} --as capture",
    "sharing {traces} --json",
    "replay {out}/report.json",
    "replay {out}/report.json {traces} --json",
    "memory list",
    "memory list --json",
    "memory forget {id}",
)
"""In their order: those at the end need what was scored."""


@pytest.mark.slow
def test_no_command_writes_more_of_a_secret_than_its_mask(tmp_path, run, monkeypatch):
    traces = write_turned(tmp_path / "traces", 10)
    first = json.loads((traces / "turned.jsonl").read_text(encoding="utf-8").partition("\n")[0])
    named = {"traces": traces, "out": tmp_path, "id": masked_in(first["id"])}
    for command in COMMANDS:
        monkeypatch.setenv("COLUMNS", "120")
        heard = run(*[one.format(**named) for one in command.split()])
        assert len(heard.out + heard.err) > 200 or command.startswith("memory forget"), command
        assert leaks(heard.out + heard.err) == set(), command
    assert leaks((tmp_path / "report.json").read_text(encoding="utf-8")) == set()
