"""Prepare the results pages of a finished run, so that the first visit is quick.

The cache is found.RunResults.kept; pages fill it themselves if this never ran.
"""

from contextlib import suppress

from analysis.models import AnalysisRun
from analysis.pages.entities.newest_results import competences
from analysis.pages.entities.votes import keep_counts
from analysis.pages.results.pages.responses import scored_keys
from analysis.pages.results.run_results import RunResults
from analysis.pages.results.sections import not_computed, parts_of, sections_of
from analysis.pages.results.summary import kept_summary
from analysis.pages.results.vote_plans import ERRORS, NothingToPlanFrom, shown_plans
from annotation.models import Study


def prepare(*, run: AnalysisRun) -> None:
    """Draw the plots of a finished run and build its tables, ahead of the first visit."""
    results = RunResults(run)
    for part in parts_of(results):
        sections_of(results, part)
    kept_summary(results)
    scored_keys(results)
    not_computed(results)
    competences(results)
    if run.study.kind == Study.Kind.JUDGING:
        keep_counts(run.study)
    for error in ERRORS:
        with suppress(NothingToPlanFrom):
            shown_plans(results, error)
