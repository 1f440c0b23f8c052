"""Of a secret that a cut goes through nothing more is shown than its mask, wherever the cut is."""

from collections.abc import Callable
from functools import partial

import pytest

from kpinspector.scoring.findings import SHOWN_LENGTH, for_display, shown_key
from kpinspector.trace.clear import masked_in
from kpinspector.trace.printable import quoted, shortened
from kpinspector.trace.records import dotted
from tests.every_secret import HELD, leaks

CUTS: dict[str, tuple[int, Callable[[str], str]]] = {
    "quoted": (60, quoted),
    "shortened": (80, partial(shortened, longest=80)),
    "part of a path": (60, lambda text: dotted((text,))),
    "objective": (SHOWN_LENGTH, partial(for_display, limit=SHOWN_LENGTH)),
    "key": (SHOWN_LENGTH, shown_key),
}


@pytest.mark.parametrize("cut", CUTS)
def test_what_is_cut_was_masked_before(cut):
    length, shorten = CUTS[cut]
    for held in HELD.values():
        for before in range(length - len(held) - 3, length + 2):
            text = ("so " * length)[: max(before, 0)] + f" {held} " + "on it goes " * 40
            shown = shorten(text)
            assert leaks(shown) == set(), (held, before)
            assert leaks(masked_in(shown)) == set()
            assert len(shown) <= length + 2


def test_all_that_is_held_would_be_seen():
    assert [kind for kind, held in HELD.items() if leaks(held) != {kind}] == []
    assert [kind for kind, held in HELD.items() if leaks(masked_in(held))] == []
