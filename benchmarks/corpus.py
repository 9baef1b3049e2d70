"""The whole judging analysis of the Crowd RAG Corpus 2025: `python -m benchmarks.corpus`.

Every analysis of the catalogue, by two real Celery workers on a durable PostgreSQL: from the
request to the last stored table. Without the corpus there is nothing to measure, and it says so.
"""

import time

from benchmarks import step_costs
from benchmarks.crowd_votes import corpus_folder, where_from
from benchmarks.installation import computed_by, held_by, installation, watch
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
            what="import of the corpus",
            n=f"{votes:,} votes",
            ours=imported.seconds,
            remark=f"{imported.computing:.1f} CPU seconds",
        ),
    ]
    notes = (
        where_from(),
        f"Planning (digests of votes): {plan:.1f} CPU seconds. Steps, in CPU seconds and MB: "
        f"{seen.costs(costs)}.",
    )
    report("corpus", rows, load=load, notes=notes)


def clear(worker: CeleryWorker) -> None:
    """Discard jobs sent during the import: the analysis is measured from our own request."""
    from analysis.models import AnalysisRun

    worker.wait_until_idle(seconds=600)
    AnalysisRun.objects.all().delete()


if __name__ == "__main__":
    main()
