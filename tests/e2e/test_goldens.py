"""Every byte that the commands write, over samples, broken files and a recording of each format."""

import pytest

from tests.goldens import CHAPTERS, GOLDENS, goldens

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_byte_of_the_outputs_stays(chapter):
    found = goldens(chapter)
    kept = {path.name: path.read_bytes().decode() for path in GOLDENS.glob(f"{chapter}*.txt")}
    assert found.keys() == kept.keys()
    assert found
    for name, text in found.items():
        assert text == kept[name], f"{name}: python -m tests.goldens, and look at the difference"
