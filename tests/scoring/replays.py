"""Reports as they are read back, with other values where a test wants them."""

import json

from kpinspector.scoring.report.written import FoundReport, read_report, report_json
from kpinspector.trace.read import read_bytes
from tests.fakes import make_raw
from tests.strategies import set_at

TWO = (make_raw(), make_raw(id="kp:trace:two", task={"objective": "Another one"}))


def read_back(data):
    """A report as it is read from its bytes."""
    (record,) = read_bytes(data, "report.json").reports
    return read_report(record)


def reread(report):
    found = read_back(report_json(report))
    assert isinstance(found, FoundReport)
    return found


def records_of(*raws, path="runs.json"):
    return read_bytes(json.dumps(raws).encode(), path).traces


def changed_at(report, path, value):
    """The report after somebody wrote another value in its file."""
    return read_back(json.dumps(set_at(json.loads(report_json(report)), path, value)).encode())
