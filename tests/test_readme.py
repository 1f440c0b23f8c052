"""What README shows is what the program prints."""

import re
from pathlib import Path

import pytest

from kpinspector.__main__ import main

ROOT = Path(__file__).parents[1]
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
EXAMPLES = re.findall(
    r"^```\n\$ kpinspector (.+)\n((?:.*\n)*?)```$", (ROOT / "README.md").read_text("utf-8"), re.M
)


def is_in_order(wanted, lines):
    """Every block of wanted lines stands in the lines, each behind the one before."""
    start = 0
    for block in wanted:
        places = [
            place
            for place in range(start, len(lines) - len(block) + 1)
            if lines[place : place + len(block)] == block
        ]
        if not places:
            return False
        start = places[0] + len(block)
    return True


def blocks_of(text):
    blocks = [[]]
    for line in text.splitlines():
        if line == ELLIPSIS:
            blocks.append([])
        else:
            blocks[-1].append(line)
    return [block for block in blocks if block]


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[one[0][:20] for one in EXAMPLES])
def test_the_examples_print_what_readme_shows(command, shown, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(ROOT)
    assert main([*command.split(), "--data-dir", str(tmp_path)]) in {0, 1, 2}
    printed = capsys.readouterr().out.splitlines()
    for block in (blocks := blocks_of(shown)):
        assert is_in_order([block], printed), block
    assert is_in_order(blocks, printed)


def test_an_answer_is_among_the_examples():
    assert any(command.startswith("explain ") and shown for command, shown in EXAMPLES)
