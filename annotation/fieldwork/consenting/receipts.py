"""The receipt of a consent: what somebody agreed to, what was kept since. Only reads.

Until when what is kept (`promised`), people read before they agree, too.

It stands at the personal address of their work, and stays there after the study. It reaches as far
as a withdrawal from there (recruiting.ownership): all work that is shown to be the same person's.
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
    State.ARRIVED: marked("not begun"),
    State.ACTIVE: marked("begun"),
    State.SUBMITTED: marked("handed in"),
    State.ACCEPTED: marked("accepted"),
    State.REJECTED: marked("not accepted"),
    State.RETURNED: marked("returned"),
    State.EXPIRED: marked("not finished in time"),
    State.WITHDRAWN: marked("withdrawn and erased"),
}


TIMED = {
    "logs": marked("The record of your writing"),
    "platform_ids": marked("Your id at the platform where you found the study"),
    "demographics": marked("What that platform told of you, such as your age"),
}
# By what people are known who come from no platform.
KNOWN_BY = {
    Study.Recruitment.LINK.value: marked("The id of your browser"),
    Study.Recruitment.INVITATION.value: marked("The id under which you were invited"),
}


@dataclass(frozen=True)
class Receipt:
    """`kept` says what of the person's is here now; nothing, once they have withdrawn."""

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
        return min((each.started_at for each in self.works if each.started_at), default=None)

    @property
    def withdrawn_at(self) -> datetime | None:
        gone = [each for each in self.works if each.state == State.WITHDRAWN]
        return max((each.ended_at for each in gone if each.ended_at), default=None)

    @property
    def can_withdraw(self) -> bool:
        return any(each.state != State.WITHDRAWN for each in self.works)

    @property
    def outcomes(self) -> list[tuple[Assignment, str]]:
        return [(each, OUTCOMES[State(each.state)]) for each in self.works]


def receipt_of(assignment: Assignment) -> Receipt:
    """Of all work in the study that belongs to the holder of this personal address."""
    study = assignment.study
    works = list(together_with(assignment).filter(study=study).order_by("pk"))
    until = promised(study) if works else []
    return Receipt(assignment, works, kept_of(works), contact_of(study), until)


def kept_of(works: Sequence[Assignment]) -> list[str]:
    """Sentences without an end: what of these people is kept; the kinds of study say theirs."""
    forms = sum(len(each.entry_answers) + len(each.exit_answers) for each in works)
    found: list[str] = []
    if forms:
        found.append(Sentence("{n} answer to a form", "{n} answers to forms", forms, n=forms))
    if Demographics.objects.filter(assignment__in=works).exists():
        found.append(Sentence("what the platform told of you, such as your age"))
    if any(each.external_id for each in works):
        found.append(Sentence("your submission at the platform, encrypted"))
    answers: list[tuple[Any, Any]] = signals.kept.send(sender=Assignment, assignments=works)
    for _, said in answers:
        found += said
    return found


def promised(study: Study, keeping: Keeping | None = None) -> list[tuple[str, date]]:
    """What is erased after a day that the study has promised, as far as it is about people who come
    this way; `keeping` is that of a study which is only imagined."""
    keeping = keeping or Keeping.objects.filter(study=study).first()
    said = TIMED | {"platform_ids": KNOWN_BY.get(_way(study), TIMED["platform_ids"])}
    return [
        (said[what], day)
        for what in data_kinds(study)
        if (day := getattr(keeping, f"{what}_until", None)) is not None
    ]


def contact_of(study: Study) -> str:
    """Who runs it, where its document says so; the consent text does in any case."""
    draft = _tried(study) or getattr(study, "draft", None)
    return str(draft.document.get("contact", "")).strip() if draft is not None else ""


def _way(study: Study) -> str:
    """By which people come; into a trial everybody comes by its link, whatever the study says."""
    draft = _tried(study)
    return str(draft.document["recruitment"]["platform"] if draft else study.recruitment)


def _tried(study: Study) -> Draft | None:
    """The draft that a trial stands for."""
    if study.purpose != Study.Purpose.TRIAL:
        return None
    return Draft.objects.filter(trials__study=study).first()
