"""The Crowd RAG Corpus 2025, imported and analysed: `python -m benchmarks.corpus`.

Every analysis of its judging study, by two real Celery workers on a durable PostgreSQL: from the
request to the last stored table. Without the corpus there is nothing to measure, and it says so.
"""

import time
from pathlib import Path

from benchmarks import step_costs
from benchmarks.crowd_votes import corpus_folder, where_from
from benchmarks.installation import Cost, computed_by, held_by, installation, watch
from benchmarks.reporting import Row, load_now, report
from tests.services.corpus import VARIABLE
from tests.services.worker import CeleryWorker

STUDY = "crowdrag25-judging"
WORKERS = 2
PLAN = "analysis.tasks.analyse_study"


def main() -> None:
    load = load_now()
    folder = corpus_folder()
    if folder is None:
        print(f"corpus: left out, there is no Crowd RAG Corpus 2025; set {VARIABLE} to its folder")
        return
    with installation() as made:
        imported = made.command("import_crowdrag", str(folder), "--judging-only")
        from analysis.tasks import analyse_study
        from annotation.models import Study
        from judging.models import Judgment

        votes = Judgment.objects.count()
        with made.workers(1) as workers:
            clear(*workers)
        with made.workers(WORKERS) as workers:
            before, began = computed_by(workers), time.perf_counter()
            analyse_study.delay(Study.objects.get(slug=STUDY).pk)
            seen = watch(STUDY, workers)
            seconds, memory = time.perf_counter() - began, held_by(made)
            computing = computed_by(workers) - before
        costs = step_costs.read(made.costs)
    plan = next(cost.computing for cost in reversed(costs) if cost.task == PLAN)
    n = f"{votes:,} votes, {len(seen.steps)} steps, {WORKERS} workers"
    rows = [
        Row(
            what="all judging analyses",
            n=n,
            ours=seconds,
            most=10,
            remark=f"{computing:.1f} CPU seconds of the workers",
        ),
        Row(what="peak memory of a worker", n=n, ours=memory, unit="MB"),
        Row(
            what="import of the judging study",
            n=f"{votes:,} votes",
            ours=imported.seconds,
            remark=_computing(imported),
        ),
        import_row(folder, votes),
    ]
    notes = (
        where_from(),
        f"Planning (digests of votes): {plan:.1f} CPU seconds. Steps, in CPU seconds and MB: "
        f"{seen.costs(costs)}.",
    )
    report("corpus", rows, load=load, notes=notes)


def import_row(folder: Path, votes: int) -> Row:
    """Import the corpus with both studies into an installation of its own."""
    with installation() as made:
        cost = made.command("import_crowdrag", str(folder))
    return Row(
        what="import of the corpus, CPU",
        n=f"{votes:,} votes, 903 texts with their logs",
        ours=cost.computing + cost.database,
        most=10,
        remark=f"{_computing(cost)}, in {cost.seconds:.1f} s",
    )


def _computing(cost: Cost) -> str:
    return f"{cost.computing:.1f} CPU seconds and {cost.database:.1f} of PostgreSQL"


def clear(worker: CeleryWorker) -> None:
    """Discard jobs sent during the import: the analysis is measured from our own request."""
    from analysis.models import AnalysisRun

    worker.wait_until_idle(seconds=600)
    AnalysisRun.objects.all().delete()


if __name__ == "__main__":
    main()
