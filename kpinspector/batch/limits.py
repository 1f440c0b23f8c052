"""How similar to others a trace may be and still be accepted, exact to the last double."""

from dataclasses import dataclass
from math import nextafter

from kpinspector.scoring.formula.assess import assess, measured_score
from kpinspector.scoring.formula.measurement import NOVELTY_ASSUMED, Measurement, at_similarity
from kpinspector.scoring.formula.profiles import Profile, profile_for
from kpinspector.scoring.whatif.reach import most_similar

MOST_SIMILAR = 1.0


@dataclass(frozen=True, slots=True)
class Terms:
    """The rules that judge a batch; with ``profile`` None each trace has its own."""

    threshold: float
    profile: Profile | None = None

    def profile_of(self, measurement: Measurement) -> Profile:
        """The profile that a trace is judged by."""
        return self.profile or profile_for(measurement.facts.task_domain)


@dataclass(frozen=True, slots=True)
class Limit:
    """The similarity up to which a trace is accepted, apart from the schema.

    ``most_similar``: the greatest similarity to its nearest, 0..1; None where none will do.
    ``best``: the score with novelty 1.
    """

    most_similar: float | None
    alone: bool
    best: float


def limit_of(measurement: Measurement, terms: Terms) -> Limit:
    """The limit of one trace, whatever its measured novelty."""
    facts, profile, threshold = measurement.facts, terms.profile_of(measurement), terms.threshold
    most = most_similar(facts, profile, threshold)
    if most is not None:  # the limit is accepted, and the next greater double is not
        cases = (at_similarity(measurement, one) for one in (most, nextafter(most, 2.0)))
        at, beyond = (assess(one, profile, threshold).score_passes for one in cases)
        if not at or (beyond and most < MOST_SIMILAR):
            raise AssertionError(f"{most!r} is no limit")
    best, alone = (measured_score(facts, one, profile) for one in (1.0, NOVELTY_ASSUMED))
    return Limit(most, alone >= threshold, best)
