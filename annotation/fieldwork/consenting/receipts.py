"""The receipt of a consent, with what is kept of its person. Only reads.

It stays at the personal address of the work, and covers all work that a withdrawal there covers
(work.ownership). People also read the dates (`promised`) before they agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from annotation import signals
from annotation.fieldwork.work.ownership import together_with
from annotation.models import Assignment, Demographics, Draft, Keeping, Study
from annotation.studies.setting_retention import data_kinds
from annotation.texts.sentences import Sentence, marked

State = Assignment.State
# What became of a piece of work, as its worker reads it.
OUTCOMES = {
    State.ARRIVED: marked("not started"),
    State.ACTIVE: marked("started"),
    State.SUBMITTED: marked("submitted"),
    State.ACCEPTED: marked("approved"),
    State.REJECTED: marked("not approved"),
    State.RETURNED: marked("returned"),
    State.EXPIRED: marked("not finished in time"),
    State.WITHDRAWN: marked("withdrawn and erased"),
}


TIMED = {
    "logs": marked("The recording of your writing"),
    "platform_ids": marked("Your ID on the platform where you found the study"),
    "demographics": marked("Information about you from that platform, such as your age"),
    "recordings": marked("The recording of your session, its transcript and notes"),
}
# By what people are known who come from no platform.
KNOWN_BY = {
    Study.Recruitment.LINK.value: marked("Your browser ID"),
    Study.Recruitment.INVITATION.value: marked("The ID in your invitation"),
}


@dataclass(frozen=True)
class Receipt:
    """`kept` says what of the person's data is stored now."""

    assignment: Assignment
    works: list[Assignment]
    kept: list[str]
    contact: str
    until: list[tuple[str, date]]

    @property
    def study(self) -> Study:
        return self.assignment.study

    @property
    def agreed_at(self) -> datetime | None:
        return min((work.started_at for work in self.works if work.started_at), default=None)

    @property
    def withdrawn_at(self) -> datetime | None:
        withdrawn = [work for work in self.works if work.state == State.WITHDRAWN]
        return max((work.ended_at for work in withdrawn if work.ended_at), default=None)

    @property
    def can_withdraw(self) -> bool:
        return any(work.state != State.WITHDRAWN for work in self.works)

    @property
    def outcomes(self) -> list[tuple[Assignment, str]]:
        return [(work, OUTCOMES[State(work.state)]) for work in self.works]


def receipt_of(assignment: Assignment) -> Receipt:
    """Return the receipt for all work that belongs to the holder of a personal address."""
    study = assignment.study
    works = list(together_with(assignment).filter(study=study).order_by("pk"))
    until = promised(study) if works else []
    return Receipt(assignment, works, kept_of(works), contact_of(study), until)


def kept_of(works: Sequence[Assignment]) -> list[str]:
    """Return phrases for the stored data of these people; study kinds add theirs."""
    forms = sum(len(work.entry_answers) + len(work.exit_answers) for work in works)
    phrases: list[str] = []
    if forms:
        phrases.append(Sentence("{n} form answer", "{n} form answers", forms, n=forms))
    if Demographics.objects.filter(assignment__in=works).exists():
        phrases.append(Sentence("information about you from the platform, such as your age"))
    if any(work.external_id for work in works):
        phrases.append(Sentence("your submission ID on the platform, encrypted"))
    answers: list[tuple[Any, Any]] = signals.kept.send(sender=Assignment, assignments=works)
    for _, more in answers:
        phrases += more
    return phrases


def promised(study: Study, keeping: Keeping | None = None) -> list[tuple[str, date]]:
    """Return which data are erased after which day, for people who come this way.

    `keeping` is that of a study which is only previewed.
    """
    keeping = keeping or Keeping.objects.filter(study=study).first()
    phrases = TIMED | {"platform_ids": KNOWN_BY.get(_way(study), TIMED["platform_ids"])}
    return [
        (phrases[kind], day)
        for kind in data_kinds(study)
        if (day := getattr(keeping, f"{kind}_until", None)) is not None
    ]


def contact_of(study: Study) -> str:
    """Return who runs a study as its document says it; '' where only the consent text does."""
    draft = _tried(study) or getattr(study, "draft", None)
    return str(draft.document.get("contact", "")).strip() if draft is not None else ""


def _way(study: Study) -> str:
    """Return how people come; into a trial everybody comes by its link."""
    draft = _tried(study)
    return str(draft.document["recruitment"]["platform"] if draft else study.recruitment)


def _tried(study: Study) -> Draft | None:
    if study.purpose != Study.Purpose.TRIAL:
        return None
    return Draft.objects.filter(trials__study=study).first()
