"""How far the newest run of a study is."""

from dataclasses import dataclass

from django.db.models import Count
from django.http import HttpRequest

from analysis.models import AnalysisRun, AnalysisStep
from analysis.runs import findings
from annotation.models import Study


def pool_asked_for(request: HttpRequest) -> str:
    """Of whose answers a page or a file shall tell; empty where nobody is named."""
    return request.GET.get("pool", "").replace("\x00", "")


@dataclass(frozen=True)
class RunProgress:
    """How far a run is: steps done of all, and what failed."""

    run: AnalysisRun
    done: int
    steps: int
    errors: list[str]


def progress_of(study: Study) -> RunProgress | None:
    """The newest run of a study."""
    run = study.runs.newest_first().defer("frozen").first()
    if run is None:
        return None
    counts = dict(run.steps.values_list("state").annotate(n=Count("id")))
    done = counts.get(AnalysisStep.State.DONE, 0)
    return RunProgress(run, done, sum(counts.values()), findings.errors(run))
