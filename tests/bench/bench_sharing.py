"""What would leave of a corpus in clear, by either way, and how fast a text is cleaned.

python tests/bench/bench_sharing.py [--once]

Real agent runs are used when KPINSPECTOR_TEST_DATA names a folder with them, else the synthetic
sequence. Capture is asked with threshold 0, so that every trace is posted. Counts first, then
seconds of CPU for 10 MB of the corpus' texts, with ``--once`` 1 MB, against one regular expression
that reads each character.
"""

import argparse
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from time import process_time

from real_traces import corpus

from kpinspector.runs.read import read_file
from kpinspector.sharing.posting import Posting, Way, captured, contributed
from kpinspector.trace.cleaning import clean
from kpinspector.trace.clear import FoundBy, InClear, in_clear
from kpinspector.trace.find import FoundFile
from kpinspector.trace.further import FurtherMatch, find_further
from kpinspector.trace.javascript import JsonObject, parse

MEGABYTE = 1_000_000
EVERY_CHARACTER = re.compile(r"[^\w\W]")


def posting(raw: JsonObject, way: Way) -> Posting:
    return contributed(raw) if way is Way.CONTRIBUTE else captured(raw, 0.5, 0.0)


def field_of(one: InClear) -> str:
    first, *rest = one.path
    inner = rest[1:2] if first == "steps" else rest[:1]
    return ".".join(map(str, (first, *inner)))


def report(traces: list[JsonObject], way: Way) -> None:
    found = [in_clear(parse(str(posting(raw, way).body))) for raw in traces]
    print(f"\nby {way}: {sum(map(bool, found))} of {len(traces)} with something in clear")
    for by in FoundBy:
        places = Counter(
            place
            for each in found
            for place in {(field_of(one), str(one.kind)) for one in each if one.by is by}
        )
        for (field, kind), count in places.most_common():
            print(f"  {by:<12}{field:<28}{kind:<20}{count:>6} traces")
        if not places:
            print(f"  {by:<12}none")


def seconds(work: Callable[[], object]) -> float:
    def once() -> float:
        start = process_time()
        work()
        return process_time() - start

    return min(once() for _ in range(3))


def warned_of(text: str) -> list[FurtherMatch]:
    return list(find_further(text))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--once", action="store_true", help="clean 1 MB of text")
    once = parser.parse_args().once
    path = corpus()
    records = read_file(FoundFile(path, str(path), named=True)).traces
    print(f"{path.name}, {len(records)} traces")
    traces = [record.trace.raw for record in records]
    for way in Way:
        report(traces, way)
    some = "\n".join(record.trace.text for record in records)
    size = MEGABYTE if once else 10 * MEGABYTE
    text = (some * (size // len(some) + 1))[:size]
    bare = seconds(lambda: EVERY_CHARACTER.search(text))
    print(f"\n{size // MEGABYTE} MB of text: read by one expression in {bare:.3f} s")
    for name, work in (("cleaned", clean), ("warned of", warned_of)):
        took = seconds(partial(work, text))
        print(f"  {name:<12}{took:>8.3f} s, {took / bare:.0f} x")
    letters = seconds(lambda: clean("a" * MEGABYTE))
    print(f"  a million letters cleaned in {letters:.3f} s")


if __name__ == "__main__":
    main()
