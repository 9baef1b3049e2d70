"""Votes of people, texts, models and calls beside the labels of LLM judges.

The votes of people on the same question never include those of a model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd
from django.db.models import Q

from analysis.inputs import frames
from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.measures import Measure
from analysis.inputs.settings import PEOPLE
from analysis.stats.labels.worker_copies import counted_once
from annotation.models import Batch, Study
from judging.items.kinds import Holds, item_kind
from judging.models import MachineCall, MachineJudge, Rater

MICRO = 1_000_000
MODELS = "models"  # the pool whose runs compare judges with people


@dataclass(frozen=True)
class JudgeData:
    """Data beside the labels of models on one question.

    people: the votes of people, columns as frames.votes. texts: one row for each response that
    people or models judged: response, system (its origin where it has none), style, words. models:
    the model of each rater that has labels. calls: the answers of the judges (`calls`).
    """

    people: pd.DataFrame
    texts: pd.DataFrame
    models: Mapping[str, str]
    calls: pd.DataFrame
    currency: str = ""

    @property
    def digests(self) -> dict[str, str]:
        """The SHA-256 (hex) of each part, so that a change can be named."""
        models = pd.DataFrame(self.models.items(), columns=["rater", "model"])
        return {
            "people": frames.digest(self.people),
            "texts": frames.digest_of(self.texts),
            "models": frames.digest_of(models),
            "calls": frames.digest_of(self.calls),
        }


def names_of(measure: Measure) -> dict[str, str]:
    """Return the name of each part of `JudgeData` among the inputs of a run."""
    return {part: f"({part} beside {measure.key})" for part in CHANGED}


# Why a run cannot go on, by the part of `JudgeData` that changed.
CHANGED: Mapping[str, str] = {
    "people": "Votes of people were erased or reopened after this analysis started.",
    "texts": "Judged texts were changed or erased after this analysis started.",
    "models": "The model of a judge was changed after this analysis started.",
    "calls": "Calls of a judge were retried or withdrawn after this analysis started.",
}


def beside(
    *,
    study: Study,
    measure: Measure,
    batch: Batch | None,
    frozen: FrozenWork | None,
    labels: pd.DataFrame,
) -> JudgeData:
    """Return the data beside `labels`, the votes of models on the measure."""
    people = _votes_of_people(study, measure, batch, frozen)
    of_calls = calls(study=study, measure=measure, frozen=frozen)
    return JudgeData(
        people=people,
        texts=_texts_of(study, measure, [people, labels, of_calls]),
        models=_models_of(labels),
        calls=of_calls,
        currency=study.currency,
    )


CALLS = (
    "item", "a", "b", "topic", "worker", "order", "shown", "value", "cost", "seconds", "parsed",
)  # fmt: skip


def calls(*, study: Study, measure: Measure, frozen: FrozenWork | None = None) -> pd.DataFrame:
    """Return one row for each call that asked this question: columns CALLS.

    value: the canonical label, None where nothing could be read; parsed tells the two apart. cost:
    in the study's currency, None where no price is known; cost and seconds are divided by the
    questions of the call. Withdrawn judges are left out, and judges whose calls are under way, or
    were when `frozen` was made, because their calls would differ at every read.
    """
    rows = MachineCall.objects.filter(
        judge__study=study, instrument__key=measure.instrument, instrument__study=study
    )
    came = Q(state=MachineCall.State.ANSWERED) | (
        Q(state=MachineCall.State.FAILED, error__in=MachineCall.UNREAD)
    )
    unread = [MachineJudge.State.RUNNING, MachineJudge.State.WITHDRAWN]
    rows = rows.filter(came).exclude(judge__state__in=unread).order_by("pk")
    if frozen is not None and frozen.judges is not None:
        rows = rows.filter(judge__in=frozen.judges)
    labelled_calls = [
        (item, rater, order, shown, (parsed or {}).get(measure.name),
         None if cost is None else cost / MICRO / len(questions),
         None if seconds is None else seconds / len(questions), state == MachineCall.State.ANSWERED)
        for item, rater, order, shown, questions, parsed, cost, seconds, state in rows.values_list(
            "item", "judge__rater__pseudonym", "order", "shown", "questions", "parsed",
            "cost_micro", "seconds", "state",
        )
        if measure.name in questions
    ]  # fmt: skip
    names = ["item_id", "worker", "order", "shown", "value", "cost", "seconds", "parsed"]
    frame = pd.DataFrame(labelled_calls, columns=names)
    if frame.empty:
        return pd.DataFrame(columns=list(CALLS))
    items = frames.items_of(study=study, kind=item_kind(measure.kind))
    frame = frame.merge(items, on="item_id", how="inner")
    value = frame["value"].map(lambda each: None if pd.isna(each) else str(each))
    for slot in measure.slots:
        value = value.mask(value.notna() & (frame["value"] == frame[slot]), slot)
    return frame.assign(value=value)[
        [*CALLS, *(name for name in items.columns if name not in {*CALLS, "item_id"})]
    ]


def of_people(measure: Measure) -> Measure:
    """Return the question as people were asked it."""
    return replace(measure, key=measure.key.removesuffix(f"@{measure.pool}"), pool=PEOPLE)


def machines_name_of(measure: Measure) -> str:
    """Return the name of the votes of model annotators among the inputs of a run."""
    return f"(machines {measure.key})"


def votes_of_machines(
    *, study: Study, measure: Measure, batch: Batch | None, frozen: FrozenWork | None
) -> pd.DataFrame:
    """Return the labels of models on the question of people, one for both orders of a pair."""
    of_models = measure_of_models(measure)
    votes = frames.votes(study=study, measure=of_models, batch=batch, frozen=frozen)
    return counted_once(votes).reset_index(drop=True)


def measure_of_models(measure: Measure) -> Measure:
    """Return the same measure as answered by models."""
    return replace(measure, key=f"{measure.key}@{MODELS}", pool=MODELS)


def _votes_of_people(
    study: Study, measure: Measure, batch: Batch | None, frozen: FrozenWork | None
) -> pd.DataFrame:
    """Return the votes that count in an analysis of people."""
    votes = frames.votes(
        study=study,
        measure=of_people(measure),
        batch=batch,
        votes_per_item=study.analysis.get("votes_per_item"),
        frozen=frozen,
    )
    return votes[votes["counted"]].reset_index(drop=True)


def _texts_of(study: Study, measure: Measure, judged: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the responses in the slots of judged items; the corpus may have many others."""
    kind = item_kind(measure.kind)
    keys: set[str] = set()
    for frame in judged:
        for name in frame.columns:
            slot = kind.slot(str(name))
            if slot is not None and slot.holds == Holds.RESPONSE:
                keys |= {*frame[name].dropna()}
    rows = study.corpus.responses.order_by("pk").values_list(
        "key", "system__key", "origin", "style", "words"
    )
    frame = pd.DataFrame.from_records(
        rows, columns=["response", "system", "origin", "style", "words"]
    )
    frame = frame[frame["response"].isin(keys)].reset_index(drop=True)
    return frame.assign(system=frame["system"].fillna(frame["origin"])).drop(columns="origin")


def _models_of(labels: pd.DataFrame) -> dict[str, str]:
    raters = Rater.objects.filter(
        kind=Rater.Kind.MODEL, pseudonym__in=labels["worker"].unique().tolist()
    )
    return dict(raters.order_by("pk").values_list("pseudonym", "model"))
