"""Erasing a participant's data on request, as if the participant had withdrawn."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext, gettext_lazy, ngettext

from annotation import signals
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, Demographics, ScreeningResult, Study, Worker
from annotation.people import access
from annotation.refusals import Refusal

State = Assignment.State
MAX_REASON_LENGTH = 300  # characters
NAMES = {
    "works": gettext_lazy("Submissions"),
    "forms": gettext_lazy("Answers in forms"),
    "screening": gettext_lazy("Screening answers"),
    "demographics": gettext_lazy("Demographic records"),
    "answers": gettext_lazy("Answers to questions"),
    "comments": gettext_lazy("Comments"),
    "answers_before": gettext_lazy("Answers before a request for changes"),
    "texts": gettext_lazy("Texts"),
    "responses": gettext_lazy("Texts in the corpus"),
    "logs": gettext_lazy("Writing logs"),
    "sessions": gettext_lazy("Recorded sessions"),
}


@dataclass(frozen=True)
class ErasurePreview:
    """Preview of erasing a participant's data in a study.

    `counts` has a name and a number for each kind of data. `undecided` submissions would end
    without a payment. `elsewhere` are other versions of the study with data of the participant.
    """

    worker: Worker
    works: int
    counts: list[tuple[str, int]]
    undecided: int
    at_work: bool
    elsewhere: list[Study]


def preview(*, study: Study, worker: Worker) -> ErasurePreview:
    """Return what `erase` would remove. Only reads."""
    works = list(_works(study, worker))
    others = Assignment.objects.filter(worker=worker, study__slug=study.slug)
    others = others.exclude(state=State.WITHDRAWN).exclude(study=study)
    return ErasurePreview(
        worker=worker,
        works=len(works),
        counts=[(name, n) for name, n in _counts(study, worker, works) if n],
        undecided=sum(work.state == State.SUBMITTED for work in works),
        at_work=any(work.is_live for work in works),
        elsewhere=list(Study.objects.filter(pk__in=others.values("study")).order_by("version")),
    )


def _works(study: Study, worker: Worker) -> Any:
    works = Assignment.objects.filter(study=study, worker=worker)
    return works.exclude(state=State.WITHDRAWN).order_by("pk")


def _counts(study: Study, worker: Worker, works: list[Assignment]) -> list[tuple[str, int]]:
    screened = ScreeningResult.objects.filter(slug=study.slug, worker=worker)
    counts = {
        "works": len(works),
        "forms": sum(len(work.entry_answers) + len(work.exit_answers) for work in works),
        "screening": sum(
            len(result.answers) + sum(len(attempt["answers"]) for attempt in result.earlier)
            for result in screened
        ),
        "demographics": Demographics.objects.filter(assignment__in=works).count(),
    }
    answers: list[tuple[Any, Any]] = signals.erasable.send(sender=Assignment, assignments=works)
    for _, content in answers:
        counts |= content
    return [(str(NAMES[key]), n) for key, n in counts.items()]


@transaction.atomic
def erase(
    *,
    study: Study,
    worker: Worker,
    reason: str,
    now: datetime,
    user: User | None = None,
    expected: int | None = None,
) -> int:
    """Withdraw all work of a participant in a study on request; return how many submissions.

    The participant's own withdrawal does the same (work.assigning.withdraw). `expected` is the
    number of submissions that the user saw: if it differs by now, nothing is erased. The audit log
    gets the reason. Raises Refusal.
    """
    reason = _checked(reason)
    assigning.lock_worker(worker.pk)
    works = list(_works(study, worker))
    if not works:
        raise Refusal(
            "nothing",
            gettext("{pseudonym} has no data left in this study.").format(
                pseudonym=worker.pseudonym
            ),
        )
    if expected is not None and expected != len(works):
        raise Refusal(
            "changed",
            gettext(
                "{pseudonym} now has {n} submissions instead of {expected}. Check again."
            ).format(pseudonym=worker.pseudonym, n=len(works), expected=expected),
        )
    for work in works:
        assigning.withdraw(assignment=work, now=now)
    entry = ngettext(
        "{pseudonym}: {n} submission. Reason: {reason}",
        "{pseudonym}: {n} submissions. Reason: {reason}",
        len(works),
    ).format(pseudonym=worker.pseudonym, n=len(works), reason=reason)
    access.record(user=user, act="erased a participant's data", what=entry, of=study)
    return len(works)


def _checked(reason: str) -> str:
    """Return the reason with single spaces. Raises Refusal."""
    reason = " ".join(reason.split())
    if not reason:
        raise Refusal("no_reason", gettext("Enter a reason."))
    if len(reason) > MAX_REASON_LENGTH or "\x00" in reason:
        raise Refusal(
            "bad_reason",
            gettext("Shorten the reason to {max_length} characters.").format(
                max_length=MAX_REASON_LENGTH
            ),
        )
    return reason
