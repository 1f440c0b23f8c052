"""What strangers write is shown as they wrote it, as far as it does nothing but show."""

import pytest

from kpinspector.trace.printable import on_one_line, printable, quoted, stands_for
from kpinspector.words.writers.pages import as_markdown
from kpinspector.words.writers.report_csv import harmless

WAYS = (printable, on_one_line, harmless, as_markdown, lambda text: quoted(text)[1:-1])


@pytest.mark.parametrize("way", WAYS)
def test_spaces_are_spaces_and_joiners_stay(way):
    text = "10\u00a0kg\u202f% a\u3000b c\u200dd\u200ce\u00adf"
    assert way(text) == "10 kg % a b c\u200dd\u200ce\u00adf"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "char",
    "\x00\x1b\x7f\x9b\u200b\u200e\u200f\u061c\u202a\u202e\u2066\u2069\ufeff\ud800\ue000\u0378",
)
def test_what_acts_or_means_nothing_is_replaced(way, char):
    assert way(f"a{char}b") == "a\ufffdb"


@pytest.mark.parametrize("before", ["\u200d", "\u200c", "\u00ad", "\u00a0", "\u3000\u202f"])
def test_no_formula_hides_behind_them(before):
    assert harmless(f"{before}=1").startswith("'")


@pytest.mark.parametrize(
    ("shown", "text", "same"),
    [
        ("plain", "plain", True),
        ("plain", "plain ", False),
        ("ann••••", "ann@example.org", True),
        ("ann••••", "bob@example.org", False),
        ("ask ann•••• now", "ask ann@example.org now", True),
        ("ask ann•••• now", "ask ann@example.org later", False),
        ("••••a••••a", "xaya", True),
        ("••••a••••b••••", "a b", True),
        ("••••b••••a••••", "a b", False),
        ("ab••••ba", "aba", False),
        ("a••••b••••b", "ab", False),
        ("••••", "anything", True),
    ],
)
def test_what_is_masked_stands_for_a_text(shown, text, same):
    assert stands_for(shown, text) is same
