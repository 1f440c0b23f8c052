"""Every sentence that is said stands whole in the code, and in the template of the catalogues."""

import ast
import importlib.util
import re
from pathlib import Path
from string import Formatter

import pytest

from kpinspector.files import resources

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(set((ROOT / "kpinspector").rglob("*.py")) - {ROOT / "kpinspector" / "phrase.py"})
FORMS = {"say": 1, "say_sentence": 1, "say_count": 2, "forms": 2, "Phrase": 1, "count_phrase": 2}


def said(source):
    """Each call that says something: its line, its messages and the names of what it fills in."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORMS:
            named = {one.arg for one in node.keywords}
            if FORMS[node.func.id] == 2:  # which fills in the number itself
                named.add("number again" if "number" in named else "number")
            yield node.lineno, node.args[: FORMS[node.func.id]], named


def places(message):
    """What is named between braces; nothing else may stand there."""
    parts = [part[1:] for part in Formatter().parse(message) if part[1] is not None]
    assert all((name or "").isidentifier() and not (form or kind) for name, form, kind in parts)
    return {name for name, _form, _kind in parts}


def fault(messages, named):
    """What cannot be translated about a call; empty where all can."""
    texts = [one.value if isinstance(one, ast.Constant) else None for one in messages]
    if not texts or not all(isinstance(text, str) for text in texts):
        return "is not a literal"
    try:
        found = [places(text) for text in texts]
    except (AssertionError, ValueError):
        return "has a place without a plain name"
    # a form may do without the number
    wrong = any(named - {"number"} - one or one - named for one in found)
    return "has other places than are named" if wrong else ""


def faults(source):
    return [(line, why) for line, *call in said(source) if (why := fault(*call))]


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ('say("{name} is open")', "has other places than are named"),
        ('say("Open", name=1)', "has other places than are named"),
        ('say(f"{name} is open")', "is not a literal"),
        ("say(words)", "is not a literal"),
        ('say("{0} is open", name=1)', "has a place without a plain name"),
        ('say("{name!r} is open", name=1)', "has a place without a plain name"),
        ('say("{number:,} are open", number=1)', "has a place without a plain name"),
        ('say("{name is open", name=1)', "has a place without a plain name"),
        ('say("{name} is open", **named)', "has other places than are named"),
        ('say_sentence("*{name}* is open")', "has other places than are named"),
        ('say_count("one", "{many}", 2)', "has other places than are named"),
        ('say_count("{name}", "many", 2, name=1)', "has other places than are named"),
        ('say_count("one", "{number}", 2, number=2)', "has other places than are named"),
        ('say_count("one", many, 2)', "is not a literal"),
        ('Phrase(f"{name} is open")', "is not a literal"),
        ('Phrase("{name} is open")', "has other places than are named"),
        ('count_phrase("one", many, 2)', "is not a literal"),
    ],
)
def test_a_message_that_cannot_be_translated_is_found(call, why):
    assert faults(call) == [(1, why)]


def test_every_message_is_a_literal_with_the_places_that_are_named():
    found = {
        str(path.relative_to(ROOT)): wrong
        for path in MODULES
        if (wrong := faults(path.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_nothing_goes_to_another_catalogue():
    other = {"tr", "QT_TRANSLATE_NOOP", "QT_TR_NOOP"}
    found = {
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Attribute) and node.attr in other)
        or (isinstance(node, ast.Name) and node.id in other)
    }
    assert found == set()


def test_the_template_is_current():
    pytest.importorskip("babel", reason="the template is made with Babel")
    script = ROOT / "packaging" / "extract_messages.py"
    spec = importlib.util.spec_from_file_location("extract_messages", script)
    assert spec is not None and spec.loader is not None
    extract_messages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(extract_messages)
    template = (resources() / "locale" / "kpinspector.pot").read_bytes()
    assert extract_messages.template() == template, f"run packaging/{script.name}"
    known = template.decode()
    for path in MODULES:
        for _line, messages, _named in said(path.read_text(encoding="utf-8")):
            assert all(escaped(one.value) in known for one in messages), path


def escaped(message):
    for character, written in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        message = message.replace(character, written)
    return message.rpartition("\\n")[2]  # a message of several lines is written in pieces


def test_what_is_said_is_said_in_plain_words():
    template = (resources() / "locale" / "kpinspector.pot").read_text("utf-8")
    own = r"\blevers?\b|\breach\b(?! it and)(?!, 0)|\breachable|\bthe middle\b|to be yours|to call"
    told = [line for line in template.splitlines() if line.startswith("msgid")]
    assert [line for line in told if re.search(own, line, re.IGNORECASE)] == []
