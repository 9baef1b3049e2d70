"""Acting on flagged submissions by the study's policies, as far as they are automatic.

A rule decides as a person does (annotation.fieldwork.review.reviewing), with a reason for the
worker; a person can decide otherwise afterwards.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils import translation
from django.utils.translation import gettext, gettext_lazy

from annotation.fieldwork.review import reviewing
from annotation.models import Assignment, ReviewDecision, Study
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated
from judging.models import Examination
from judging.review.evidence import CHECK_OF

Decision = ReviewDecision.Decision
# The stricter comes first.
DECISIONS = {"reject": Decision.REJECT, "pay_anyway": Decision.REJECT_BUT_PAY}
REASONS = {
    "attention": Sentence(
        "Some pages of this task asked for specific answers to check that people read them. "
        "Your answers there were different."
    ),
    "gold": Sentence(
        "Some pages of this task have known correct answers. Your answers there were different."
    ),
    "fast": Sentence("You answered the pages faster than people can read them."),
    "same": Sentence("You gave the same answers on nearly all pages, whatever they showed."),
    "copied": Sentence(
        "Your comments in this task repeat comments that someone else wrote earlier."
    ),
}
APPEAL = Sentence(
    "A rule of the study decided this. If you think this is wrong, please write to the researcher. "
    "A person will check it."
)


def act_on(seen: Examination, *, now: datetime) -> ReviewDecision | None:
    """Decide by the policies of the study, once; None if they leave it to a person."""
    work = seen.assignment
    wanted = {policy["act"]: check for check, policy in wishes_of(work.study, seen.marks, True)}
    if not wanted or work.state != Assignment.State.SUBMITTED or work.decisions.exists():
        return None
    for act, decision in DECISIONS.items():
        if act in wanted:
            return reviewing.decide(
                assignment=work,
                decision=decision,
                reviewer=f"rule: {wanted[act]}",
                reason=_reason(work.study, wanted[act]),
                now=now,
            )
    return None


def wishes_of(
    study: Study, marks: Iterable[dict[str, Any]], automatic: bool
) -> list[tuple[str, dict[str, Any]]]:
    """Return the failed checks with their policies: the automatic ones, or the others."""
    wishes = []
    for mark in marks:
        check = CHECK_OF.get(mark["rule"], mark["rule"])
        policy = study.policies.get(check, {})
        failed = mark["numbers"].get("failed", 0)
        reached = "failed" not in mark["numbers"] or failed >= policy.get("least", 1)
        is_one = bool(policy.get("automatic")) == automatic
        if policy.get("act") in DECISIONS and is_one and reached:
            wishes.append((check, policy))
    return wishes


ACTS = {"reject": gettext_lazy("Reject"), "pay_anyway": gettext_lazy("Reject but pay")}


def proposals_of(study: Study, marks: Iterable[dict[str, Any]]) -> list[str]:
    """Return a sentence for each policy that a reviewer decides on."""
    wanted = dict.fromkeys(policy["act"] for _, policy in wishes_of(study, marks, False))
    return [gettext("Study policy: {act}.").format(act=ACTS[act]) for act in wanted]


def _reason(study: Study, check: str) -> str:
    with translation.override(study.language):
        return f"{translated(REASONS[check])} {translated(APPEAL)}"
