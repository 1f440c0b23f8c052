"""The two cards: a score is never cut, however many decimals it has."""

from math import nextafter

import pytest

from kpinspector.runs.rules import NO_OUTCOME, RunOutcome
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.profiles import DEFAULT
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.whatif.whatif_results import ScoreCard
from kpinspector.words.run import shown_outcome
from tests import undecided
from tests.answers import measurement
from tests.known import present


@pytest.mark.parametrize("width", [300, 180, 158, 150])
@pytest.mark.parametrize(
    ("stated", "running"), [(NO_OUTCOME, False), (RunOutcome(0.9, False), True)]
)
def test_the_word_before_a_range_or_of_what_runs_is_never_cut(
    qtbot, monkeypatch, width, stated, running
):
    written = {}
    write = ScoreCard.write

    def spy(card, painter, room, text, role, *, right=False):
        written[text] = room, write(card, painter, room, text, role, right=right)
        return written[text][1]

    monkeypatch.setattr(ScoreCard, "write", spy)
    card = ScoreCard("Now")
    qtbot.addWidget(card)
    card.resize(width, card.sizeHint().height())
    run = undecided.run_document(undecided.record(stated=stated))
    shown = shown_outcome(present(run.assessment), run.range, running=running)
    card.set_outcome(shown, "", assumed=False)
    card.grab()
    word = card.accessibleDescription().partition(",")[0]
    room, taken = written[word]
    needed = card.metrics_of(TextRole.NAME).horizontalAdvance(word)
    assert taken == needed <= room.width()
    (range_, (place, wide)) = next(one for one in written.items() if one[0].startswith("0."))
    assert wide <= place.width() - (0 if place.top() == room.top() else written["Now"][1]), range_


@pytest.mark.parametrize("width", [300, 180, 170])
def test_what_stands_at_the_right_fits_and_what_is_left_of_it_gives_way(qtbot, monkeypatch, width):
    written = []
    write = ScoreCard.write

    def spy(card, painter, room, text, role, *, right=False):
        taken = write(card, painter, room, text, role, right=right)
        written.append((text, room, taken))
        return taken

    monkeypatch.setattr(ScoreCard, "write", spy)
    card = ScoreCard("What if", accent=True)
    qtbot.addWidget(card)
    card.resize(width, card.sizeHint().height())
    score = assess(measurement(), DEFAULT, 0.5).score
    near = assess(measurement(), DEFAULT, nextafter(score, 0))
    card.set_outcome(shown_outcome(near), "", assumed=False, note="+0.1300000000000001")
    card.grab()
    texts = {text: (room, taken) for text, room, taken in written}
    note, name = texts["+0.1300000000000001"], texts["What if"]
    shown = next(text for text in texts if text.startswith("0.") and len(text) > 10)
    assert all(taken <= room.width() for room, taken in (note, texts[shown]))
    assert name[0].right() < note[0].right() - note[1]
    assert name[1] <= max(0, name[0].width())
