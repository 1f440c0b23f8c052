"""The window against the clock: long lists, long traces, early verdicts, rules and what-ifs.

python tests/bench/bench_window.py [--once] [--only PART]

The traces are generated, and a fake embedder scores them. Medians; nothing passes or fails.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QApplication
from stage import Heart, Stage, application, seconds, show, trace, write_lines

from kpinspector.app.document import Document, Rules, State
from kpinspector.files import resources
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from kpinspector.ui.controls.fields import DimensionSlider
from kpinspector.ui.main_window import MainWindow
from kpinspector.ui.panes import Do, Wish
from kpinspector.ui.panes.whatif import WhatIfPage
from kpinspector.ui.panes.whatif_case import flips_under
from kpinspector.ui.steps.step_model import Shown
from kpinspector.ui.steps.step_pane import StepPane
from kpinspector.ui.steps.step_tree import StepView
from kpinspector.ui.traces.trace_model import TraceModel
from kpinspector.ui.traces.trace_pane import TracePane
from kpinspector.ui.window.score_panel import ScorePanel, Tab
from tests.fakes import FakeEmbedder
from tests.known import present
from tests.ui.step_panes import hits

LONG_STEPS = 30_000


def bench_list(app: QApplication, count: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        path, data = Path(name, "many.jsonl"), Path(name, "data")
        data.mkdir()
        write_lines(path, count)
        stage = Stage(app, data, FakeEmbedder())
        model = stage.part(TracePane).model

        def listed() -> None:
            stage.session.opener.open([str(path)])
            stage.until(lambda: model.rowCount() == count)

        show(f"{count:,} small traces listed", f"{seconds(listed):.2f} s", "1 s")
        stage.until(lambda: stage.idle)
        bench_rules(stage, rounds)
        stage.close()


def bench_rules(stage: Stage, rounds: int) -> None:
    documents = stage.session.documents
    one = present(documents[0].measured).measurement
    profile = present(documents[0].assessment).profile
    times = [seconds(partial(assess, one, profile, 0.5 + n / 1000)) for n in range(100)]
    show("one trace under another threshold", f"{statistics.median(times) * 1e3:.3f} ms", "5 ms")

    def counts(threshold: float) -> Counter[State]:
        rules = Rules(threshold=threshold)
        return Counter(document.with_rules(rules).state for document in documents)

    times = [seconds(partial(counts, 0.5 + n / 100)) for n in range(rounds)]
    name = f"verdict counts over {len(documents):,} under another threshold"
    show(name, f"{statistics.median(times) * 1e3:.0f} ms", "100 ms")

    def judged(threshold: float) -> None:
        stage.session.store.judge(Rules(threshold=threshold))
        stage.app.processEvents()

    times = [seconds(partial(judged, 0.4 + n / 100)) for n in range(rounds)]
    show("    with list, score and every pane, painted", f"{statistics.median(times) * 1e3:.0f} ms")
    pieces = list(pieces_of(flips_under(documents, 0.6, None)))
    show("    flips under all profiles, in pieces", f"{sum(pieces) * 1e3:.0f} ms")
    show(f"        the longest of {len(pieces)} pieces", f"{max(pieces) * 1e3:.1f} ms")


def pieces_of(work: Iterator[object]) -> Iterator[float]:
    """How long each part of the work takes."""
    while True:
        begun = time.perf_counter()
        if next(work, work) is work:
            return
        yield time.perf_counter() - begun


def bench_what_if(app: QApplication, moves: int) -> None:
    """Slider moves with everything that follows them, and edits of a step."""
    for name, steps in (("of 12 steps", 12), (f"of {LONG_STEPS:,} steps", LONG_STEPS)):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "one.json")
            path.write_text(json.dumps(trace(random.Random(9), 0, steps)), encoding="utf-8")
            stage = Stage(app, Path(folder), FakeEmbedder())
            stage.session.opener.open([str(path)])

            def scored(stage: Stage = stage) -> bool:
                return len(stage.session.store) > 0 and stage.idle

            stage.until(scored)
            stage.part(ScorePanel).show_tab(Tab.WHAT_IF)
            app.processEvents()
            bench_moves(app, stage.window, name, moves)
            stage.close()


def bench_moves(app: QApplication, window: MainWindow, name: str, moves: int) -> None:
    page = present(window.findChild(WhatIfPage))
    slider = page.findChildren(DimensionSlider)[1]

    def move(value: int) -> None:
        slider.setValue(value)
        app.processEvents()

    def edit(number: int) -> None:
        scenario = Scenario(edits=(StepEdit(number, tool="another"),))
        page.wished.emit(Wish(Do.TRY, scenario, ""))
        app.processEvents()

    move(1)
    judged = [seconds(partial(slider.setValue, 100 + n)) for n in range(moves)]
    app.processEvents()
    show(f"a what-if move, a trace {name}: all figures", milliseconds(judged), "5 ms")
    times = [seconds(partial(move, 400 + n)) for n in range(moves)]
    show("    with every pane painted", milliseconds(times))
    edits = [seconds(partial(edit, n)) for n in range(min(moves, 10))]
    show("    another tool in a step", milliseconds(edits))


def milliseconds(times: list[float]) -> str:
    return f"{statistics.median(times) * 1e3:.1f} ms"


def bench_long_trace(app: QApplication, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "long.json")
        text = json.dumps(trace(random.Random(9), 0, LONG_STEPS))
        path.write_text(text, encoding="utf-8")
        stage = Stage(app, Path(name), FakeEmbedder())
        tree = stage.part(StepView)

        def opened() -> None:
            stage.session.opener.open([str(path)])
            stage.until(lambda: len(tree.steps.shown.steps) == LONG_STEPS)

        megabytes = len(text) / 1e6
        took = seconds(opened)
        show(f"a trace of 30,000 steps ({megabytes:.0f} MB), from the drop", f"{took:.2f} s")
        stage.until(lambda: stage.idle)
        document: Document = stage.session.documents[0]

        def shown() -> None:
            stage.part(StepPane).show_steps(Shown(document))
            app.processEvents()

        stage.part(StepPane).show_steps(Shown())
        show("    read already, shown in tree and detail", f"{seconds(shown):.2f} s", "0.5 s")
        bench_choice(stage, Path(name), rounds)
        bench_find(stage)
        stage.close()


def bench_choice(stage: Stage, folder: Path, rounds: int) -> None:
    """From another trace to the long one, in all panes, painted."""
    path = folder / "short.json"
    path.write_text(json.dumps(trace(random.Random(3), 1, 12)), encoding="utf-8")
    stage.session.opener.open([str(path)])
    stage.until(lambda: len(stage.session.store) > 1 and stage.idle)
    long, short = (document.number for document in stage.session.documents)

    def chosen(number: int) -> None:
        stage.part(TracePane).table.set_current(number)
        stage.app.processEvents()

    times = []
    for _ in range(rounds):
        chosen(short)
        stage.until(lambda: stage.idle)
        times.append(seconds(lambda: chosen(long)))
        stage.until(lambda: stage.idle)
    show("    chosen again, in every pane, painted", milliseconds(times), "100 ms")
    others = [seconds(lambda: chosen(short)) for _ in range(1)]
    show("        of which every pane takes for a short one", milliseconds(others))


def bench_find(stage: Stage) -> None:
    """A text that stands in every step is looked for while the event loop goes on."""
    steps, heart = stage.part(StepPane), Heart()
    long = stage.session.documents[0].number
    stage.part(TracePane).table.set_current(long)
    stage.until(lambda: stage.idle)
    begun = time.perf_counter()
    with heart.listening():
        steps.find_bar.field.setText("check")
        stage.until(lambda: "…" not in hits(steps))
    show("    a text found in all of it", f"{time.perf_counter() - begun:.2f} s")
    show("        longest pause of the event loop", f"{max(heart.pauses):.0f} ms", "50 ms")
    show("        of which the GUI thread worked", f"{max(heart.busy):.0f} ms")


def bench_early_verdict(app: QApplication, rounds: int) -> None:
    times, judged = [], (State.ACCEPTED, State.REJECTED)
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as name:
            stage = Stage(app, Path(name), MiniLM())
            model = stage.part(TracePane).model

            def decided(stage: Stage = stage, model: TraceModel = model) -> None:
                stage.session.opener.open([str(resources() / "samples" / "ping.json")])
                stage.until(lambda: any(model.counts.states()[one] for one in judged))

            times.append(seconds(decided))
            stage.close()
    show(
        "a verdict that needs no embedding, from the drop",
        f"{statistics.median(times) * 1e3:.0f} ms",
        "100 ms",
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--once", action="store_true", help="for function, not for speed")
    parser.add_argument("--only", choices=("early", "what-if", "list", "long"))
    given = parser.parse_args()
    app = application()
    rounds = 1 if given.once else 7
    parts: dict[str, Callable[[], None]] = {
        "early": lambda: bench_early_verdict(app, rounds),
        "what-if": lambda: bench_what_if(app, 5 if given.once else 200),
        "list": lambda: bench_list(app, 500 if given.once else 10_000, rounds),
        "long": lambda: bench_long_trace(app, rounds),
    }
    for name, part in parts.items():
        if given.only in {None, name}:
            part()


if __name__ == "__main__":
    main()
