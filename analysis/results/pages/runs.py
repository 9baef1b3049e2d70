"""How far the newest run of a study is, and which one the page of results shows."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from analysis.models import AnalysisRun, AnalysisStep
from analysis.results import findings
from annotation.models import Study


@dataclass(frozen=True)
class RunProgress:
    """How far a run is: steps done of all, and what failed."""

    run: AnalysisRun
    done: int
    steps: int
    errors: list[str]


def progress_of(study: Study) -> RunProgress | None:
    """The newest run of a study."""
    run = study_runs(study).first()
    if run is None:
        return None
    counts = dict(run.steps.values_list("state").annotate(n=Count("id")))
    done = counts.get(AnalysisStep.State.DONE, 0)
    return RunProgress(run, done, sum(counts.values()), findings.errors(run))


def study_runs(study: Study) -> Any:
    return AnalysisRun.objects.filter(study=study).newest_first().defer("frozen")


def finished_run(study: Study) -> AnalysisRun | None:
    """The run that the results page shows: the newest that is done."""
    run: AnalysisRun | None = study_runs(study).finished().first()
    return run
