"""What is seen at once: what the models say of files in order, and something of all others."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.app.state import RecentPath, State, save_state
from kpinspector.settings import Settings, save_settings
from kpinspector.themes import Theme
from kpinspector.ui.glance import Glance, RecentGlance, glance_at
from tests.strategies import json_values


def test_nothing_there(tmp_path):
    assert glance_at(tmp_path / "nowhere") == Glance()
    assert (Glance().theme, Glance().threshold) == (Settings().theme, Settings().threshold)


@pytest.mark.parametrize("restores", [True, False])
def test_what_was_open_is_opened_with_the_window(tmp_path, restores):
    save_settings(tmp_path, Settings(restore_files=restores))
    save_state(tmp_path, State(open_paths=("/runs",)))
    assert glance_at(tmp_path).opening is restores
    save_state(tmp_path, State())
    assert not glance_at(tmp_path).opening


def test_the_same_as_the_models_say(tmp_path):
    save_settings(tmp_path, Settings(theme=Theme.DARK, threshold=0.5))
    recent = RecentPath(path="/runs", is_folder=True, note="3 of 4 pass")
    save_state(tmp_path, State(geometry="AAEC", recent=(recent,), zoom=150))
    assert glance_at(tmp_path) == Glance(
        Theme.DARK, 0.5, "AAEC", (RecentGlance("/runs", True, "3 of 4 pass"),), zoom=150
    )
    save_settings(tmp_path, Settings(restore_window=False))
    assert glance_at(tmp_path).geometry == ""


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b"NaN"])
def test_a_file_that_is_broken_stands_for_nothing(tmp_path, data):
    for name in ("settings.json", "state.json"):
        (tmp_path / name).write_bytes(data)
    assert glance_at(tmp_path) == Glance()


@given(
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            (
                "theme",
                "threshold",
                "restore_window",
                "restore_files",
                "geometry",
                "recent",
                "open_paths",
            ),
            json_values(),
        ),
    )
)
def test_whatever_stands_in_a_field_there_is_a_glance(tmp_path_factory, members):
    folder = tmp_path_factory.mktemp("odd")
    for name in ("settings.json", "state.json"):
        (folder / name).write_text(json.dumps(members), encoding="utf-8")
    found = glance_at(folder)
    assert found.theme in Theme and 0 <= found.threshold <= 1
    assert isinstance(found.geometry, str)
    assert all(isinstance(one.path, str) and one.path for one in found.recent)


@pytest.mark.parametrize(
    ("text", "zoom"),
    [("150", 150), ("7", 50), ("9999", 300), ("1.5", 100), ("true", 100), ('"150"', 100)],
)
def test_a_zoom_that_there_is_not_is_the_nearest_or_the_usual_one(tmp_path, text, zoom):
    (tmp_path / "state.json").write_text(f'{{"zoom": {text}}}', encoding="utf-8")
    assert glance_at(tmp_path).zoom == zoom
