"""Data of the steps of a run: votes from the records, and results of earlier steps.

Only reads. A run reads the work that counted when it was started (frozen_work). The data must equal
those it was planned for; otherwise something was erased meanwhile (DataChanged).
"""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace

import pandas as pd

from analysis.inputs import frames
from analysis.inputs.analysis_input import AnalysisInput, frame_of
from analysis.inputs.boards import boards_of
from analysis.inputs.decided_votes import RULE, decided_pairs, with_decided
from analysis.inputs.definition import Reads, offered_analyses
from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.left_out import left_out_of, without_left_out
from analysis.inputs.machine_calls import JudgeData
from analysis.inputs.measures import Does, Measure
from analysis.inputs.method_scores import method_scores
from analysis.inputs.method_work import arms_left
from analysis.inputs.run_data import (
    RANKINGS,
    measures_in,
    same_abstained,
    same_beside,
    same_judged,
    same_machines,
    same_method_work,
    same_orders,
    same_passages,
    same_processes,
    same_rankings,
    same_summaries,
    same_texts,
    same_votes,
    same_work,
)
from analysis.inputs.scorers import comparing_scorer
from analysis.inputs.scores import response_scores, speakers
from analysis.inputs.settings import COMPAT, in_force
from analysis.inputs.summaries import AGAIN, COPIED, LEFT_OUT_VOTE, TOO_LATE, is_of_summaries
from analysis.models import AnalysisRun, AnalysisStep, Result
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.worker_copies import counted_once, find_copies, without_copies
from analysis.stats.votes import Votes
from judging.raters.pools import Pool

WITH_RESPONSES = (
    Reads.VOTES_ON_RESPONSES,
    Reads.VOTES_ON_TEXTS,
    Reads.ALL_VOTES_ON_RESPONSES,
    Reads.SCORES,
    Reads.VOTED_SCORES,
)
WITH_PEOPLE = (Reads.BESIDE_PEOPLE, Reads.ALL_BESIDE_PEOPLE)
COMPONENTS = tuple(part.name for part in fields(Components))
WITH_TEXTS = (Reads.SCORED_TEXTS, Reads.VOTES_ON_TEXTS)
TOPICS_A_PART = 200  # a step that grades so many topics takes seconds; others take the next part


NO_GOLD_LABELS = "Grades cannot be computed because no question has gold labels."
NOTHING_COMPARED = "Grades cannot be computed because no vote compares two responses."
NO_COMPETENCE = "Votes cannot be weighted because no participant has a competence."


def parts_of(run: AnalysisRun, reads: Reads) -> int:
    """Return the number of steps that the topics with votes are split into."""
    if reads != Reads.RANKED or _is_whole(run):
        return 1
    counted = Pool(run.pool).judgments(
        study=run.study, batch=run.batch, frozen=FrozenWork.of(run.frozen)
    )
    voted = set(counted.order_by().values_list("item__topic__key", flat=True).distinct())
    topics = voted | {pair.topic for pair in decided_pairs(run)}
    return max(1, -(-len(topics) // TOPICS_A_PART))


def _is_whole(run: AnalysisRun) -> bool:
    """Return whether all topics are ranked together: an estimated tie parameter is common."""
    return bool(in_force(run.parameters)["tie_parameter"] == "estimated")


def input_of(step: AnalysisStep) -> AnalysisInput:
    """Return the input of the analysis of a step. Raises DataChanged or CannotCompute."""
    run, analysis = step.run, offered_analyses()[step.analysis]
    applies = is_of_summaries if analysis.reads == Reads.SUMMARIES else analysis.applies
    measures = [
        measure
        for measure in measures_in(run)
        if applies(measure) and step.question in ("", measure.key)
    ]
    published = in_force(run.parameters)["compat"] == COMPAT
    voted = analysis.reads == Reads.VOTED_SCORES and not published
    frame = READERS[analysis.reads](step, measures)
    return AnalysisInput(
        frame=with_decided(run, measures, frame) if analysis.counts_rule else frame,
        measures=measures,
        parameters=in_force(run.parameters),
        seed=run.seed,
        responses=(
            frames.responses(corpus=run.study.corpus) if analysis.reads in WITH_RESPONSES else None
        ),
        votes=_ranking_votes(step, measures) if voted else None,
        speakers=speakers(run) if voted else None,
        texts=same_texts(run) if analysis.reads in WITH_TEXTS else None,
        components=_components(step) if analysis.reads == Reads.VOTES_ON_TEXTS else None,
        passages=same_passages(run) if analysis.reads == Reads.TEXTS else None,
        rankings=same_rankings(run) if _reads_rankings(run, analysis.reads) else None,
        judged=same_judged(run) if analysis.reads == Reads.VOTES_ON_ENTRIES else None,
        orders=same_orders(run) if analysis.reads == Reads.BOARDS else None,
        abstained=(_abstained(run) if analysis.reads == Reads.ALL_VOTES_ON_RESPONSES else None),
        machines=same_machines(run, measures) if analysis.may_have_machines else None,
        beside=_beside(run, measures) if analysis.reads in WITH_PEOPLE else None,
        method_work=same_method_work(run) if analysis.reads == Reads.METHODS else None,
        arms_left=arms_left(run.study, run.batch) if analysis.reads == Reads.METHODS else {},
        names=(
            dict(run.study.corpus.systems.values_list("key", "name"))
            if analysis.reads in WITH_RESPONSES
            else {}
        ),
        **same_summaries(run, measures) if analysis.reads == Reads.SUMMARIES else {},
    )


def _reads_rankings(run: AnalysisRun, reads: Reads) -> bool:
    """Return whether rankings are read, beside people only where the run was planned so."""
    beside = reads == Reads.BESIDE_PEOPLE and RANKINGS in run.inputs
    return beside or reads in (Reads.VOTES_ON_RANKED, Reads.VOTES_ON_ENTRIES)


def _votes(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    (measure,) = measures
    return _each_person_once(step.run, same_votes(step.run, measure))


def _beside(run: AnalysisRun, measures: Sequence[Measure]) -> JudgeData:
    """Return the data beside the labels of models; of several measures only the votes of people."""
    each = [same_beside(run, [measure]) for measure in measures]
    if len(each) == 1:
        return replace(each[0], people=without_left_out(each[0].people, run.parameters))
    people = pd.concat(
        [beside.people.assign(question=m.key) for m, beside in zip(measures, each, strict=True)],
        ignore_index=True,
    )
    beside = replace(each[0], people=people)
    return replace(beside, people=without_left_out(beside.people, run.parameters))


def _every_label(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    """Return all labels, also both of a model that was asked in both orders."""
    return pd.concat([same_votes(step.run, measure) for measure in measures], ignore_index=True)


def _all_votes(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    layouts: dict[str, frames.Layout] = {}
    frames_of = [
        _each_person_once(step.run, same_votes(step.run, measure, layouts)) for measure in measures
    ]
    return pd.concat(frames_of, ignore_index=True)


def _every_vote(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    """Return all votes; those that do not count have the reason in `unused`."""
    read = [same_votes(step.run, measure) for measure in measures]
    frames_of = []
    for frame in read:
        once = counted_once(_each_person_once(step.run, frame)).assign(unused="")
        is_left = frame["worker"].isin(left_out_of(step.run.parameters).workers or [])
        is_again = ~frame.index.isin(counted_once(frame[~is_left]).index) & ~is_left
        is_copy = ~frame["worker"].isin(once["worker"]) & ~is_left & ~is_again
        reasons = ((is_left, LEFT_OUT_VOTE), (is_again, AGAIN), (is_copy, COPIED))
        rest = [frame[among].assign(unused=why) for among, why in reasons if among.any()]
        once.loc[~once["counted"], "unused"] = TOO_LATE
        frames_of += [once, *(rows.assign(counted=False) for rows in rest)]
    return pd.concat(frames_of, ignore_index=True)


def _each_person_once(run: AnalysisRun, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the votes with each worker once an item, and each person if the run says so.

    The published pipeline reads every vote of every worker who is not left out.
    """
    if left_out_of(run.parameters).workers:
        frame = _counted_again(run, without_left_out(frame, run.parameters))
    if in_force(run.parameters)["compat"] == COMPAT:
        return frame
    once = counted_once(frame)
    if run.parameters.get("copies") == "out":
        once = once[~once["worker"].isin(copied_names(run, same_votes))]
    if len(once) == len(frame):
        return frame
    return _counted_again(run, once)


def _counted_again(run: AnalysisRun, frame: pd.DataFrame) -> pd.DataFrame:
    """Return fewer votes, of which later ones move up among the first of their item."""
    counted = run.parameters.get("votes_per_item")
    order = frame.groupby("item", sort=False).cumcount()
    return frame.assign(counted=order < counted if counted else True).reset_index(drop=True)


def _abstained(run: AnalysisRun) -> pd.DataFrame | None:
    """Return the answers “don't know”, each person once."""
    answers = same_abstained(run)
    if answers is None:
        return None
    once = counted_once(without_left_out(answers, run.parameters))
    if run.parameters.get("copies") == "out":
        once = once[~once["worker"].isin(copied_names(run, same_votes))]
    return once


_copied: dict[str, set[str]] = {}  # by the digest of the run: the names that it takes out


def copied_names(
    run: AnalysisRun, votes_of: Callable[[AnalysisRun, Measure], pd.DataFrame]
) -> set[str]:
    """Return all names but one of each person who has several."""
    if run.digest not in _copied:
        measures = [
            measure for measure in measures_in(run) if measure.is_counted and measure.options
        ]
        read = [counted_once(votes_of(run, voted_measure)) for voted_measure in measures]
        votes = [
            Votes.from_frame(frame[["item", "worker", "value"]], options=voted_measure.labels)
            for voted_measure, frame in zip(measures, read, strict=True)
            if len(frame)
        ]
        all_votes = pd.concat(read, ignore_index=True)
        without = without_copies(all_votes, find_copies(votes)) if votes else all_votes
        _copied.clear()
        _copied[run.digest] = set(all_votes["worker"]) - set(without["worker"])
    return _copied[run.digest]


def _texts(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    return same_texts(step.run)


def _processes(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    return same_processes(step.run)


def _work(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    return same_work(step.run)


def _ranked(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    """Return the counted votes, or the gold labels, for some of the topics.

    With weighted votes, a column has the `competence` of the worker.
    """
    run, ranking = step.run, in_force(step.run.parameters)["ranking"]
    if ranking == "mace":
        frame = gold_labels(run, question=step.question)
    else:
        frame = _ranking_votes(step, measures)
    if not _is_whole(run):
        topics = sorted(frame["topic"].unique())
        own_topics = topics[step.part * TOPICS_A_PART :][:TOPICS_A_PART]
        frame = frame[frame["topic"].isin(own_topics)]
    if frame.empty:
        if ranking == "mace":
            raise CannotCompute("no_gold_labels", NO_GOLD_LABELS)
        raise CannotCompute("no_comparisons", NOTHING_COMPARED)
    return frame


def _ranking_votes(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    """Return the counted votes of measures, with the competence of the worker if weighted."""
    run = step.run
    frame = with_decided(run, measures, _all_votes(step, measures))
    is_rule = frame["worker"].str.startswith(RULE)
    # One name: the votes of the rule are not those of so many raters.
    frame = frame.assign(worker=frame["worker"].mask(is_rule, RULE))[frame["counted"]]
    compared = any(measure.does == Does.COMPARES for measure in measures)
    if compared and in_force(run.parameters)["ranking"] == "weighted":
        competence = _found(run, "competence", "competence", step.question, NO_COMPETENCE)
        by_worker = competence[["question", "worker", "competence"]]
        frame = frame.merge(by_worker, on=["question", "worker"], how="left")
        is_rule = frame["worker"].str.startswith(RULE)
        frame["competence"] = frame["competence"].mask(is_rule, 1.0)
    return frame


def _all_gold(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    return _of(measures, gold_labels(step.run))


def gold_labels(run: AnalysisRun, *, question: str = "") -> pd.DataFrame:
    """Return the labels of the competence steps: question (measure), item, topic, gold, ..."""
    return _found(run, "competence", "gold", question, NO_GOLD_LABELS)


def _components(step: AnalysisStep) -> Components | None:
    """Return the components of the mixed model of the same votes, if it was fitted."""
    try:
        table = _found(step.run, "mixed", "components", step.question, "")
    except CannotCompute:
        return None
    (row,) = table[list(COMPONENTS)].to_dict("records")
    return None if None in row.values() else Components(**{str(k): v for k, v in row.items()})


def _scores(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    frame = response_scores(step.run, scoring=comparing_scorer)
    if frame.empty:
        raise CannotCompute(
            "no_scores", "This cannot be computed because no question gives scores of responses."
        )
    return frame


def _boards(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    return boards_of(step.run)


def _methods(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    return method_scores(step.run)


def _of(measures: Sequence[Measure], frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["question"].isin([measure.key for measure in measures])]


def _found(run: AnalysisRun, analysis: str, name: str, question: str, nothing: str) -> pd.DataFrame:
    results = Result.objects.filter(step__run=run, step__analysis=analysis, missing="")
    if question:
        results = results.filter(step__question=question)
    stored_frames = []
    for result in results.select_related("step").order_by("step"):
        frame = frame_of(result.data[name])
        frame["question"] = result.step.question
        stored_frames.append(frame)
    if not stored_frames:
        raise CannotCompute("no_earlier_result", nothing)
    return pd.concat(stored_frames, ignore_index=True)


READERS: dict[Reads, Callable[[AnalysisStep, Sequence[Measure]], pd.DataFrame]] = {
    Reads.VOTES: _votes,
    Reads.VOTES_ON_RESPONSES: _votes,
    Reads.VOTES_ON_TEXTS: _votes,
    Reads.VOTES_ON_RANKED: _votes,
    Reads.VOTES_ON_ENTRIES: _votes,
    Reads.BESIDE_PEOPLE: _every_label,
    Reads.ALL_BESIDE_PEOPLE: _every_label,
    Reads.ALL_VOTES: _all_votes,
    Reads.ALL_VOTES_ON_RESPONSES: _all_votes,
    Reads.SUMMARIES: _every_vote,
    Reads.RANKED: _ranked,
    Reads.ALL_GOLD: _all_gold,
    Reads.SCORES: _scores,
    Reads.VOTED_SCORES: _scores,
    Reads.SCORED_TEXTS: _scores,
    Reads.BOARDS: _boards,
    Reads.METHODS: _methods,
    Reads.TEXTS: _texts,
    Reads.PROCESS: _processes,
    Reads.WORK: _work,
}
