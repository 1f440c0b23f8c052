"""The histogram of the scores in the list."""

import pytest

from kpinspector.app.document import State
from kpinspector.ui.traces.histogram import Histogram
from kpinspector.ui.traces.row_counts import RowCounts, Spread, Traits, bin_of


def counted(scores: list[tuple[float, bool]], threshold: float) -> Spread:
    counts = RowCounts(
        Traits(
            State.ACCEPTED if accepted else State.REJECTED,
            bin=bin_of(score),
            below=score < threshold,
        )
        for score, accepted in scores
    )
    return counts.spread(frozenset(State))


def test_histogram_adds_up(qtbot) -> None:
    histogram = Histogram()
    qtbot.addWidget(histogram)
    scores = [(0.15, False), (-3.0, False), (0.75, True), (0.8, False), (2.0, True)]
    histogram.set_spread(counted(scores, 0.75), 0.75)
    columns = histogram.columns
    assert sum(map(sum, columns)) == 5
    assert columns[3] == (1, 0, 0) and columns[0] == (1, 0, 0)
    assert columns[15] == (0, 1, 0) and columns[16] == (1, 0, 0) and columns[19] == (0, 1, 0)
    assert histogram.sentence() == (
        "5 scored: 2 below the threshold 0.75, 2 accepted, 1 reach it and fail the schema"
    )
    assert histogram.title() == "Scores of 5"
    assert histogram.accessibleDescription().startswith(histogram.sentence())


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.02, 0.5, 0.98, 1.0, 7.0])
@pytest.mark.parametrize("width", [60, 232, 352])
def test_histogram_is_painted_at_any_threshold(qtbot, threshold: float, width: int) -> None:
    histogram = Histogram()
    qtbot.addWidget(histogram)
    histogram.resize(width, 116)
    empty = histogram.grab().toImage()
    scores = [(n / 100, n / 100 >= threshold) for n in range(100)]
    histogram.set_spread(counted(scores, threshold), threshold)
    assert histogram.grab().toImage() != empty
