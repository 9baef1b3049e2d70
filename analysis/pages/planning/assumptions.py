"""Assumptions about a crowd and systems: published ones, or those of an earlier study."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models.fields.json import KeyTransform
from django.utils.translation import gettext, gettext_lazy

from analysis.inputs.analysis_input import frame_of
from analysis.inputs.settings import PEOPLE
from analysis.models import AnalysisRun, Result
from analysis.runs.findings import records
from analysis.stats.bradley_terry.mixed_effects import vote_share
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.simulated_power import difference_for
from analysis.stats.bradley_terry.simulated_votes import AssumedTruth
from annotation.people import access
from annotation.people.access import Person
from annotation.studies.act_effects import FEES
from annotation.studies.drafts.schema import Document
from annotation.texts.sentences import marked
from judging.models import Question

MOST_STUDIES = 8  # that are offered to plan from, the newest first
LEAST_SHARE, MOST_SHARE = 0.5, 0.9


@dataclass(frozen=True)
class PilotVariation:
    """Variation of votes in a study.

    `share` is the share of votes that the better of its two best systems wins; a tie counts half.
    """

    key: str
    title: str
    components: Components
    tie_parameter: float
    share: float


# Fitted by bradley_terry/mixed.py to the votes of Gienapp et al. (SIGIR 2025) on overall quality;
# t is that of topical correctness, since the former had no ties. Two close systems are assumed.
PUBLISHED = PilotVariation(
    key="",
    title=marked("Crowd RAG Corpus 2025 (overall quality)"),
    components=Components(
        response=0.53, system_topic=0.30, lean=0.41, habit=0.34, discrimination=0.41
    ),
    tie_parameter=0.78,
    share=0.55,
)


def pilots_for(user: Person) -> list[PilotVariation]:
    """Return the published studies and those of the user to plan from, in three queries."""
    studies = access.visible_studies(user).order_by().values("pk")
    runs: dict[int, AnalysisRun] = {}
    done = AnalysisRun.objects.finished().of_pool(PEOPLE).filter(study__in=studies)
    fitted = done.filter(steps__analysis="mixed", steps__result__missing="").distinct()
    for run in fitted.newest_first().select_related("study").defer("frozen")[: 4 * MOST_STUDIES]:
        runs.setdefault(run.study_id, run)
    chosen = {run.pk: run for run in list(runs.values())[:MOST_STUDIES]}
    results = Result.objects.filter(step__run__in=chosen, step__analysis="mixed", missing="")
    rows = results.order_by("step__run", "step").values_list(
        "step__run", "step__question", KeyTransform("components", "data"),
        KeyTransform("systems", "data"),
    )  # fmt: skip
    names = _names([run.study_id for run in chosen.values()])
    pilots = [
        _pilot(
            chosen[run],
            question,
            names,
            records(frame_of(components))[0],
            records(frame_of(systems)),
        )
        for run, question, components, systems in rows
        if components and systems
    ]
    return [PUBLISHED, *pilots]


def _names(studies: Sequence[int]) -> dict[tuple[int, str], str]:
    rows = Question.objects.filter(study__in=studies).values_list(
        "study_id", "key", "criterion__name"
    )
    return {(study, key): name for study, key, name in rows}


def _pilot(
    run: AnalysisRun,
    question: str,
    names: dict[tuple[int, str], str],
    found: dict[str, Any],
    systems: list[dict[str, Any]],
) -> PilotVariation:
    fitted = Components(**{name: found[name] for name in Components.__dataclass_fields__})
    best, second = sorted((system["merit"] for system in systems), reverse=True)[:2]
    name = names.get((run.study_id, question), question)
    return PilotVariation(
        key=f"{run.pk}-{question}",
        title=f"{run.study} ({name[:1].lower()}{name[1:]})",
        components=fitted,
        tie_parameter=found["tie_parameter"],
        share=vote_share(fitted, found["tie_parameter"], best - second),
    )


class PlanForm(forms.Form):
    """Form of the assumptions; an empty field takes the value of the chosen study."""

    source = forms.ChoiceField(required=False, label=gettext_lazy("Vote variation from"))
    share = forms.FloatField(
        required=False,
        min_value=100 * LEAST_SHARE,
        max_value=100 * MOST_SHARE,
        label=gettext_lazy("Votes won by the best system"),
    )
    competence = forms.FloatField(
        required=False, min_value=0, max_value=100, label=gettext_lazy("Careful votes")
    )
    fee = forms.FloatField(
        required=False, min_value=0, max_value=200, label=gettext_lazy("Platform fee")
    )

    vat = forms.FloatField(
        required=False, min_value=0, max_value=50, label=gettext_lazy("VAT on the fee")
    )

    def __init__(self, said: Any, *, pilots: Sequence[PilotVariation]) -> None:
        super().__init__(said)
        self.pilots = {pilot.key: pilot for pilot in pilots}
        self.fields["source"].choices = [  # type: ignore[attr-defined]
            (pilot.key, gettext(pilot.title)) for pilot in pilots
        ]

    @property
    def pilot(self) -> PilotVariation:
        return self.pilots[self.cleaned_data["source"]]

    @property
    def assumed_share(self) -> float:
        percent: float | None = self.cleaned_data["share"]
        pilot = min(max(self.pilot.share, LEAST_SHARE), MOST_SHARE)
        return pilot if percent is None else percent / 100

    @property
    def assumed_competence(self) -> float:
        percent: float | None = self.cleaned_data["competence"]
        return 1.0 if percent is None else percent / 100

    @property
    def is_found(self) -> bool:
        """True if all shares were measured in a study and none is a guess."""
        return self.cleaned_data["share"] is None and self.cleaned_data["competence"] is None

    def fee_of(self, document: Document) -> float:
        """Return the fee with its VAT, as a share of the pay."""
        percent: float | None = self.cleaned_data["fee"]
        fee = usual_fee(document) if percent is None else percent / 100
        return fee * (1 + (self.cleaned_data["vat"] or 0) / 100)

    def assumed(self, *, ties: bool) -> AssumedTruth:
        """Return the distribution of the simulated votes. Raises BadSetting."""
        pilot = self.pilot
        tie = (pilot.tie_parameter or PUBLISHED.tie_parameter) if ties else 0.0
        gap = difference_for(self.assumed_share, pilot.components, tie)
        return AssumedTruth(
            components=pilot.components,
            tie_parameter=tie,
            difference=gap,
            competence=self.assumed_competence,
        )


def usual_fee(document: Document) -> float:
    """Return the fee as a share of the pay: Prolific's for academic research, without tax."""
    return float(FEES.get(document.recruitment.platform, 0))
