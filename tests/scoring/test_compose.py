"""What a report says beside its traces."""

import re
import time
from datetime import UTC, datetime, timedelta

import pytest

from kpinspector.scoring.report.report import EmbedderState
from tests.fakes import FakeEmbedder, NoEmbedder, make_raw
from tests.scoring.test_report import report_of


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone is the system's")
def test_the_time_is_that_of_the_writing_in_utc_to_the_second(monkeypatch):
    monkeypatch.setenv("TZ", "XXX-05")
    time.tzset()
    before = datetime.now(UTC).replace(microsecond=0)
    said = report_of(make_raw()).generated_at
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", said)
    written = datetime.strptime(said, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    monkeypatch.undo()
    time.tzset()
    assert before <= written <= datetime.now(UTC) + timedelta(seconds=1)


def test_the_model_is_named_where_there_is_one():
    with_model, without = report_of(make_raw()), report_of(make_raw(), embedder=NoEmbedder())
    assert with_model.embedder == EmbedderState(state="ready", sha256=FakeEmbedder.model)
    assert without.embedder == EmbedderState(state="missing", sha256=None)
