"""Several processes on one memory, and processes that are killed."""

import os
import random
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.memory.memory import Memory
from kpinspector.settings import Mode
from tests.known import present
from tests.scoring.memory_samples import ROOT, subject, vector_of

HEAD = """
import sys
from pathlib import Path
from kpinspector.scoring.memory.memory import Memory
from tests.scoring.memory_samples import subject, vector_of

def say(what):
    sys.stdout.write(f"{what}\\n")
    sys.stdout.flush()

path, name = Path(sys.argv[1]), sys.argv[2]
say("ready")
"""

# for each name it is given a process that remembers until it is killed and says what was committed;
# forked, as it takes longer to load everything than to be killed
FOR_EVER = (
    HEAD
    + """
import os

def remember_for_ever(name):
    number = 0
    with Memory(Mode.REMEMBER, path) as memory:
        while True:
            key = f"{name}.{number}"
            memory.remember(subject(key), vector_of(key))
            # an edit now and then, so that rows are deleted as well
            memory.remember(subject("edited", key), vector_of(key))
            say(key)
            number += 1

for line in sys.stdin:
    child = os.fork()
    if not child:
        say(os.getpid())
        remember_for_ever(line.strip())
    os.waitpid(child, 0)
    say("killed")
"""
)

# from an order given at once: traces that are alike by twos, one of each here
TWINS = (
    HEAD
    + """
sys.stdin.readline()
with Memory(Mode.REMEMBER, path) as memory:
    for number in range(60):
        vector = vector_of(f"twin {number}") + 0.05 * vector_of(f"{name} {number}")
        memory.remember(subject(f"{name} {number}"), vector)
    say(memory.notices)
"""
)

# many files, each made by all processes at the same moment
FIRST = (
    HEAD
    + """
for line in sys.stdin:
    with Memory(Mode.REMEMBER, path / line.strip() / "memory.sqlite3") as memory:
        memory.remember(subject(name), vector_of(name))
        say((memory.remembers, memory.notices))
"""
)


class Child:
    """A Python process whose output is read line by line."""

    def __init__(self, code, *arguments):
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *map(str, arguments)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdin and self.process.stdout
        self.input, self.output = self.process.stdin, self.process.stdout
        assert self.hear() == "ready"

    def say(self, line=""):
        self.input.write(f"{line}\n")
        self.input.flush()

    def hear(self):
        return self.output.readline().rstrip("\n")

    def end(self):
        """Close its input, read the rest, and expect a good end."""
        self.input.close()
        rest = self._rest()
        assert self.process.returncode == 0
        return rest

    def kill(self):
        """Kill it, and read what it had said in whole lines."""
        self.process.kill()
        self.input.close()
        return self._rest()

    def _rest(self):
        with self.output as output:
            lines = output.readlines()
        self.process.wait(timeout=120)
        return [line.rstrip("\n") for line in lines if line.endswith("\n")]


@contextmanager
def children(code, path, *names):
    started = [Child(code, path, name) for name in names]
    try:
        yield started
    finally:
        for child in started:
            if child.process.poll() is None:
                child.kill()


def busy(rng):
    for _ in range(rng.randrange(20_000)):
        pass


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="SIGKILL of POSIX")
def test_killed_at_any_moment_it_holds_what_was_acknowledged(tmp_path):
    path = tmp_path / "memory.sqlite3"
    rng = random.Random(os.getpid())
    acknowledged = []
    with children(FOR_EVER, path, "rounds") as (nursery,):
        for round_ in range(25):
            nursery.say(f"round {round_}")
            child = int(nursery.hear())
            acknowledged += [nursery.hear() for _ in range(rng.choice([0, 0, 1, 2, 5, 30]))]
            busy(rng)
            os.kill(child, signal.SIGKILL)
            acknowledged += iter(nursery.hear, "killed")
            if round_ % 3:
                continue
            with Memory(Mode.REMEMBER, path) as memory:
                holds(memory, acknowledged)
                found = memory.remember(subject(f"after {round_}"), vector_of(f"after {round_}"))
                assert found.compared_with >= len(acknowledged)
                acknowledged.append(f"after {round_}")
        nursery.end()
    with Memory(Mode.REMEMBER, path) as memory:
        holds(memory, acknowledged)
    assert len(acknowledged) > 50
    assert not list(tmp_path.glob("*.damaged-*"))


def holds(memory, keys):
    assert memory.notices == ()
    entries = {entry.key for entry in memory.entries()}
    assert entries >= set(keys)
    assert len(entries) == memory.size
    for key in keys:
        assert memory.finding(subject(key)) is not None
    # an edit is stored whole or not at all
    assert memory.findings_count >= memory.size


def test_two_at_once_lose_nothing_and_see_each_other(tmp_path):
    path = tmp_path / "memory.sqlite3"
    with children(TWINS, path, "left", "right") as both:
        for child in both:
            child.say()
        assert [child.end() for child in both] == [["()"], ["()"]]
    with Memory(Mode.REMEMBER, path) as memory:
        assert memory.size == memory.findings_count == 120
        compared = []
        for number in range(60):
            names = [f"{side} {number}" for side in ("left", "right")]
            found = [present(memory.finding(subject(name))) for name in names]
            least, most = sorted(one.max_similarity or 0.0 for one in found)
            assert least < 0.5 and most > 0.98
            compared += [one.compared_with for one in found]
        assert sorted(compared) == list(range(120))


def test_the_file_is_made_once(tmp_path):
    names = ["one", "two", "three"]
    with children(FIRST, tmp_path, *names) as all_of_them:
        for round_ in range(12):
            for child in all_of_them:
                child.say(round_)
            for child in all_of_them:
                assert child.hear() == "(True, ())"
            with Memory(Mode.REMEMBER, tmp_path / str(round_) / "memory.sqlite3") as memory:
                assert {entry.key for entry in memory.entries()} == set(names)
                bases = [present(memory.finding(subject(name))).basis for name in names]
                assert sorted(bases) == [Basis.EMPTY_CACHE, Basis.MEASURED, Basis.MEASURED]
        for child in all_of_them:
            child.end()
