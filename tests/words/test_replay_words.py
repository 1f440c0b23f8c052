"""The words for what came of a replay."""

from dataclasses import replace

from kpinspector import __version__
from kpinspector.scoring.report.replay import Why, replay
from kpinspector.scoring.report.replay_checks import Fit
from kpinspector.scoring.report.report import Generator
from kpinspector.words.replay_words import (
    difference_words,
    replay_sentence,
    replay_word,
    trusted_words,
    why_words,
)
from kpinspector.words.writers.replay_text import replay_text
from tests.fakes import FakeEmbedder
from tests.known import present
from tests.scoring.replays import TWO, changed_at, records_of, reread
from tests.scoring.test_report import report_of


def test_the_words_name_place_values_and_cause():
    report = report_of(*TWO)
    found = reread(report)
    same = replay(found)
    assert replay_word(same) == "Identical"
    assert replay_sentence(same) == (
        "2 traces were computed again from the report alone: what could be checked is as recorded."
        f" {len(same.trusted)} kinds of values were taken on trust."
    )
    assert replay_sentence(replay(found, records_of(*TWO), FakeEmbedder())).startswith(
        "2 traces were computed again from the report, and counted again from the trace itself,"
        " with 1 of 1 similarity measured again: what could be checked is as recorded. "
    )
    trusted = [trusted_words(one, same) for one in same.trusted]
    assert trusted[:2] == ["generated_at", "generator"] and "traces.*.objective" in trusted
    assert "traces.*.dimensions.novelty.compared_with (1 of 2)" in trusted
    assert "report, 1 of them counted again" in replay_sentence(replay(found, records_of(TWO[0])))
    edited = changed_at(report, "traces.1.score", 0.9)
    other = replay(edited)
    assert replay_word(other) == "Different"
    assert replay_sentence(other).startswith(
        "2 traces were computed again from the report alone: 1 differs. "
    )
    recomputed = repr(report.traces[1].score)
    first = present(other.first)
    assert difference_words(first) == (
        f"traces.1.score: 0.9 is recorded, {recomputed} is recomputed"
    )
    assert "checksum does not fit" in why_words(first, edited.report)
    unused = replay(changed_at(report, "settings.max_elements", 5))
    assert ": no score depends on what differs. " in replay_sentence(unused)
    least = replace(first, path=("pending",), recorded=-1, recomputed=0, fit=Fit.AT_LEAST)
    assert difference_words(least) == "pending: -1 is recorded, at least 0 is recomputed"
    for why in Why:
        assert why_words(replace(first, why=why), report).endswith(".")


def test_hostile_words_are_shown_as_text():
    hostile = "\x1b[31m<b>\u202e" * 100
    report = report_of(*TWO)
    changed = replay(changed_at(report, "traces.0.overrides.0.reason", hostile))
    said = difference_words(present(changed.first))
    assert said.isprintable() and len(said) < 300


def test_another_version_is_named():
    report = report_of(*TWO)
    first = present(replay(changed_at(report, "traces.1.score", 0.9)).first)
    older = report.model_copy(update={"generator": Generator(version="0.0.9\n")})
    said = why_words(replace(first, why=Why.OTHER_VERSION), older)
    assert said.startswith("kpinspector 0.0.9\ufffd wrote it") and __version__ in said


def test_sentences_are_wrapped():
    found = reread(report_of(*TWO))
    same = replay(found)
    sentence = f"{replay_word(same)}. {replay_sentence(same)}"
    lines = replay_text(found, same, 40).splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("Identical. "))
    assert max(map(len, lines[at:])) <= 40 and " ".join(lines[at:]) == sentence
    assert replay_text(found, same).splitlines()[-1] == sentence
