from kpinspector.batch.draft import begin_plan
from kpinspector.batch.plan import plan_of
from kpinspector.batch.solver import solve
from hypothesis import given
from tests.batch.made import batches


def planned(made, terms, **wishes):
    """The plan, solved in this process."""
    draft = begin_plan(made.batch, terms, **wishes)
    return plan_of(draft if draft.proven else draft.with_solved(solve(draft.conflicts, 60)))


@given(batches())
def test_no_order_of_no_traces_is_accepted_that_is_longer(case):
    made, terms = case
    plan = planned(made, terms)
    assert plan.proven
    assert len(plan.chosen) == made.most_accepted(terms)
    order = [one.candidate for one in plan.chosen]
    assert made.scored(order, terms) == [one.assessment for one in plan.chosen]
    left = [one.candidate for one in plan.left_out]
    assert sorted([*order, *left]) == list(range(len(made.records)))
