"""What a verdict is put down to first, as a value; the words for it are in ``sentences``."""

from enum import StrEnum
from typing import TypeAlias

from kpinspector.scoring.formula.assess import Assessment
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension


class Gate(StrEnum):
    """What a trace has to pass before its score counts."""

    SCHEMA = "schema"


Cause: TypeAlias = Gate | Rule | Dimension


def main_cause(assessment: Assessment) -> Cause:
    """The gate, the rule or the dimension that a verdict is put down to first.

    The schema before all; a rule where it alone decided; else the dimension that loses most.
    """
    single_thought, _, monotony = assessment.overrides
    if not assessment.schema_passes:
        return Gate.SCHEMA
    if single_thought.applied:
        return Rule.SINGLE_THOUGHT
    if monotony.applied and monotony.before >= assessment.threshold > assessment.score:
        return Rule.TOOL_MONOTONY
    return max(assessment.contributions, key=lambda term: term.lost).dimension
