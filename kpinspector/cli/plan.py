"""``kpinspector plan``: which traces to contribute, and in which order."""

import argparse
from collections.abc import Sequence

from kpinspector.batch.compared import Batch
from kpinspector.batch.limits import Terms
from kpinspector.batch.plan import OutcomeEnd, Plan, Wishes, begin_plan, make_plan
from kpinspector.cli.batches import compare_all, kept_by, meant_by
from kpinspector.cli.measuring import exit_status, reading
from kpinspector.cli.options import as_guest, choice_of
from kpinspector.cli.reading import STDIN, Gathered
from kpinspector.cli.streams import STDOUT, print_out, tell, terminal_width, write_traces
from kpinspector.errors import KpError
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.trace.read import TraceRecord
from kpinspector.trace.records import at_record
from kpinspector.words.run_words import not_converted
from kpinspector.words.say import say
from kpinspector.words.writers.plan_file import plan_file
from kpinspector.words.writers.plan_text import PlanAnswer, plan_json, plan_text


def run(arguments: argparse.Namespace) -> int:
    """Plan, print it, write the traces in its order, and say how it ended; nothing is stored."""
    choice = as_guest(choice_of(arguments))
    with reading(arguments, choice, [arguments.output]) as (gathered, scorer):
        batch = compare_all(gathered.records, scorer)
        plan, at_best = _plans(batch, arguments, Terms(scorer.used.threshold, choice.profile))
    problems = (*gathered.problems, *gathered.more_problems)
    answer = PlanAnswer(batch, plan, at_best, scorer.used, problems)
    refused = None
    if arguments.output:
        chosen = [batch.candidates[one.candidate].record for one in plan.chosen]
        try:
            write_traces(arguments.output, _written(chosen, gathered))
        except KpError as error:  # the plan itself stands
            refused = error
    if arguments.json:
        print_out(plan_json(answer))
    elif arguments.output != STDOUT:
        print_out(plan_text(answer, terminal_width()))
    if refused is not None:
        raise refused
    verdicts = {Verdict.ACCEPTED for _ in plan.chosen} | {Verdict.REJECTED for _ in plan.left_out}
    return exit_status(verdicts, gathered.problems, scorer.memory)


def _plans(batch: Batch, arguments: argparse.Namespace, terms: Terms) -> tuple[Plan, Plan | None]:
    """The plan, and that with the best outcomes where some are not known."""
    left_out = meant_by(arguments.leave_out, batch)
    wishes = Wishes(kept_by(arguments.keep, batch, left_out), left_out)
    best = None
    if not all(one.measurement.facts.outcome_known for one in batch.candidates):
        best = make_plan(
            begin_plan(batch, terms, Wishes(leave_out=wishes.leave_out), OutcomeEnd.BEST)
        )
    return make_plan(begin_plan(batch, terms, wishes)), best


def _written(records: Sequence[TraceRecord], gathered: Gathered) -> bytes:
    """The file of a plan.

    Raises:
        KpError: a recording is in it whose outcome nobody stated, or a file was changed.
    """
    refused = False
    for record in records:
        why = not_converted(record.imported) if isinstance(record, RunRecord) else ""
        if why:
            place = at_record(record.source.path, record.source.record)
            tell(say("{path}: {why}", path=place, why=why))
            refused = True
    if refused:
        raise KpError(say("The plan was not written."))
    return plan_file(records, (STDIN, gathered.stdin))
