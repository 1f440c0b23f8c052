"""Where a text that is looked for stands in a shown one, case aside."""


def spans_of(text: str, needle: str) -> list[tuple[int, int]]:
    """Where a needle stands in a text: beginnings and ends in the text.

    Folding the case can make a text longer (``ß`` becomes ``ss``), so every folded character
    remembers the one that it came from.
    """
    if not needle:
        return []
    folded = text.casefold()
    origins: range | list[int] = range(len(text))
    if len(folded) != len(text):  # it never makes a character shorter
        origins = [place for place, one in enumerate(text) for _ in one.casefold()]
    spans = []
    start = folded.find(needle)
    while start >= 0:
        end = start + len(needle)
        spans.append((origins[start], origins[end - 1] + 1))
        start = folded.find(needle, end)
    return spans


def units_before(text: str, place: int) -> int:
    """A place in a text in UTF-16 units, as Qt counts."""
    head = text[:place]
    return place if head.isascii() else len(head.encode("utf-16-le", "surrogatepass")) // 2
