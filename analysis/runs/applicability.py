"""Analyses that apply to a study, and remarks on questions without any. Only reads."""

from collections.abc import Iterable, Sequence

from analysis.inputs.definition import Analysis, Reads, offered_analyses
from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.measures import Measure, measures_of
from analysis.inputs.run_data import OFFICIAL, TEXT_SCORES
from analysis.inputs.scorers import scored_measures
from analysis.inputs.settings import PEOPLE, in_force
from analysis.models import AnalysisRun
from annotation.models import Study
from judging.items.kinds import KINDS, Holds
from judging.raters.pools import Pool

BY_MEASURE = (
    Reads.VOTES,
    Reads.VOTES_ON_RESPONSES,
    Reads.VOTES_ON_TEXTS,
    Reads.VOTES_ON_RANKED,
    Reads.VOTES_ON_ENTRIES,
    Reads.BESIDE_PEOPLE,
    Reads.RANKED,
)


def subjects(analysis: Analysis, run: AnalysisRun, measures: Sequence[Measure]) -> list[str]:
    """Return the keys of the measures that an analysis has a step for, or "" for all together.

    It is empty where there are fewer measures than the analysis needs.
    """
    if in_force(run.parameters)["compat"] and not analysis.published:
        return []
    if analysis.of_work and not _worked(run):
        return []
    if analysis.reads == Reads.BOARDS and OFFICIAL not in run.inputs:
        return []
    applicable = [measure for measure in measures if analysis.applies(measure)]
    if analysis.reads == Reads.METHODS and not _has_methods(run, applicable):
        return []
    keys = sorted(measure.key for measure in applicable)
    if analysis.reads in (Reads.SCORES, Reads.SCORED_TEXTS):
        applicable = scored_measures(applicable)  # the best and the worst are one
    if len(applicable) < analysis.least:
        keys = []
    if analysis.reads in BY_MEASURE:
        return keys
    return [""] if _has(analysis.reads, run, measures) or keys else []


def _has_methods(run: AnalysisRun, measures: Sequence[Measure]) -> bool:
    """Return whether two methods can be compared, counting imported text scores as a method."""
    methods = len({measure.instrument for measure in measures})
    return methods > 1 or (methods == 1 and TEXT_SCORES in run.inputs)


def _worked(run: AnalysisRun) -> bool:
    """Return whether some of the answers were given in work of the study."""
    pool = Pool(run.pool)
    if pool.is_working:
        return True
    rows = pool.judgments(study=run.study, batch=run.batch, frozen=FrozenWork.of(run.frozen))
    return rows.filter(assignment__isnull=False).exists()


def _has(reads: Reads, run: AnalysisRun, measures: Sequence[Measure]) -> bool:
    """Return whether the data exist that are read beside measures."""
    written = run.study.kind == Study.Kind.WRITING
    if reads == Reads.TEXTS:
        return written or any(_shows_responses(measure) for measure in measures)
    if reads == Reads.WORK:
        return run.pool == PEOPLE  # paid is the work of people
    return written and reads == Reads.PROCESS


def _shows_responses(measure: Measure) -> bool:
    return any(slot.holds == Holds.RESPONSE for slot in KINDS[measure.kind].slots)


def remarks(run: AnalysisRun) -> list[str]:
    """Return sentences on questions that no analysis reads; a writing study asks none."""
    if run.study.kind != Study.Kind.JUDGING:
        return []
    measures = measures_of(run.study, pool=run.pool)
    words = [measure.title for measure in measures if not measure.is_counted]
    if len(words) == len(measures):
        return [
            "All questions are open text, so no analysis applies. Export votes to read the answers."
        ]
    return [*_in_words(words), *_unread(measures)]


def _in_words(titles: Sequence[str]) -> Iterable[str]:
    if titles:
        yield f"No analysis applies to open text: {', '.join(titles)}."


def _unread(measures: Sequence[Measure]) -> Iterable[str]:
    """Yield sentences on measures for which there is no analysis."""
    for measure in measures:
        is_read = any(analysis.applies(measure) for analysis in offered_analyses().values())
        if measure.is_counted and not is_read:
            yield (
                f"No analysis applies to {measure.title} at the {measure.level} level. Its votes "
                f"are in "
                "the export."
            )
