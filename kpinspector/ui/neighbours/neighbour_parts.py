"""The two parts of the Neighbours tab that ask first: steps that make alike, and the whole text."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kpinspector.scoring.novelty.measure import Reach
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.novelty.step_ranking import StepRanking
from kpinspector.scoring.novelty.whole_novelty import WholeFinding
from kpinspector.scoring.novelty.whole_text import WholeText
from kpinspector.ui.controls.base import Label
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.neighbours.step_ranking_table import StepRankingTable
from kpinspector.ui.parts.asking import Asking
from kpinspector.ui.parts.sections import WrappedLabel
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.ui.score.evidence_rows import StepWish
from kpinspector.words.figures import shown_count
from kpinspector.words.neighbour_words import ranking_remark, unseen_sentence

_PART_TOP = 5


class AlikePart(QWidget):
    """Which steps make the trace like its nearest neighbour, once that is asked."""

    step_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._measured: Measured | None = None
        self._ranking: StepRanking | None = None
        self._about = ""
        self._table = StepRankingTable()
        self._remark = WrappedLabel("", TextRole.CAPTION, second=True)
        self.asking = Asking(self.tr("Rank Steps"))
        layout = _column(self)
        for part in (self._table, self._remark, self.asking):
            layout.addWidget(part)
        self.asking.asked.connect(self._on_asked)
        self._table.row_activated.connect(self._on_row_activated)

    def set_measured(self, measured: Measured) -> None:
        """Another trace, or another neighbour: nothing is known of it."""
        self._measured = measured
        self._about = self._words(measured)
        self._take(None, "")
        self.asking.set_idle(self._about)
        self.asking.show()

    def set_ranking(self, ranking: StepRanking | None) -> None:
        """Take what is known so far; None where the neighbour is not remembered any more."""
        if ranking is None:
            self._about = self.tr("That trace is not remembered any more.")
            return
        self._ranking = ranking
        done, total = len(ranking.falls), ranking.total
        words = self.tr("{0} of {1} steps").format(shown_count(done), shown_count(total))
        self.asking.set_progress(words, done, total)

    def set_ended(self) -> None:
        """Show what was ranked: all, or what was done before it was stopped."""
        ranking = self._ranking
        if ranking is None or self._measured is None:
            self.asking.set_idle(self._about)
            return
        near = self._measured.measurement.novelty.neighbours[0]
        remarks = [ranking_remark(ranking, near)]
        if not ranking.falls:
            remarks.append(self._nothing_ranked(ranking))
        elif not ranking.complete:
            words = self.tr("Stopped after {0} of {1} steps.")
            done = (shown_count(one) for one in (len(ranking.falls), ranking.total))
            remarks.append(words.format(*done))
        self._take(ranking, " ".join(filter(None, remarks)))
        self.asking.setVisible(not ranking.complete)
        self.asking.set_idle("")

    def _take(self, ranking: StepRanking | None, remark: str) -> None:
        self._ranking = ranking
        trace = self._measured.record.trace if self._measured is not None else None
        self._table.set_ranking(trace, ranking)
        self._remark.setText(remark)
        self._remark.setVisible(bool(remark))

    def _words(self, measured: Measured) -> str:
        novelty = measured.measurement.novelty
        if not novelty.neighbours:
            return ""
        words = self.tr("Leaves out each step that novelty sees, in turn, and compares with {0}.")
        return words.format(novelty.names[0])

    def _nothing_ranked(self, ranking: StepRanking) -> str:
        if ranking.total:
            return self.tr("Stopped before the first step.")
        return self.tr("Novelty sees no step's content.")

    @Slot()
    def _on_asked(self) -> None:
        self._take(None, "")
        self.asking.set_progress(self.tr("Waits for its turn"), 0, 0)

    @Slot(object)
    def _on_row_activated(self, wish: object) -> None:
        if isinstance(wish, StepWish):
            self.step_wanted.emit(wish.index)


class UnseenPart(QWidget):
    """Where the window ends and, once that is asked, what lies behind it."""

    def __init__(self) -> None:
        super().__init__()
        self._reach: Reach | None = None
        self._whole: WholeText | None = None
        self._compared = False
        self._title = Label(self.tr("What novelty did not see"), TextRole.HEADING)
        self._sentence = SentenceLabel()
        self.asking = Asking(self.tr("Measure Whole Text"))
        layout = _column(self)
        layout.addSpacing(_PART_TOP)
        for part in (self._title, self._sentence, self.asking):
            layout.addWidget(part)
        self.asking.asked.connect(self._on_asked)

    def set_measured(self, measured: Measured) -> None:
        """Another trace: nothing is known of what lies behind the window."""
        self._reach, self._whole = measured.measurement.novelty.reach, None
        self._compared = False
        self._say(None)
        self.asking.set_idle("")
        self.asking.setVisible(self._cut)

    def set_whole(self, whole: WholeText, finding: WholeFinding | None) -> None:
        """Take how far the measuring has come; with a finding it is at its end."""
        self._whole, self._compared = whole, finding is not None
        self._say(finding)
        if whole.others_done or (whole.others and whole.vector is not None):
            words = self.tr("{0} of {1} other traces")
            done = (shown_count(one) for one in (whole.others_done, whole.others))
            self.asking.set_progress(words.format(*done), whole.others_done, whole.others)
        elif whole.counted:
            words = self.tr("Window {0} of {1}")
            done = (shown_count(one) for one in (whole.embedded, whole.windows))
            self.asking.set_progress(words.format(*done), whole.embedded, whole.windows)
        else:
            words = self.tr("{0} tokens counted").format(shown_count(whole.tokens))
            self.asking.set_progress(words, 0, 0)

    def set_ended(self) -> None:
        """Measured, or stopped: then it can be asked again."""
        self.asking.set_idle("")
        self.asking.setVisible(self._cut and not self._compared)

    @property
    def _cut(self) -> bool:
        """There is text behind the window."""
        return self._reach is not None and self._reach.truncated

    @Slot()
    def _on_asked(self) -> None:
        self.asking.set_progress(self.tr("Waits for its turn"), 0, 0)

    def _say(self, finding: WholeFinding | None) -> None:
        if self._reach is not None:
            self._sentence.set_sentence(unseen_sentence(self._reach, self._whole, finding))


def _column(widget: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    return layout
