"""``kpinspector memory``: lists what is remembered, and forgets it."""

import argparse
import os
from pathlib import Path, PurePath

from kpinspector.cli.measuring import opened_memory, saved_settings
from kpinspector.cli.streams import ask, print_out, tell, terminal_width
from kpinspector.errors import ExitStatus
from kpinspector.files import MEMORY_FILE, data_dir
from kpinspector.scoring.findings import Entry
from kpinspector.scoring.memory.file import size_on_disk
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.scoring.report.report import embedder_entry
from kpinspector.scoring.report.written import json_values, report_json
from kpinspector.settings import Mode
from kpinspector.trace.clear import MASK, masked_in
from kpinspector.trace.javascript import whole_characters
from kpinspector.trace.printable import quoted
from kpinspector.words.figures import shown_count
from kpinspector.words.memory import MemoryFacts, facts_answer, list_answer, list_json, memory_words
from kpinspector.words.say import say, say_count
from kpinspector.words.writers.explanation_text import answer_text

_LONGEST_KEY = 200
_YES = ("y", "yes")


def run(arguments: argparse.Namespace) -> int:
    """List, forget or clear, and return the exit status."""
    folder = data_dir(arguments.data_dir)
    match arguments.act:
        case "list":
            with opened_memory(Mode.GUEST, folder, saved_settings(folder)) as memory:
                entries = memory.entries()
            shown = answer_text(list_answer(entries), terminal_width())
            print_out(list_json(entries) if arguments.json else shown)
            return _status(memory)
        case "forget":
            return _forget(folder, arguments.keys)
        case "clear":
            with _existing(folder) as memory:
                if not (arguments.yes or _confirmed(memory.size)):
                    return ExitStatus.PROBLEM
                memory.clear()
            return _status(memory)
    settings, path, embedder = saved_settings(folder), folder / MEMORY_FILE, MiniLM()
    sha256 = None if embedder.failure is not None else embedder.model
    with opened_memory(Mode.GUEST, folder, settings) as memory:
        facts = MemoryFacts(
            path=PurePath(whole_characters(str(path))),
            entries=memory.size,
            findings=memory.findings_count,
            bytes_on_disk=size_on_disk(path),
            max_elements=settings.max_elements,
            ttl_ms=settings.ttl_ms,
            embedder=embedder_entry(sha256),
        )
        memory.look_through()
    shown = answer_text(facts_answer(facts), terminal_width())
    print_out(report_json(facts) if arguments.json else shown)
    return _status(memory)


def _forget(folder: Path, keys: list[str]) -> ExitStatus:
    with _existing(folder) as memory:
        entries = memory.entries()
        problems = []
        for key in dict.fromkeys(map(whole_characters, keys)):
            # a key may be given as the list shows it, masked, or whole
            named = [one.key for one in entries if MASK in key and key in _shown_keys(one)]
            if len(named) > 1:
                words = say(
                    "{key} stands for {number} traces: name one by its whole id.",
                    key=quoted(key, _LONGEST_KEY),
                    number=shown_count(len(named)),
                )
                problems.append(words)
            elif not memory.forget(named[0] if named else key):
                problems.append(say("{key} is not remembered.", key=quoted(key, _LONGEST_KEY)))
    for words in problems:
        tell(words)
    status = _status(memory)
    return ExitStatus.PROBLEM if problems else status


def _shown_keys(entry: Entry) -> tuple[str, str]:
    listed = json_values({"id": entry.trace_id, "key": entry.key})
    return masked_in(entry.key), listed["key"]  # as the text and as the JSON list it


def _confirmed(entries: int) -> bool:
    found = say_count("{number} entry", "{number} entries", entries)
    question = say(
        "Forget {entries} and all that was found with them? This cannot be taken back. [y/N]",
        entries=found if entries else say("no entries"),
    )
    if (answer := ask(f"{question} ")) is None:
        tell(say("There is no terminal to ask on: clear needs --yes."))
        return False
    if answer.strip().lower() not in _YES:
        tell(say("Nothing was forgotten."))
        return False
    return True


def _existing(folder: Path) -> Memory:
    """The memory to forget from; a private one if there is no file, so that no file is made."""
    mode = Mode.REMEMBER if os.path.lexists(folder / MEMORY_FILE) else Mode.GUEST
    return opened_memory(mode, folder, saved_settings(folder))


def _status(memory: Memory) -> ExitStatus:
    for notice in memory.notices:
        tell(memory_words(notice))
    return ExitStatus.PROBLEM if memory.notices else ExitStatus.OK
