"""Over a whole list: the verdicts that other rules would turn."""

from collections.abc import Iterable, Sequence

from kpinspector.scoring.formula.assess import scores_under
from kpinspector.scoring.formula.profiles import Profile
from kpinspector.scoring.novelty.measure import Measurement


def flips(
    judged: Iterable[tuple[Measurement, float]],
    now: float,
    then: float,
    profiles: Sequence[Profile] = (),
) -> tuple[int, ...]:
    """How many verdicts would be others: by the threshold alone, then with each profile for all.

    Args:
        judged: What was measured, and the score that it has.
        now: The present threshold.
        then: The other one, or the same.
        profiles: In place of each trace's own.
    """
    numbers = [0] * (1 + len(profiles))
    for measurement, score in judged:
        if not measurement.facts.schema_valid:
            continue  # rejected, whatever the score
        passes = score >= now
        others = scores_under(measurement, profiles) if profiles else ()
        for place, other in enumerate((score, *others)):
            numbers[place] += (other >= then) is not passes
    return tuple(numbers)
