"""What README and its pages show is what the program prints."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from kpinspector.__main__ import main
from kpinspector.cli import COMMANDS, parser_of_all
from kpinspector.trace.clear import LOOKED_FOR
from kpinspector.words.sharing import looked_for_names

ROOT = Path(__file__).parents[1]
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
PATHS = [ROOT / "README.md", *sorted((ROOT / "resources" / "help").glob("*.md"))]
PAGES = "\n".join(path.read_text("utf-8") for path in PATHS)
EXAMPLES = re.findall(r"^```\n\$ kpinspector (.+)\n((?:.*\n)*?)```$", PAGES, re.M)
OF_AGENTS = re.findall(r"^kpinspector (explain .*)(~/\S+)$", PAGES, re.M)


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[one[0][:20] for one in EXAMPLES])
def test_the_examples_print_what_readme_shows(command, shown, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(ROOT)
    assert main([*command.split(), "--data-dir", str(tmp_path)]) in {0, 1, 2}
    printed, at = f"\n{capsys.readouterr().out}", 0
    for block in re.split(f"^{ELLIPSIS}\n", shown, flags=re.M):
        at = printed.find(f"\n{block}", at) + 1
        assert at, block
        at += len(block) - 1  # its last line end begins the next


def test_the_page_of_the_library_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    text = (ROOT / "resources/help/library.md").read_text("utf-8")
    names: dict[str, object] = {}
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S):
        exec(block, names)
    assert "plan" in names


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_what_a_page_points_at_is_there(path):
    text = path.read_text("utf-8")
    found = re.findall(r"\]\((?!https:)([^)#]+)", text) + re.findall(r'src(?:set)?="([^"]+)"', text)
    assert [one for one in found if not (path.parent / one).is_file()] == []


def test_the_map_of_the_house_names_what_is_there():
    rooms = "|".join(path.name for path in (ROOT / "kpinspector").iterdir() if path.is_dir())
    named = re.findall(f"`((?:{rooms})/[\\w/]+)`", (ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    paths = [ROOT / "kpinspector" / one for one in named]
    assert [one for one in paths if not (one.is_dir() or one.with_suffix(".py").is_file())] == []
    assert named


def test_the_pages_list_all_that_is_looked_for():
    words = " ".join(PAGES.split())
    assert f"{len(LOOKED_FOR)} kinds: {looked_for_names()}." in words


def test_an_answer_is_among_the_examples():
    assert any(command.startswith("explain ") and shown for command, shown in EXAMPLES)


def session(prompt, **members):
    own = {"sessionId": "5e55", "uuid": "1", **members}
    said = {"id": "m", "content": [{"type": "text", "text": "Seven."}]}
    return [
        {"type": "user", "message": {"content": prompt}, **own},
        {"type": "assistant", "message": said, **own},
    ]


def rollout(prompt):
    def said(role, text):
        content = [{"type": "text", "text": text}]
        return {"type": "message", "role": role, "content": content}

    items = [said("user", prompt), said("assistant", "Seven.")]
    header = {"type": "session_meta", "payload": {"id": "0f5e"}}
    return [header, *({"type": "response_item", "payload": item} for item in items)]


@pytest.fixture
def agents_home(tmp_path, monkeypatch):
    """A home where agents keep their sessions."""
    for name, lines in {
        ".claude/projects/-srv-barn/5e55.jsonl": session("Pears"),
        ".claude/projects/-srv-barn/5e55/subagents/agent-a1.jsonl": session(
            "Plums", isSidechain=True, agentId="a1"
        ),
        ".codex/sessions/2026/05/04/rollout-2026-05-04T08-00-00-0f5e.jsonl": rollout("Apples"),
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_the_commands_for_agents_explain_their_sessions_and_remember_none(agents_home, capsys):
    memory = ["--data-dir", str(agents_home / "data")]
    shown = []
    for command, path in OF_AGENTS:
        assert main([*command.split(), str(Path(path).expanduser()), *memory]) == 1
        shown.append(re.findall(r"^  objective +(.+)$", capsys.readouterr().out, re.M))
    assert shown == [["Pears", "Plums"], ["Apples"]]
    assert main(["memory", "list", *memory]) == 0
    assert not re.search("Pears|Plums|Apples", capsys.readouterr().out)


def test_the_commands_for_one_session_state_its_outcome(agents_home, monkeypatch, capsys):
    path = next((agents_home / ".claude").rglob("5e55.jsonl"))
    monkeypatch.chdir(path.rename(agents_home / "session.jsonl").parent)
    commands = re.findall(r"^kpinspector (\w+ session\.jsonl .+)$", PAGES, re.M)
    ended = [main([*one.split(), "--data-dir", "data"]) for one in commands]
    assert ended == [1, 0] and Path("traces.jsonl").is_file()


def test_the_commands_that_a_page_names_have_these_options():
    named = re.findall(r"(?:`|^\$ |^)kpinspector ([a-z]+)\b([^`\n]*)", PAGES, re.M)
    assert {command for command, _ in named} == COMMANDS.keys()
    for command, rest in named:
        known = help_of(command)
        assert [one for one in re.findall(r"--[a-z-]+", rest) if one not in known] == []


def help_of(command):
    names: Any = {one.dest: one for one in parser_of_all(whole=True)._actions}
    return names["command"].choices[command].format_help()


def test_the_patterns_for_one_session_find_it(agents_home):
    patterns = re.findall(r"`~/(\S+)\bID\.jsonl`", PAGES)
    found = [[path.name for path in agents_home.glob(f"{one}*.jsonl")] for one in patterns]
    assert found == [["5e55.jsonl"], ["rollout-2026-05-04T08-00-00-0f5e.jsonl"]]
