"""A study of a million judgments closes, analyses and exports: `python -m benchmarks.million`.

    .venv-bench/bin/python -m benchmarks.million [--share 0.1]

With a share of 10, it is ten million judgments, for which half an hour is promised.

The study is written straight into a durable PostgreSQL, with simulated workers: 1,362 topics of six
responses, all 15 pairs of each, seven votes a pair, seven questions. Then what a researcher does:
close the batch (a command), wait for the analysis (two real Celery workers), export (a command).
"""

import argparse
import tempfile

from benchmarks import step_costs
from benchmarks.installation import Cost, computed_by, held_by, installation, watch
from benchmarks.measuring import in_child
from benchmarks.million_study import SLUG, build
from benchmarks.reporting import Row, load_now, report

TOPICS = 1362
WORKERS = 2
PLAN = "analysis.tasks.answer_request"
SECONDS = {1.0: 150.0, 10.0: 1800.0}  # promised, by share
MEMORY = 1000.0  # MB, of any process; promised up to a million


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--share", type=float, default=1.0, help="of the topics")
    options = parser.parse_args()
    load = load_now()
    topics = max(1, round(TOPICS * options.share))
    with installation() as made, tempfile.TemporaryDirectory() as out:
        judgments, _ = in_child(build, topics)
        with made.workers(WORKERS) as workers:
            close = made.command("close_batch", SLUG)
            seen = watch(SLUG, workers, limit=1800 * max(1.0, options.share))
            planning, seconds = since_closed()
            computing = computed_by(workers)
        analysis = Cost(seconds, held_by(made), computing)
        costs = step_costs.read(made.costs)
        export = made.command("export", SLUG, "--out", out)
    parts = {"closing the batch": close, "analysis": analysis, "export": export}
    n = f"{judgments:,} judgments"
    promised = SECONDS.get(options.share)
    rows = [
        Row(what=what, n=n, ours=part.seconds, remark=f"{part.computing:.1f} CPU seconds")
        for what, part in parts.items()
    ]
    rows += [
        Row(
            what="closing, analysis and export",
            n=n,
            ours=sum(part.seconds for part in parts.values()),
            most=promised,
            remark="" if promised else f"{SECONDS[1.0]:.0f} s are promised for a million",
        )
    ]
    rows += [
        Row(
            what=f"peak memory: {what}",
            n=n,
            ours=part.megabytes,
            unit="MB",
            most=MEMORY if options.share <= 1 else None,
        )
        for what, part in parts.items()
    ]
    plan = next(cost for cost in costs if cost.task == PLAN)
    notes = (
        f"{WORKERS} workers. Until the steps were planned (digests of votes): {planning:.1f} s; "
        f"{plan.computing:.1f} CPU seconds, {plan.megabytes:.0f} MB.",
        f"Steps, in CPU seconds and MB: {seen.costs(costs)}.",
    )
    report("ten million" if options.share == 10 else "million", rows, load=load, notes=notes)


def since_closed() -> tuple[float, float]:
    """Seconds from the closing until the steps were planned, and until the last was done."""
    from analysis.models import AnalysisRun

    run = AnalysisRun.objects.get(study__slug=SLUG)
    closed = run.study.batches.get().closed_at
    return tuple((at - closed).total_seconds() for at in (run.created_at, run.finished_at))


if __name__ == "__main__":
    main()
