"""Neighbours, findings and measurements with them, in a line each."""

from kpinspector.scoring.findings import Basis, Finding, Neighbour
from tests.answers import measurement, novelty


def near(key, similarity):
    return Neighbour(key, key, "", f"{key}.json", similarity)


def measured(*neighbours, compared_with=None):
    best = neighbours[0].similarity if neighbours else None
    return measurement(
        novelty(
            best,
            Basis.MEASURED if neighbours else Basis.EMPTY_CACHE,
            neighbours=neighbours,
            compared_with=len(neighbours) if compared_with is None else compared_with,
        )
    )


def today(*neighbours, compared_with=None):
    best = neighbours[0].similarity if neighbours else None
    count = len(neighbours) if compared_with is None else compared_with
    basis = Basis.MEASURED if neighbours else Basis.EMPTY_CACHE
    return Finding(basis, best, neighbours, count, 1)
