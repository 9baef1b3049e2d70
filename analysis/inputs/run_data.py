"""Digests of the data that a run was planned for, and the same data when its steps read it."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis.inputs import (
    boards,
    frames,
    machine_calls,
    summary_frames,
    text_frames,
    work_frames,
)
from analysis.inputs.definition import Reads, offered_analyses
from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.judged_passages import judged_passages
from analysis.inputs.measures import Measure, measures_of
from analysis.inputs.method_work import method_work
from analysis.inputs.settings import PEOPLE
from analysis.models import AnalysisRun
from annotation.models import Batch, Study
from annotation.texts.coded_errors import CodedError
from judging.raters.pools import Pool

# Inputs of a run that are no measure.
TEXTS, PASSAGES = "(texts)", "(passages)"
PROCESS, WORK, RANKINGS = "(process)", "(work)", "(rankings)"
SUMMARIES = "(summaries)"
SUMMARY_MODELS = "(labels of summaries by models)"
JUDGED = "(judgments of passages)"  # beside grades on entries, where there are some
OFFICIAL = "(official orders)"  # in the digests of a run whose corpus has some
TEXT_SCORES = "(scores of texts)"  # likewise
METHOD_WORK = "(work by method)"  # of people, where there are several methods
EARLIER = "This analysis was started by an earlier version of Crowdwright. Start it again."
ABSTAINED = "(abstained)"  # answers such as “don't know”


KEPT_VOTES = 100_000  # of several measures, some 70 MB


class DataChanged(CodedError):
    """Data that a run was planned for were erased or redone; a new run is needed."""


def digests(
    *,
    study: Study,
    batch: Batch | None,
    votes_per_item: int | None,
    frozen: FrozenWork,
    pool: Pool | None = None,
    with_machines: bool = False,
) -> dict[str, str]:
    """Return the SHA-256 (hex) of all that a run reads, by name.

    The votes of a measure have its key, other data a name in brackets.
    """
    by_name = {
        TEXTS: text_frames.digest(text_frames.texts(study, batch, frozen)),
        PASSAGES: frames.digest_of(text_frames.passages(study, batch, frozen)),
        WORK: _work_digest(work_frames.work(study=study, batch=batch, frozen=frozen)),
    }
    if study.kind == Study.Kind.WRITING:
        by_name[PROCESS] = frames.digest_of(text_frames.processes(study, batch, frozen))
    measures = measures_of(study, pool=(pool or Pool()).name)
    if ranked := _ranked(measures):
        by_name[RANKINGS] = frames.digest_of(text_frames.rankings(study, ranked, batch, frozen))
    by_name |= _beside_boards(study, measures, batch, frozen)
    if _has_methods(measures) and (pool or Pool()).name == PEOPLE:
        by_name[METHOD_WORK] = frames.digest_of(method_work(study, batch, frozen))
    if _applies(Reads.SUMMARIES, measures):
        by_name[SUMMARIES] = summary_frames.digest(study, frozen)
        by_name[SUMMARY_MODELS] = frames.digest_of(
            summary_frames.labels_of_models(study, measures, batch, frozen)
        )
    if abstaining := _abstaining(measures):
        by_name[ABSTAINED] = frames.digest_of(_abstained(study, abstaining, batch, frozen))
    if with_machines:
        by_name |= {
            machine_calls.machines_name_of(measure): frames.digest(
                machine_calls.votes_of_machines(
                    study=study, measure=measure, batch=batch, frozen=frozen
                )
            )
            for measure in measures
            if measure.is_counted
        }
    layouts: dict[str, frames.Layout] = {}
    for measure in measures:
        if measure.is_counted:  # one after the other: all votes of a study may be large
            by_name |= _digests_of_votes(
                study, measure, batch, votes_per_item, frozen, pool or Pool(), layouts
            )
    return by_name


def _digests_of_votes(
    study: Study,
    measure: Measure,
    batch: Batch | None,
    votes_per_item: int | None,
    frozen: FrozenWork,
    pool: Pool,
    layouts: dict[str, frames.Layout],
) -> dict[str, str]:
    """Return the digest of the votes of a measure, and of what is read beside those of models."""
    votes = frames.votes(
        study=study,
        measure=measure,
        batch=batch,
        votes_per_item=votes_per_item,
        frozen=frozen,
        layouts=layouts,
    )
    by_name = {measure.key: frames.digest(votes)}
    if pool.name == machine_calls.MODELS:
        beside = machine_calls.beside(
            study=study, measure=measure, batch=batch, frozen=frozen, labels=votes
        )
        by_name |= _digests_of(beside, measure)
    return by_name


def _beside_boards(
    study: Study, measures: Sequence[Measure], batch: Batch | None, frozen: FrozenWork
) -> dict[str, str]:
    """Return the digests of existing official orders and passage judgments."""
    tables = {OFFICIAL: boards.official_orders(study), TEXT_SCORES: boards.text_scores(study)}
    if _applies(Reads.VOTES_ON_ENTRIES, measures):
        tables[JUDGED] = judged_passages(study, batch, frozen)
    return {name: frames.digest_of(frame) for name, frame in tables.items() if len(frame)}


def _has_methods(measures: Sequence[Measure]) -> bool:
    applicable = _applies(Reads.METHODS, measures)
    return len({measure.instrument for measure in applicable}) > 1


def _ranked(measures: Sequence[Measure]) -> list[Measure]:
    """Return the measures whose votes are read beside the rankings of systems."""
    return _applies(Reads.VOTES_ON_RANKED, measures)


def _applies(reads: Reads, measures: Sequence[Measure]) -> list[Measure]:
    analyses = [analysis for analysis in offered_analyses().values() if analysis.reads == reads]
    return [
        measure for measure in measures if any(analysis.applies(measure) for analysis in analyses)
    ]


def _abstaining(measures: Sequence[Measure]) -> list[Measure]:
    return [
        measure for measure in _applies(Reads.ALL_VOTES_ON_RESPONSES, measures) if measure.absent
    ]


def _abstained(
    study: Study, measures: Sequence[Measure], batch: Batch | None, frozen: FrozenWork
) -> pd.DataFrame:
    """Return the answers “don't know” to these measures, with the columns of `frames.votes`."""
    answers = [
        frames.votes(study=study, measure=measure, batch=batch, frozen=frozen, absent=True)
        for measure in measures
    ]
    return pd.concat(answers, ignore_index=True)


def _digests_of(beside: machine_calls.JudgeData, measure: Measure) -> dict[str, str]:
    names = machine_calls.names_of(measure)
    return {names[part]: digest for part, digest in beside.digests.items()}


def _work_digest(work: pd.DataFrame) -> str:
    """Return the digest of work; accepting changes no cost and starts no other run."""
    return frames.digest_of(work.drop(columns="state"))


def measures_in(run: AnalysisRun) -> list[Measure]:
    """Return the measures that a run reads, in the order of the questions."""
    return [
        measure for measure in measures_of(run.study, pool=run.pool) if measure.key in run.inputs
    ]


# The votes that this process read last, by measure and digest: the steps of a measure follow
# each other. The digest alone is not enough: two questions may be answered alike.
_kept: dict[tuple[Measure, str], pd.DataFrame] = {}


def _keep(name: tuple[Measure, str], frame: pd.DataFrame) -> None:
    """Keep the last frame whatever its size, and earlier ones as far as they are small."""
    _kept[name] = frame
    while len(_kept) > 1 and sum(map(len, _kept.values())) > KEPT_VOTES:
        del _kept[next(iter(_kept))]


def same_votes(
    run: AnalysisRun, measure: Measure, layouts: dict[str, frames.Layout] | None = None
) -> pd.DataFrame:
    """Return the votes of a measure as they were when the run was started. Raises DataChanged."""
    wanted = (measure, run.inputs[measure.key])
    if (stored := _kept.get(wanted)) is not None:
        return stored
    frame = votes_now(run, measure, layouts)
    if frames.digest(frame) != wanted[1]:
        raise DataChanged("votes", "Votes were erased or reopened after this analysis started.")
    _keep(wanted, frame)
    return frame


def votes_now(
    run: AnalysisRun, measure: Measure, layouts: dict[str, frames.Layout] | None = None
) -> pd.DataFrame:
    """Return the current votes of a measure; people may have withdrawn since."""
    return frames.votes(
        study=run.study,
        measure=measure,
        batch=run.batch,
        votes_per_item=run.parameters.get("votes_per_item"),
        frozen=FrozenWork.of(run.frozen),
        layouts=layouts,
    )


def same_abstained(run: AnalysisRun) -> pd.DataFrame | None:
    """Return the answers “don't know” that a run reads; None for a run of an earlier version.

    Raises DataChanged.
    """
    if ABSTAINED not in run.inputs:
        return None
    measures = _abstaining(measures_in(run))
    answers = _abstained(run.study, measures, run.batch, FrozenWork.of(run.frozen))
    if frames.digest_of(answers) != run.inputs[ABSTAINED]:
        raise DataChanged(
            "abstentions", "Votes were erased or reopened after this analysis started."
        )
    return answers


def same_texts(run: AnalysisRun) -> pd.DataFrame:
    frame = text_frames.texts(run.study, run.batch, FrozenWork.of(run.frozen))
    if text_frames.digest(frame) != run.inputs[TEXTS]:
        raise DataChanged("texts", "Texts were erased or reopened after this analysis started.")
    return frame


def same_passages(run: AnalysisRun) -> pd.DataFrame:
    """Return the passages of the topics of the texts. Raises DataChanged."""
    passages = text_frames.passages(run.study, run.batch, FrozenWork.of(run.frozen))
    if PASSAGES not in run.inputs:
        raise DataChanged("earlier_version", EARLIER)
    if frames.digest_of(passages) != run.inputs[PASSAGES]:
        raise DataChanged(
            "passages", "Passages were imported or erased after this analysis started."
        )
    return passages


def same_machines(run: AnalysisRun, measures: Sequence[Measure]) -> pd.DataFrame | None:
    """Return the votes of models, where the run has them among annotators."""
    if not run.with_machines:
        return None
    (measure,) = measures
    votes = machine_calls.votes_of_machines(
        study=run.study, measure=measure, batch=run.batch, frozen=FrozenWork.of(run.frozen)
    )
    if frames.digest(votes) != run.inputs[machine_calls.machines_name_of(measure)]:
        raise DataChanged("model_labels", "Labels of models changed after this analysis started.")
    return votes


def same_beside(run: AnalysisRun, measures: Sequence[Measure]) -> machine_calls.JudgeData:
    """Return the data beside the labels of models. Raises DataChanged."""
    (measure,) = measures
    beside = machine_calls.beside(
        study=run.study,
        measure=measure,
        batch=run.batch,
        frozen=FrozenWork.of(run.frozen),
        labels=same_votes(run, measure),
    )
    names = machine_calls.names_of(measure)
    if not set(names.values()) <= set(run.inputs):
        raise DataChanged("earlier_version", EARLIER)
    for part, digest in beside.digests.items():
        if digest != run.inputs[names[part]]:
            raise DataChanged(part, machine_calls.CHANGED[part])
    return beside


def same_rankings(run: AnalysisRun) -> pd.DataFrame:
    """Return the rankings of the topics that have votes. Raises DataChanged."""
    measures = _ranked(measures_in(run))
    frozen = FrozenWork.of(run.frozen)
    rankings = text_frames.rankings(run.study, measures, run.batch, frozen)
    if frames.digest_of(rankings) != run.inputs[RANKINGS]:
        raise DataChanged(
            "rankings", "Rankings were imported or erased after this analysis started."
        )
    return rankings


def same_orders(run: AnalysisRun) -> pd.DataFrame:
    """Return the official orders of a run. Raises DataChanged if they changed."""
    orders = boards.official_orders(run.study)
    if frames.digest_of(orders) != run.inputs[OFFICIAL]:
        raise DataChanged(
            "official_orders", "Official orders were changed after this analysis started."
        )
    return orders


def same_text_scores(run: AnalysisRun) -> pd.DataFrame:
    """Return the imported scores of texts, if any. Raises DataChanged if they changed."""
    scores = boards.text_scores(run.study)
    digest = frames.digest_of(scores) if len(scores) else None
    if digest != run.inputs.get(TEXT_SCORES):
        raise DataChanged(
            "text_scores", "Official orders were changed after this analysis started."
        )
    return scores


def same_method_work(run: AnalysisRun) -> pd.DataFrame | None:
    """Return people's work per method, or None if the run doesn't use it. Raises DataChanged."""
    if METHOD_WORK not in run.inputs:
        return None
    frame = method_work(run.study, run.batch, FrozenWork.of(run.frozen))
    if frames.digest_of(frame) != run.inputs[METHOD_WORK]:
        raise DataChanged(
            "method_work", "Submissions were erased or reopened after this analysis started."
        )
    return frame


def same_judged(run: AnalysisRun) -> pd.DataFrame | None:
    """Return the judgments of passages, or None. Raises DataChanged if they changed."""
    judged = judged_passages(run.study, run.batch, FrozenWork.of(run.frozen))
    digest = frames.digest_of(judged) if len(judged) else None
    if digest != run.inputs.get(JUDGED):
        raise DataChanged(
            "judged_passages",
            "Judgments of passages were erased or imported after this analysis started.",
        )
    return judged if digest else None


def same_summaries(run: AnalysisRun, measures: Sequence[Measure]) -> dict[str, Any]:
    """Return the parts of the summaries of a study, their copies, and the labels of models.

    Raises DataChanged.
    """
    frozen = FrozenWork.of(run.frozen)
    if not {SUMMARIES, SUMMARY_MODELS} <= set(run.inputs):
        raise DataChanged("earlier_version", EARLIER)
    if summary_frames.digest(run.study, frozen) != run.inputs[SUMMARIES]:
        raise DataChanged(
            "summaries", "Summaries were changed or erased after this analysis started."
        )
    models = summary_frames.labels_of_models(run.study, measures, run.batch, frozen)
    if frames.digest_of(models) != run.inputs[SUMMARY_MODELS]:
        raise DataChanged("model_labels", "Labels of models changed after this analysis started.")
    return {
        "parts": summary_frames.parts(run.study, frozen),
        "copies": summary_frames.copies(run.study, frozen),
        "models": models,
        "models_again": summary_frames.repeated_labels(run.study, measures, run.batch, frozen),
    }


def same_processes(run: AnalysisRun) -> pd.DataFrame:
    frame = text_frames.processes(run.study, run.batch, FrozenWork.of(run.frozen))
    if frames.digest_of(frame) != run.inputs[PROCESS]:
        raise DataChanged(
            "processes", "Texts were erased or measured again after this analysis started."
        )
    return frame


def same_work(run: AnalysisRun) -> pd.DataFrame:
    frozen = FrozenWork.of(run.frozen)
    frame = work_frames.work(study=run.study, batch=run.batch, frozen=frozen)
    if _work_digest(frame) != run.inputs[WORK]:
        raise DataChanged(
            "work", ("Submissions were erased or reopened after this analysis started.")
        )
    return frame
