"""Any damage to a real memory is harmless, or it is said."""

import random
import sqlite3
from collections import Counter
from contextlib import closing

import pytest

from kpinspector.scoring.memory.memory import Memory
from kpinspector.words.memory import memory_words
from tests.known import present
from tests.scoring.memory_samples import Clock, remember, sql, subject, vector_of

NAMES = [f"kp:trace:{number}" for number in range(60)]
PAGE = 4096


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a file with 60 entries."""
    path = tmp_path_factory.mktemp("whole") / "memory.sqlite3"
    with Memory.open(path, clock=Clock()) as memory:
        remember(memory, *NAMES)
    return path.read_bytes()


def answers(memory):
    """All that this memory may be asked."""
    return (
        [memory.finding(subject(name)) for name in NAMES],
        memory.look(subject("new"), vector_of("new")),
        memory.remember(subject("new"), vector_of("new")),
        memory.remember(subject(NAMES[3], "edited"), vector_of("edited")),
        memory.score_again(subject(NAMES[4]), vector_of(NAMES[4])),
        memory.own_vector(subject(NAMES[5])).tolist(),
        memory.entries(),
    )


def asked(path):
    """Its answers, and whether anything was said of it, by them or by the look through all."""
    with Memory.open(path, clock=Clock()) as memory:
        try:
            found = answers(memory)
        except AttributeError:  # no vector to make a list of
            found = None
        memory.look_through()
        assert bool(memory.notices) is memory.lost
        return found, bool(memory.notices)


def bits(rng, data):
    for _ in range(rng.choice([1, 1, 5])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def zeroed_page(rng, data):
    start = rng.randrange(len(data) // PAGE) * PAGE
    data[start : start + PAGE] = bytes(PAGE)


def lost_sector(rng, data):
    start = rng.randrange(len(data) // 512) * 512
    data[start : start + 512] = bytes(512)


def cut(rng, data):
    del data[rng.randrange(1, len(data)) :]


def swapped_pages(rng, data):
    one, two = (slice(n * PAGE, (n + 1) * PAGE) for n in rng.sample(range(len(data) // PAGE), 2))
    data[one], data[two] = data[two], data[one]


def page_written_elsewhere(rng, data):
    one, two = (slice(n * PAGE, (n + 1) * PAGE) for n in rng.sample(range(len(data) // PAGE), 2))
    data[one] = data[two]


DAMAGE = (bits, zeroed_page, lost_sector, cut, swapped_pages, page_written_elsewhere)


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_random_damage_is_harmless_or_said(whole, tmp_path, damage):
    path = tmp_path / "memory.sqlite3"
    path.write_bytes(whole)
    good, said = asked(path)
    assert not said
    came = Counter()
    for seed in range(25):
        data = bytearray(whole)
        damage(random.Random(seed), data)
        for left in tmp_path.iterdir():
            left.unlink()
        path.write_bytes(data)
        found, said = asked(path)
        assert said or found == good, seed
        came["said" if said else "harmless"] += 1
    assert came["said"] > 5


SILENT = {
    "an index that lists less": (
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = sql || ' WHERE 0' WHERE name = 'entries_by_trace'",
        "PRAGMA writable_schema = RESET",
        "REINDEX entries_by_trace",
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, ' WHERE 0', '') WHERE sql LIKE '% WHERE 0'",
        "PRAGMA writable_schema = RESET",
    ),
    "another count": ("UPDATE findings SET compared_with = 58 WHERE trace_id = 'kp:trace:59'",),
    "another vector": (
        "UPDATE entries SET vector = (SELECT max(vector) FROM entries) WHERE sequence = 1",
    ),
    "another path": ("UPDATE entries SET source_path = 'elsewhere' WHERE sequence = 9",),
    "another id": ("UPDATE findings SET trace_id = 'other' WHERE trace_id = 'kp:trace:9'",),
}


@pytest.mark.parametrize("opened", [Memory.open, Memory.guest])
@pytest.mark.parametrize("statements", SILENT.values(), ids=SILENT.keys())
def test_what_no_query_meets_is_found_by_the_look(whole, tmp_path, statements, opened):
    path = tmp_path / "memory.sqlite3"
    path.write_bytes(whole)
    sql(path, *statements)
    with opened(path) as memory:
        memory.look_through()
        (notice,) = map(memory_words, memory.notices)
        assert "is damaged. Some of what it remembers may be missing" in notice and memory.lost
        assert memory.remembers is (opened == Memory.open)
        assert memory.size == 60
        memory.look_through()
        assert tuple(map(memory_words, memory.notices)) == (notice,)
    assert [child.name for child in tmp_path.iterdir()] == [path.name]


def test_a_sound_memory_has_nothing_to_say(whole, tmp_path):
    path = tmp_path / "memory.sqlite3"
    path.write_bytes(whole)
    for opened in (lambda: Memory.open(path), lambda: Memory.guest(path), Memory.fresh):
        with opened() as memory:
            remember(memory, "a", "b")
            memory.look_through()
            assert memory.notices == () and not memory.lost


class StoppedError(Exception):
    """By the watch."""


class Impatient:
    """Stops the look at its second question, or while a query runs."""

    def __init__(self):
        self.asked, self.stops = 0, []

    def check(self):
        self.asked += 1
        if self.asked > 1:
            raise StoppedError

    def stop_by(self, stop):
        self.stops.append(stop)


def test_a_look_can_be_stopped(whole, tmp_path):
    path = tmp_path / "memory.sqlite3"
    path.write_bytes(whole)
    watch = Impatient()
    with Memory.open(path) as memory:
        with pytest.raises(StoppedError):
            memory.look_through(watch)
        assert len(watch.stops) == 2 and watch.stops[-1] is None
        memory.look_through()
        assert memory.notices == ()


OLD = (
    "ALTER TABLE entries DROP COLUMN seal",
    "ALTER TABLE findings DROP COLUMN seal",
)


@pytest.mark.skipif(sqlite3.sqlite_version_info < (3, 35), reason="no DROP COLUMN")
@pytest.mark.parametrize("opened", [Memory.open, Memory.guest])
def test_a_memory_of_an_earlier_version_is_used_as_it_is(whole, tmp_path, opened):
    path = tmp_path / "memory.sqlite3"
    path.write_bytes(whole)
    sql(path, *OLD)
    with opened(path, clock=Clock()) as memory:
        assert memory.finding(subject(NAMES[9])).compared_with == 9
        assert remember(memory, "new")[0].compared_with == 60
        memory.look_through()
        assert memory.notices == ()


def test_an_earlier_version_goes_on_with_a_memory_of_this_one(whole, tmp_path):
    """It names the columns that it writes: its rows have no seal and are believed."""
    path = tmp_path / "memory.sqlite3"
    path.write_bytes(whole)
    with closing(sqlite3.connect(path, isolation_level=None)) as earlier:
        earlier.execute("UPDATE entries SET seal = NULL, objective = 'new' WHERE sequence = 1")
        earlier.execute(
            "UPDATE findings SET seal = NULL, found_at = 7 WHERE trace_id = 'kp:trace:1'"
        )
    with Memory.open(path) as memory:
        assert present(memory.finding(subject(NAMES[1]))).found_at == 7
        memory.look_through()
        assert memory.notices == () and memory.entries()[0].objective == "new"
