"""What the list of recent paths says of each."""

from kpinspector.app.document import Document, Rules
from kpinspector.app.history import note_on
from kpinspector.runs.rules import RunOutcome
from tests import undecided

DASH = "\N{EN DASH}"
OPEN, REJECTED = Rules(threshold=0.7), Rules(threshold=0.99)


def test_a_run_whose_score_is_a_range_is_scored():
    rows = [undecided.run_document(rules=rules) for rules in (OPEN, REJECTED, Rules(threshold=0.1))]
    pending = Document(8, undecided.record(), OPEN)
    assert note_on([*rows, pending]) == "3 of 4 scored"
    assert note_on(rows) == "1 of 3 pass, 1 undecided"
    assert note_on(rows[1:]) == "1 of 2 pass"
    assert note_on(rows[:1]) == f"undecided, 0.52{DASH}0.78"
    assert note_on(rows[1:2]) == f"rejected, 0.52{DASH}0.78"
    assert note_on(rows[2:]) == f"accepted, 0.52{DASH}0.78"
    known = undecided.run_document(undecided.record(stated=RunOutcome(0.9, True)), OPEN)
    assert note_on([known]) == "accepted, 0.7475"
