"""What the steps of a run read: votes from the records, and what earlier steps found.

Only reads. A run reads the work that counted when it was started (runs.frozen); what it reads
must be what it was planned for, or something was erased meanwhile (DataChanged).
"""

from collections.abc import Callable, Sequence

import pandas as pd

from analysis.analyses.catalogue import offered
from analysis.analyses.described import Reads
from analysis.inputs import frames, machine_calls, summary_frames, text_frames, work_frames
from analysis.inputs.asked import Asked, frame_of
from analysis.inputs.measures import Does, Measure, measures_of
from analysis.inputs.pools import Pool
from analysis.inputs.scores import comparing_scorer, response_scores, speakers
from analysis.inputs.settings import COMPAT, in_force
from analysis.inputs.summaries import part_or_preference
from analysis.models import AnalysisRun, AnalysisStep, Result
from analysis.runs.frozen import Frozen
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.repeats import copies, counted_once, without_copies
from analysis.stats.votes import Votes
from annotation.models import Batch, Study

# Inputs of a run that are no measure.
TEXTS, PROCESS, WORK, RANKINGS = "(texts)", "(process)", "(work)", "(rankings)"
WITH_RESPONSES = (
    Reads.VOTES_ON_RESPONSES,
    Reads.ALL_VOTES_ON_RESPONSES,
    Reads.SCORES,
    Reads.VOTED_SCORES,
)
KEPT_VOTES = 100_000  # of several measures, some 70 MB
TOPICS_A_PART = 200  # a step that grades so many topics takes seconds; others take the next part


class DataChanged(ValueError):
    """What a run was planned for was erased or redone since; a new run is needed."""


class NoGoldLabels(CannotCompute):
    """No question has gold labels to grade by."""

    def __init__(self) -> None:
        super().__init__("Grades cannot be computed because no question has gold labels.")


class NothingCompared(CannotCompute):
    def __init__(self) -> None:
        super().__init__("Grades cannot be computed because no vote compares two responses.")


class NoCompetence(CannotCompute):
    def __init__(self) -> None:
        super().__init__("Votes cannot be weighted because no worker has a competence.")


class NoScores(CannotCompute):
    def __init__(self) -> None:
        super().__init__("This cannot be computed because no question has scores of responses.")


def digests(
    *,
    study: Study,
    batch: Batch | None,
    votes_per_item: int | None,
    frozen: Frozen,
    pool: Pool | None = None,
    with_machines: bool = False,
) -> dict[str, str]:
    """SHA-256 of all that a run reads: the votes of each measure, by its key, and what is no
    measure, by a name in brackets."""
    found = {
        TEXTS: text_frames.digest(study, batch, frozen),
        WORK: _work_digest(study, batch, frozen),
    }
    if study.kind == Study.Kind.WRITING:
        found[PROCESS] = frames.digest_of(text_frames.processes(study, batch, frozen))
    measures = measures_of(study, pool=(pool or Pool()).name)
    of_rankings = [each for each in offered().values() if each.reads == Reads.VOTES_ON_RANKED]
    if any(analysis.applies(measure) for analysis in of_rankings for measure in measures):
        found[RANKINGS] = frames.digest_of(text_frames.rankings(study))
    if with_machines:
        found |= {
            machine_calls.machines_name_of(measure): frames.digest(
                machine_calls.votes_of_machines(
                    study=study, measure=measure, batch=batch, frozen=frozen
                )
            )
            for measure in measures
            if measure.is_counted
        }
    if pool is not None and pool.name == machine_calls.MODELS:
        found |= {
            machine_calls.name_of(measure): machine_calls.beside(
                study=study, measure=measure, batch=batch, frozen=frozen
            ).digest
            for measure in measures
            if measure.is_counted
        }
    return found | {
        measure.key: frames.digest(
            frames.votes(
                study=study,
                measure=measure,
                batch=batch,
                votes_per_item=votes_per_item,
                frozen=frozen,
            )
        )
        for measure in measures
        if measure.is_counted
    }


def _work_digest(study: Study, batch: Batch | None, frozen: Frozen) -> str:
    """Whether work is submitted or accepted changes no cost: accepting starts no other run."""
    frame = work_frames.work(study=study, batch=batch, frozen=frozen)
    return frames.digest_of(frame.drop(columns="state"))


def measures_in(run: AnalysisRun) -> list[Measure]:
    """The measures that a run reads, in the order of the questions."""
    return [each for each in measures_of(run.study, pool=run.pool) if each.key in run.inputs]


def parts_of(run: AnalysisRun, reads: Reads) -> int:
    """Into how many steps of a question the topics are divided that have votes."""
    if reads != Reads.RANKED or _is_whole(run):
        return 1
    counted = Pool(run.pool).judgments(
        study=run.study, batch=run.batch, frozen=Frozen.of(run.frozen)
    )
    topics = counted.order_by().values("item__topic").distinct().count()
    return max(1, -(-topics // TOPICS_A_PART))


def _is_whole(run: AnalysisRun) -> bool:
    """Whether all topics are ranked together: an estimated tie parameter is one for all."""
    return bool(in_force(run.parameters)["tie_parameter"] == "estimated")


def asked_of(step: AnalysisStep) -> Asked:
    """All that the analysis of a step gets. Raises DataChanged or CannotCompute."""
    run, analysis = step.run, offered()[step.analysis]
    applies = part_or_preference if analysis.reads == Reads.SUMMARIES else analysis.applies
    measures = [
        measure
        for measure in measures_in(run)
        if applies(measure) and step.question in ("", measure.key)
    ]
    published = in_force(run.parameters)["compat"] == COMPAT
    voted = analysis.reads == Reads.VOTED_SCORES and not published
    return Asked(
        frame=READERS[analysis.reads](step, measures),
        measures=measures,
        parameters=in_force(run.parameters),
        seed=run.seed,
        responses=(
            frames.responses(corpus=run.study.corpus) if analysis.reads in WITH_RESPONSES else None
        ),
        votes=_ranking_votes(step, measures) if voted else None,
        speakers=speakers(run) if voted else None,
        texts=_same_texts(run) if analysis.reads == Reads.SCORED_TEXTS else None,
        passages=_passages(run) if analysis.reads == Reads.TEXTS else None,
        rankings=_same_rankings(run) if analysis.reads == Reads.VOTES_ON_RANKED else None,
        machines=_same_machines(run, measures) if analysis.may_have_machines else None,
        beside=_same_beside(run, measures) if analysis.reads == Reads.BESIDE_PEOPLE else None,
        **_summaries(run) if analysis.reads == Reads.SUMMARIES else {},
    )


def _votes(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    (measure,) = measures
    return _each_person_once(step.run, _same_votes(step.run, measure))


def _every_label(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    """Also both of a model that was asked in both orders."""
    (measure,) = measures
    return _same_votes(step.run, measure)


def _all_votes(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    frames_of = [_each_person_once(step.run, _same_votes(step.run, each)) for each in measures]
    return pd.concat(frames_of, ignore_index=True)


def _each_person_once(run: AnalysisRun, frame: pd.DataFrame) -> pd.DataFrame:
    """A worker counts once on an item, and a person under several names if the run says so.

    The published pipeline reads every vote.
    """
    if in_force(run.parameters)["compat"] == COMPAT:
        return frame
    once = counted_once(frame)
    if run.parameters.get("copies") == "out":
        once = once[~once["worker"].isin(copied_names(run, _same_votes))]
    if len(once) == len(frame):
        return frame
    counted = run.parameters.get("votes_per_item")
    order = once.groupby("item", sort=False).cumcount()
    return once.assign(counted=order < counted if counted else True).reset_index(drop=True)


_copied: dict[str, set[str]] = {}  # by the digest of the run: the names that it takes out


def copied_names(
    run: AnalysisRun, votes_of: Callable[[AnalysisRun, Measure], pd.DataFrame]
) -> set[str]:
    """All names but one of each person who is found under several."""
    if run.digest not in _copied:
        measures = [each for each in measures_in(run) if each.is_counted and each.options]
        read = [counted_once(votes_of(run, each)) for each in measures]
        votes = [
            Votes.from_frame(frame[["item", "worker", "value"]], options=each.labels)
            for each, frame in zip(measures, read, strict=True)
            if len(frame)
        ]
        every = pd.concat(read, ignore_index=True)
        kept = without_copies(every, copies(votes)) if votes else every
        _copied.clear()
        _copied[run.digest] = set(every["worker"]) - set(kept["worker"])
    return _copied[run.digest]


# The votes that this process read last, by measure and digest: the steps of a measure follow
# each other. The digest alone is not enough: two questions may be answered alike.
_kept: dict[tuple[Measure, str], pd.DataFrame] = {}


def _keep(name: tuple[Measure, str], frame: pd.DataFrame) -> None:
    """The last one whatever its size, and others before it as far as they are few."""
    _kept[name] = frame
    while len(_kept) > 1 and sum(map(len, _kept.values())) > KEPT_VOTES:
        del _kept[next(iter(_kept))]


def _same_votes(run: AnalysisRun, measure: Measure) -> pd.DataFrame:
    """The votes of a measure, as they were when the run was started. Raises DataChanged."""
    wanted = (measure, run.inputs[measure.key])
    if (kept := _kept.get(wanted)) is not None:
        return kept
    frame = votes_now(run, measure)
    if frames.digest(frame) != wanted[1]:
        raise DataChanged("Votes were erased or redone after this analysis was started.")
    _keep(wanted, frame)
    return frame


def votes_now(run: AnalysisRun, measure: Measure) -> pd.DataFrame:
    """What is there of them now: people may have withdrawn since."""
    return frames.votes(
        study=run.study,
        measure=measure,
        batch=run.batch,
        votes_per_item=run.parameters.get("votes_per_item"),
        frozen=Frozen.of(run.frozen),
    )


def _same_texts(run: AnalysisRun) -> pd.DataFrame:
    frozen = Frozen.of(run.frozen)
    if text_frames.digest(run.study, run.batch, frozen) != run.inputs[TEXTS]:
        raise DataChanged("Texts were erased or redone after this analysis was started.")
    return text_frames.texts(run.study, run.batch, frozen)


def _passages(run: AnalysisRun) -> pd.DataFrame:
    return text_frames.passages(run.study, run.batch, Frozen.of(run.frozen))


def _summaries(run: AnalysisRun) -> dict[str, pd.DataFrame]:
    corpus = run.study.corpus
    return {"parts": summary_frames.parts(corpus), "copies": summary_frames.copies(corpus)}


def _beside(run: AnalysisRun, measures: Sequence[Measure]) -> machine_calls.Beside:
    (measure,) = measures
    return machine_calls.beside(
        study=run.study, measure=measure, batch=run.batch, frozen=Frozen.of(run.frozen)
    )


def _same_machines(run: AnalysisRun, measures: Sequence[Measure]) -> pd.DataFrame | None:
    """The votes of models, where the run has them among annotators."""
    if not run.with_machines:
        return None
    (measure,) = measures
    found = machine_calls.votes_of_machines(
        study=run.study, measure=measure, batch=run.batch, frozen=Frozen.of(run.frozen)
    )
    if frames.digest(found) != run.inputs[machine_calls.machines_name_of(measure)]:
        raise DataChanged("Labels of models changed after this analysis was started.")
    return found


def _same_beside(run: AnalysisRun, measures: Sequence[Measure]) -> machine_calls.Beside:
    found = _beside(run, measures)
    if found.digest != run.inputs[machine_calls.name_of(measures[0])]:
        raise DataChanged("Votes of people were erased or redone after this analysis was started.")
    return found


def _same_rankings(run: AnalysisRun) -> pd.DataFrame:
    rankings = text_frames.rankings(run.study)
    if frames.digest_of(rankings) != run.inputs[RANKINGS]:
        raise DataChanged("Rankings were imported or erased after this analysis was started.")
    return rankings


def _texts(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    return _same_texts(step.run)


def _processes(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    run = step.run
    frame = text_frames.processes(run.study, run.batch, Frozen.of(run.frozen))
    if frames.digest_of(frame) != run.inputs[PROCESS]:
        raise DataChanged("Texts were erased or measured again after this analysis was started.")
    return frame


def _work(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    run = step.run
    frozen = Frozen.of(run.frozen)
    if _work_digest(run.study, run.batch, frozen) != run.inputs[WORK]:
        raise DataChanged("Work was erased or redone after this analysis was started.")
    return work_frames.work(study=run.study, batch=run.batch, frozen=frozen)


def _ranked(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    """The votes that count, or the gold labels, for some of the topics.

    Where votes are weighted, a column `competence` tells of the worker.
    """
    run, ranking = step.run, in_force(step.run.parameters)["ranking"]
    if ranking == "mace":
        frame = gold_labels(run, question=step.question)
    else:
        frame = _ranking_votes(step, measures)
    if not _is_whole(run):
        topics = sorted(frame["topic"].unique())
        mine = topics[step.part * TOPICS_A_PART :][:TOPICS_A_PART]
        frame = frame[frame["topic"].isin(mine)]
    if frame.empty:
        raise NoGoldLabels if ranking == "mace" else NothingCompared
    return frame


def _ranking_votes(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    """The votes of measures that count; where votes are weighted, the competence of the worker."""
    run = step.run
    frame = _all_votes(step, measures)
    frame = frame[frame["counted"]]
    compared = any(each.does == Does.COMPARES for each in measures)
    if compared and in_force(run.parameters)["ranking"] == "weighted":
        found = _found(run, "competence", "competence", step.question, NoCompetence)
        known = found[["question", "worker", "competence"]]
        frame = frame.merge(known, on=["question", "worker"], how="left")
    return frame


def _all_gold(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    return _of(measures, gold_labels(step.run))


def gold_labels(run: AnalysisRun, *, question: str = "") -> pd.DataFrame:
    """What the competence steps found: question (measure), item, topic, a, b, gold, ..."""
    return _found(run, "competence", "gold", question, NoGoldLabels)


def _scores(step: AnalysisStep, measures: Sequence[Measure]) -> pd.DataFrame:
    frame = response_scores(step.run, scoring=comparing_scorer)
    if frame.empty:
        raise NoScores
    return frame


def _of(measures: Sequence[Measure], frame: pd.DataFrame) -> pd.DataFrame:
    """What was found of these measures alone; the others do something else."""
    return frame[frame["question"].isin([measure.key for measure in measures])]


def _found(
    run: AnalysisRun, analysis: str, name: str, question: str, nothing: type[CannotCompute]
) -> pd.DataFrame:
    results = Result.objects.filter(step__run=run, step__analysis=analysis, missing="")
    if question:
        results = results.filter(step__question=question)
    found = []
    for result in results.select_related("step").order_by("step"):
        frame = frame_of(result.data[name])
        frame["question"] = result.step.question
        found.append(frame)
    if not found:
        raise nothing
    return pd.concat(found, ignore_index=True)


READERS: dict[Reads, Callable[[AnalysisStep, Sequence[Measure]], pd.DataFrame]] = {
    Reads.VOTES: _votes,
    Reads.VOTES_ON_RESPONSES: _votes,
    Reads.VOTES_ON_RANKED: _votes,
    Reads.BESIDE_PEOPLE: _every_label,
    Reads.ALL_VOTES: _all_votes,
    Reads.ALL_VOTES_ON_RESPONSES: _all_votes,
    Reads.SUMMARIES: _all_votes,
    Reads.RANKED: _ranked,
    Reads.ALL_GOLD: _all_gold,
    Reads.SCORES: _scores,
    Reads.VOTED_SCORES: _scores,
    Reads.SCORED_TEXTS: _scores,
    Reads.TEXTS: _texts,
    Reads.PROCESS: _processes,
    Reads.WORK: _work,
}
