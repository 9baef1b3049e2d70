"""What machine judges are held against, and what their calls say. Only reads.

Every analysis of machines comes through here. Judgments of models are a pool like any other
(inputs.pools); beside them stand the votes of people on the same question, which no machine is
ever among, and what is known of the texts.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

import pandas as pd
from django.db.models import Q

from analysis.inputs import frames
from analysis.inputs.measures import Measure
from analysis.inputs.settings import PEOPLE
from analysis.runs.frozen import Frozen
from analysis.stats.labels.repeats import counted_once
from annotation.models import Batch, Study
from judging.items.kinds import item_kind
from judging.models import MachineCall, MachineJudge, Rater

MICRO = 1_000_000
MODELS = "models"  # the pool whose runs hold judges against people


@dataclass(frozen=True)
class Beside:
    """people: their votes on the question, columns as frames.votes. texts: one row a response:
    response, system (its origin where it has none), style, words. models: what each rater runs.
    calls: what each call of a judge said of the question (`calls`)."""

    people: pd.DataFrame
    texts: pd.DataFrame
    models: Mapping[str, str]
    calls: pd.DataFrame
    currency: str = ""

    @property
    def digest(self) -> str:
        """SHA-256 of it all."""
        models = pd.DataFrame(self.models.items(), columns=["rater", "model"])
        parts = [
            frames.digest(self.people),
            *map(frames.digest_of, (self.texts, models, self.calls)),
        ]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def name_of(measure: Measure) -> str:
    """Of what stands beside the votes on a measure, among the inputs of a run."""
    return f"(beside {measure.key})"


def beside(*, study: Study, measure: Measure, batch: Batch | None, frozen: Frozen | None) -> Beside:
    return Beside(
        people=_votes_of_people(study, measure, batch, frozen),
        texts=_texts_of(study),
        models=_models_of(study),
        calls=calls(study=study, measure=measure),
        currency=study.currency,
    )


CALLS = (
    "item", "a", "b", "topic", "worker", "order", "shown", "value", "cost", "seconds", "parsed",
)  # fmt: skip


def calls(*, study: Study, measure: Measure) -> pd.DataFrame:
    """One row a call that asked this question: columns CALLS.

    value: the canonical label, None where nothing could be read; parsed says which. cost: in the
    study's currency, None where no price is known; cost and seconds are divided by the questions of
    the call. A judge whose calls are under way is left out until they are done: what is read of it
    would be another one at every look. So is one that is withdrawn.
    """
    rows = MachineCall.objects.filter(
        judge__study=study, instrument__key=measure.instrument, instrument__study=study
    )
    came = Q(state=MachineCall.State.ANSWERED) | (
        Q(state=MachineCall.State.FAILED, error__in=MachineCall.UNREAD)
    )
    unread = [MachineJudge.State.RUNNING, MachineJudge.State.WITHDRAWN]
    rows = rows.filter(came).exclude(judge__state__in=unread).order_by("pk")
    found = [
        (item, rater, order, shown, (parsed or {}).get(measure.name),
         None if cost is None else cost / MICRO / len(asked),
         None if seconds is None else seconds / len(asked), state == MachineCall.State.ANSWERED)
        for item, rater, order, shown, asked, parsed, cost, seconds, state in rows.values_list(
            "item", "judge__rater__pseudonym", "order", "shown", "questions", "parsed",
            "cost_micro", "seconds", "state",
        )
        if measure.name in asked
    ]  # fmt: skip
    names = ["item_id", "worker", "order", "shown", "value", "cost", "seconds", "parsed"]
    frame = pd.DataFrame(found, columns=names)
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
    """The same question as people were asked it."""
    return replace(measure, key=measure.key.removesuffix(f"@{measure.pool}"), pool=PEOPLE)


def machines_name_of(measure: Measure) -> str:
    """Of the votes of models that stand among annotators, among the inputs of a run."""
    return f"(machines {measure.key})"


def votes_of_machines(
    *, study: Study, measure: Measure, batch: Batch | None, frozen: Frozen | None
) -> pd.DataFrame:
    """What models say on the question of people; one label each where both orders are there."""
    asked = replace(measure, key=f"{measure.key}@{MODELS}", pool=MODELS)
    found = frames.votes(study=study, measure=asked, batch=batch, frozen=frozen)
    return counted_once(found).reset_index(drop=True)


def _votes_of_people(
    study: Study, measure: Measure, batch: Batch | None, frozen: Frozen | None
) -> pd.DataFrame:
    """Those that count in an analysis of people, too."""
    found = frames.votes(
        study=study,
        measure=of_people(measure),
        batch=batch,
        votes_per_item=study.analysis.get("votes_per_item"),
        frozen=frozen,
    )
    return found[found["counted"]].reset_index(drop=True)


def _texts_of(study: Study) -> pd.DataFrame:
    rows = study.corpus.responses.order_by("pk").values_list(
        "key", "system__key", "origin", "style", "words"
    )
    frame = pd.DataFrame.from_records(
        rows, columns=["response", "system", "origin", "style", "words"]
    )
    return frame.assign(system=frame["system"].fillna(frame["origin"])).drop(columns="origin")


def _models_of(study: Study) -> dict[str, str]:
    raters = Rater.objects.filter(kind=Rater.Kind.MODEL, judgments__item__study=study).distinct()
    return dict(raters.order_by("pk").values_list("pseudonym", "model"))
