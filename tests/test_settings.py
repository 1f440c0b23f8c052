"""Settings and state as they are kept: what was written comes back, what is broken is refused."""

import json
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.app.state import RecentPath, RowPlace, SavedState
from kpinspector.settings import Settings, Theme, from_json, to_json
from tests.strategies import json_values

TEXT = st.text()
PATHS = st.builds(RecentPath, path=TEXT, is_folder=st.booleans(), note=TEXT)
STATES = st.builds(
    SavedState,
    recent=st.lists(PATHS, max_size=10).map(tuple),
    open_paths=st.lists(TEXT).map(tuple),
    current=st.none() | st.builds(RowPlace, TEXT, st.integers(0)),
    geometry=TEXT,
    zoom=st.integers(50, 300),
    window_state=TEXT,
    columns=st.dictionaries(TEXT, TEXT),
)
SETTINGS = st.builds(
    Settings,
    threshold=st.floats(0, 1),
    max_elements=st.integers(1, 1_000_000),
    ttl_ms=st.none() | st.integers(1, 2**53),
    guest=st.booleans(),
    theme=st.sampled_from(Theme),
    restore_files=st.booleans(),
    restore_window=st.booleans(),
)
MEMBERS = [one.name for kind in (Settings, SavedState) for one in fields(kind)]


@given(STATES | SETTINGS)
def test_what_was_written_comes_back(value):
    assert from_json(type(value), to_json(value)) == value


def test_a_member_that_is_not_known_or_missing_changes_nothing():
    found = from_json(Settings, b'{"threshold": 1, "more": [1]}')
    assert found == Settings(threshold=1.0) and isinstance(found.threshold, float)


@given(st.dictionaries(st.sampled_from(MEMBERS), json_values()))
def test_whatever_stands_in_a_member_is_refused_or_fits(members):
    for kind in (Settings, SavedState):
        try:
            found = from_json(kind, json.dumps(members).encode())
        except ValueError:
            continue
        assert from_json(kind, to_json(found)) == found
        for one in fields(kind):
            if one.name in members:
                assert to_json(found).find(one.name.encode()) > 0


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"1", b"\xff", b"[" * 100_000, b"NaN"])
def test_what_is_no_object_is_refused(data):
    with pytest.raises(ValueError, match=r"."):
        from_json(SavedState, data)


@pytest.mark.parametrize(
    "member",
    [
        '"threshold": 7',
        '"threshold": NaN',
        '"threshold": "0.5"',
        f'"threshold": {10**400}',
        '"threshold": true',
        '"threshold": null',
        '"max_elements": 0',
        '"max_elements": 1.5',
        '"max_elements": 1e400',
        '"ttl_ms": 0',
        '"guest": 1',
        '"theme": "blue"',
        '"version": 2',
        '"recent": [{}]',
        '"recent": [{"path": 1}]',
        '"recent": {"path": "a"}',
        '"open_paths": [1]',
        '"current": ["a"]',
        '"current": ["a", 1, 2]',
        '"zoom": 49',
        '"zoom": 301',
        '"columns": {"a": 1}',
        '"geometry": null',
    ],
)
def test_a_member_that_its_field_cannot_hold_is_refused(member):
    kind = (
        Settings if member.split('"')[1] in {one.name for one in fields(Settings)} else SavedState
    )
    with pytest.raises(ValueError, match=r"."):
        from_json(kind, f"{{{member}}}".encode())


def test_more_recent_paths_than_are_kept_are_refused():
    recent = [{"path": str(number)} for number in range(11)]
    with pytest.raises(ValueError, match="recent"):
        from_json(SavedState, json.dumps({"recent": recent}).encode())
