"""How many verdicts of the list other rules would change, counted while nothing else is done."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from PySide6.QtCore import QObject, QTimer, Signal

from kpinspector.app.document import Document
from kpinspector.scoring.formula.assess import Assessment, Verdict
from kpinspector.scoring.formula.profiles import PROFILES, Profile
from kpinspector.scoring.novelty.measure import Measurement
from kpinspector.scoring.whatif.flips import flips

_REST_MS = 150  # after the last move
_AT_ONCE = 500  # verdicts, judged in a few milliseconds


@dataclass(frozen=True, slots=True)
class Flips:
    """Counts over all scored traces of the list.

    Attributes:
        of: How many there are.
        by_threshold: What the threshold alone changes; None while it is not known.
        by_profile: What the threshold and one profile for all change, by the profile's name; but
            for the row that something is tried of.
        tried: The number of that row, where there is one.
    """

    of: int = 0
    by_threshold: int | None = None
    by_profile: Mapping[str, int] = field(default_factory=dict)
    tried: int | None = None

    def with_tried(self, then: Assessment, now: Verdict, tried: int) -> int | None:
        """What a profile changes in the whole list, one row as it is tried; None if not known."""
        number = self.by_profile.get(then.profile.name)
        if number is None or tried != self.tried:
            return None
        return number + (then.verdict is not now)


class FlipCounter(QObject):
    """Counts after a short rest, some rows at a time."""

    counted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents: Sequence[Document] = ()
        self._rules: tuple[float, Profile | None, int | None] = (0.0, None, None)
        self._work: Iterator[Flips | None] | None = None
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._on_rested)
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._on_turn)

    def count(
        self,
        documents: Sequence[Document],
        threshold: float,
        profile: Profile | None,
        tried: int | None = None,
    ) -> None:
        """Count soon: under this threshold, for each named profile and perhaps one more.

        ``tried`` is the number of the row that the profiles are not counted of.
        """
        self.stop()
        self._documents, self._rules = documents, (threshold, profile, tried)
        self._rest.start()

    def stop(self) -> None:
        """Count no more."""
        self._rest.stop()
        self._turn.stop()
        self._work = None

    def _on_rested(self) -> None:
        self._work = flips_under(self._documents, *self._rules)
        self._turn.start()

    def _on_turn(self) -> None:
        found = None if self._work is None else next(self._work)
        if found is not None:
            self.stop()
            self.counted.emit(found)


def flips_under(
    documents: Sequence[Document],
    threshold: float,
    more: Profile | None,
    tried: int | None = None,
) -> Iterator[Flips | None]:
    """Work in pieces: None after each, the counts at the end."""
    profiles = PROFILES if more is None or more in PROFILES else (*PROFILES, more)
    numbers = [0] * (1 + len(profiles))
    of, rest = 0, iter(documents)
    while part := list(islice(rest, _AT_ONCE)):
        others = _judged(one for one in part if one.number != tried)
        own = _judged(one for one in part if one.number == tried)
        of += len(others) + len(own)
        now = part[0].rules.threshold
        found = flips(others, now, threshold, profiles)
        numbers = [number + more for number, more in zip(numbers, found, strict=True)]
        numbers[0] += flips(own, now, threshold)[0]
        yield None
    by_threshold, *by_profile = numbers
    names = (profile.name for profile in profiles)
    yield Flips(of, by_threshold, dict(zip(names, by_profile, strict=True)), tried)


def _judged(documents: Iterable[Document]) -> list[tuple[Measurement, float]]:
    """What was measured of those that are scored, and their scores."""
    return [
        (one.measured.measurement, one.score)
        for one in documents
        if one.measured is not None and one.score is not None
    ]
