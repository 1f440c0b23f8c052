"""On real agent runs with the real model."""

import pytest

from kpinspector.batch.compared import compared, embedded
from kpinspector.batch.limits import Terms
from kpinspector.batch.plan import begin_plan, make_plan
from kpinspector.runs.read import read_file
from kpinspector.scoring.formula.assess import Verdict, assess
from kpinspector.scoring.formula.profiles import profile_for
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.trace.find import FoundFile


def judged(measured, threshold):
    one = measured.measurement
    return assess(one, profile_for(one.facts.task_domain), threshold)


@pytest.mark.timeout(900)
def test_real_runs_as_many_as_possible_and_every_one_accepted_with_its_score(reference):
    path = reference / "corpus" / "agent_traces.jsonl"
    records = read_file(FoundFile(path, path.name, named=True)).traces
    embedder = MiniLM()
    with Memory.fresh() as memory:
        measured = [*measure_batch(records, embedder, memory)]
        found = [embedded(one.record, one.place, embedder, memory) for one in measured]
        batch = compared(found, embedder.model, memory, 1000)
    for threshold, best, in_file_order in ((0.5, 40, 31), (0.6, 10, 5), (0.7, 4, 3), (0.75, 3, 2)):
        verdicts = [judged(one, threshold).verdict for one in measured]
        assert verdicts.count(Verdict.ACCEPTED) == in_file_order
        plan = make_plan(begin_plan(batch, Terms(threshold)))
        assert (len(plan.chosen), plan.proven) == (best, True)
        chosen = [records[one.candidate] for one in plan.chosen]
        with Memory.fresh() as memory:
            again = [judged(one, threshold) for one in measure_batch(chosen, embedder, memory)]
        assert again == [one.assessment for one in plan.chosen]
