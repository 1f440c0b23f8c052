"""Formats that packages add."""

import re
import sys

import pytest

from kpinspector.__main__ import main
from kpinspector.runs.read import read_bytes
from kpinspector.runs.readers import added, formats
from tests.goldens import DATA
from tests.runs.made import lines, outline, taken

PAGE = (DATA.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
(READER,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
(ENTRY,) = re.findall(r"```toml\n\[project\.entry-points\.\"(.*?)\"\]\n(.*?)```", PAGE, re.DOTALL)
RECORDS = (
    {"field_log": 1, "who": "user", "said": "Dig a hole."},
    {"field_log": 1, "who": "agent", "said": "I dig."},
    {"field_log": 1, "who": "agent", "tool": "dig", "input": {"deep": 2}, "call": "a"},
    {"field_log": 1, "call": "a", "said": "a stone", "ok": False},
    {"field_log": 1, "who": "agent", "said": "Elsewhere then."},
)
UNKNOWN = b'{"field_diary": 1}\n{"field_diary": 2}\n'


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Installs a package as pip would: its module, and what its metadata say."""

    def installed(code: str, name: str = "field_log") -> None:
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
        metadata = tmp_path / f"{name}-1.0.dist-info"
        metadata.mkdir()
        named = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        (metadata / "METADATA").write_text(named, encoding="utf-8")
        group, line = ENTRY
        entry = f"[{group}]\n{line.replace('field_log:', f'{name}:')}".replace('"', "")
        (metadata / "entry_points.txt").write_text(entry, encoding="utf-8")

    monkeypatch.syspath_prepend(tmp_path)
    added.cache_clear()
    yield installed
    added.cache_clear()
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(path.stem, None)


def problems(data: bytes) -> list[str]:
    return [one.message for one in read_bytes(data, "field").problems]


def test_the_package_of_the_page_reads_its_files(install):
    before = problems(lines(*RECORDS))
    added.cache_clear()
    install(READER)
    look = "5 lines of JSON with field_log, who, said"
    said = f"no format that is known; it looks like {look} (kpinspector formats lists the formats)"
    assert before == [said]
    found = read_bytes(lines(*RECORDS), "field")
    assert not found.problems
    (record,) = found.traces
    assert record.source.format == "field-log" and record.trace.objective == "Dig a hole."
    (run,) = taken("field-log", *RECORDS).runs
    assert outline(run) == [
        "prompt Dig a hole.",
        "text I dig.",
        'call dig {"deep": 2}',
        "result failed a stone",
        "text Elsewhere then.",
    ]


def test_packages_are_loaded_only_for_a_file_of_no_known_format(install):
    install(READER)
    for sample in (DATA / "recordings").iterdir():
        read_bytes(sample.read_bytes(), sample.name)
    assert "field_log" not in sys.modules and "field-log" not in formats()
    read_bytes(UNKNOWN, "field")
    assert "field_log" in sys.modules and "field-log" in formats()


def test_the_formats_are_listed_with_where_they_come_from(install, capsys, monkeypatch, tmp_path):
    install(READER)
    assert main(["formats"]) == 0
    listed = [" ".join(one.split()) for one in capsys.readouterr().out.splitlines()]
    assert "field-log Field Log, from the package field_log 1.0, tested: 1.0" in listed
    assert any(line.startswith("pi pi, built in, tested: ") for line in listed)
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines(*RECORDS))
    assert main(["score", str(path), "--as", "field-log", "--guest"]) != 2
    assert "rejected" in capsys.readouterr().out
    added.cache_clear()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert main(["formats"]) == 0
    told = capsys.readouterr()
    assert "Field Log" not in told.out
    assert told.err == (
        "kpinspector: These are all: this program is a bundle, which takes no packages.\n"
    )


def test_a_package_may_say_any_folder(install, capsys, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines(*RECORDS))
    install(READER.replace('name="', f'where="{tmp_path}", name="'))
    assert main(["formats", "--here"]) == 0
    assert f"1 file in {tmp_path}" in " ".join(capsys.readouterr().out.split())


NONE = "lambda head: "
BROKEN = {
    "raise RuntimeError('no spade')": "RuntimeError: no spade",
    "raise SystemExit('no spade')": "SystemExit: no spade",
    "FORMAT = 7": "it is no Format",
    READER.replace('"field-log"', '"codex"'): "its id codex is taken",
    READER.replace('("1.0",)', "None"): "TypeError: can only join an iterable",
    READER.replace(NONE, f"{NONE}1 / 0 if head else "): "ZeroDivisionError: division by zero",
}


@pytest.mark.parametrize(("code", "fault"), BROKEN.items(), ids=range(len(BROKEN)))
def test_a_broken_package_is_said_and_skipped(install, capsys, code, fault):
    install(code, "bad_log")
    (problem,) = problems(UNKNOWN)
    said = f"the reader field-log of the package bad_log 1.0 is broken: {fault}"
    assert problem.endswith(f" (kpinspector formats lists the formats); {said}")
    assert main(["formats"]) == 0
    assert capsys.readouterr().err == f"kpinspector: {said}\n"


MAKES = "def blocks(line):\n"
SAYS = 'from line.inside("said").said(BlockKind.TEXT)'


@pytest.mark.parametrize(
    ("good", "bad", "line"),
    [
        (MAKES, f"{MAKES}    if line.get('call'): raise KeyError('spade')\n", 3),
        ("partial(EntryReader,", "partial(dict, 7,", 1),
        (SAYS, "line.block(BlockKind.TEXT, 7)", 5),
    ],
)
def test_a_reader_that_fails_is_told_where_it_fails(install, good, bad, line):
    install(READER.replace(good, bad))
    (problem,) = read_bytes(lines(*RECORDS), "field").problems
    said = "the reader field-log of the package field_log 1.0 is broken: "
    assert problem.message.startswith(said) and problem.line == line
    assert read_bytes((DATA / "recordings" / "pi.jsonl").read_bytes(), "pi").traces
