"""Receivers of the platform's signals."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from django.dispatch import receiver

from annotation import jobs, signals
from annotation.clock import database_now
from annotation.encryption import sealed
from annotation.models import Assignment, Corpus, Study, Worker
from annotation.studies.wages import ActiveTime
from annotation.studies.waiting_notices import WaitingNotice
from annotation.texts.sentences import Sentence
from judging.answering.recording import require_complete
from judging.banks.deleting import delete_cached_boards
from judging.banks.erasing import erase_words
from judging.calls import keys
from judging.calls.forgetting import (
    forget_erased,
    forget_reasons,
    forget_rounds,
    shown_reasons,
)
from judging.coding.coding_units import erase_units
from judging.models import (
    AnswersBefore,
    AuthorRound,
    CoderRound,
    EntryRound,
    Examination,
    Judgment,
    MachineCall,
    MachineJudge,
    ModeratedSession,
    Presentation,
    QueryRound,
    Recording,
    rater_of,
)
from judging.models.sessions import KEY_PURPOSE
from judging.review import examining, redoing
from judging.review.active_times import active_times
from judging.review.waiting import held_for_review
from judging.sessions import saving_sessions


@receiver(signals.submitting)
def require_answers(*, assignment: Assignment, **_: Any) -> bool | None:
    """Refuse the submission of a questionnaire with open questions. Raises Incomplete."""
    if assignment.study.kind != Study.Kind.JUDGING:
        return None
    require_complete(assignment=assignment)
    return True


@receiver(signals.active_times)
def tell_active_times(
    *, study: Study, only: Collection[int] | None = None, **_: Any
) -> dict[int, ActiveTime] | None:
    return active_times(study, only=only) if study.kind == Study.Kind.JUDGING else None


@receiver(signals.waiting)
def tell_held(*, studies: Sequence[Study], **_: Any) -> dict[int, WaitingNotice]:
    """Return flagged questionnaires that wait for a decision; one query."""
    return held_for_review(studies)


@receiver(signals.submitted)
def examine_work(*, assignment: Assignment, **_: Any) -> None:
    """Examine after the commit, so that a failure here does not prevent the submission."""
    if assignment.study.kind == Study.Kind.JUDGING:
        jobs.after_commit(lambda: examining.examine(pk=assignment.pk))


@receiver(signals.all_decided)
def keep_answers(*, assignments: Sequence[Assignment], **_: Any) -> None:
    """Store answers before a redo. Raises CannotReview if one is taken back too late."""
    redoing.follow(
        [assignment for assignment in assignments if assignment.study.kind == Study.Kind.JUDGING]
    )


@receiver(signals.erasable)
def count_content(*, assignments: Sequence[Assignment], **_: Any) -> dict[str, int]:
    answers, comments, before = _content_of(assignments)
    sessions = ModeratedSession.objects.filter(assignment__in=assignments).count()
    return {
        "answers": answers,
        "comments": comments,
        "answers_before": before,
        "sessions": sessions,
    }


@receiver(signals.forgetting)
def forget_sessions(*, study: Study, what: str, **_: Any) -> int:
    """Delete the recordings of a study with their transcripts and notes."""
    return saving_sessions.erase_all(study=study) if what == "recordings" else 0


def _content_of(assignments: Sequence[Assignment]) -> tuple[int, int, int]:
    """Return the numbers of answers, comments and answers before a redo."""
    answers = Judgment.objects.filter(assignment__in=assignments).exclude(value="")
    remarks = Presentation.objects.filter(assignment__in=assignments).exclude(comment="").count()
    before = AnswersBefore.objects.filter(assignment__in=assignments)
    return (
        answers.count(),
        remarks + answers.exclude(comment="").count(),
        sum(len(given) for given in before.values_list("answers", flat=True)),
    )


@receiver(signals.kept)
def tell_kept(*, assignments: Sequence[Assignment], **_: Any) -> list[str]:
    """Return sentences on the answers and comments of these questionnaires."""
    answers, remarks, before = _content_of(assignments)
    sentences: list[str] = []
    if answers:
        sentences.append(
            Sentence("{n} answer to a question", "{n} answers to questions", answers, n=answers)
        )
    if remarks:
        sentences.append(Sentence("{n} comment", "{n} comments", remarks, n=remarks))
    if n := before:
        sentences.append(
            Sentence(
                "{n} answer from before changes were requested",
                "{n} answers from before changes were requested",
                n,
                n=n,
            )
        )
    if n := ModeratedSession.objects.filter(assignment__in=assignments).count():
        sentences.append(Sentence("{n} recorded session", "{n} recorded sessions", n, n=n))
    return sentences


@receiver(signals.rekeying)
def seal_keys_again(*, opened: Callable[..., tuple[str, bool]], **_: Any) -> dict[str, int]:
    """Seal the keys of endpoints again; return their number."""
    done = 0
    askers = [
        *MachineJudge.objects.exclude(sealed_key=b"").select_for_update(),
        *QueryRound.objects.exclude(sealed_key=b"").select_for_update(),
        *EntryRound.objects.exclude(sealed_key=b"").select_for_update(),
        *AuthorRound.objects.exclude(sealed_key=b"").select_for_update(),
        *CoderRound.objects.exclude(sealed_key=b"").select_for_update(),
    ]
    for asker in askers:
        key, is_new = opened(asker.sealed_key, keys.PURPOSE, f"The key of {asker}")
        if not is_new:
            type(asker)._default_manager.filter(pk=asker.pk).update(sealed_key=keys.seal(key))
            done += 1
    return {"keys of endpoints": done}


@receiver(signals.rekeying)
def seal_recordings_again(*, opened: Callable[..., tuple[str, bool]], **_: Any) -> dict[str, int]:
    """Encrypt the keys of recordings again; return their number."""
    done = 0
    for recording in Recording.objects.select_for_update():
        what = f"The key of recording {recording.pk}"
        key, is_new = opened(recording.sealed_key, KEY_PURPOSE, what)
        if not is_new:
            key_again = sealed(key, purpose=KEY_PURPOSE)
            Recording.objects.filter(pk=recording.pk).update(sealed_key=key_again)
            done += 1
    return {"keys of recordings": done}


@receiver(signals.set_apart)
def rate_apart(*, assignments: Sequence[Assignment], worker: Worker, **_: Any) -> None:
    """Move the answers to the worker's new rater: two people may answer the same."""
    answers = Judgment.objects.filter(assignment__in=assignments)
    if answers.exists():
        answers.update(rater=rater_of(worker, team=assignments[0].study.team_id))


@receiver(signals.withdrawn)
def forget_calls(**_: Any) -> None:
    """Erase a withdrawn text from calls, again after the commit: calls may be being made."""
    if MachineCall.objects.exists():
        forget_erased()
        jobs.after_commit(forget_erased)


@receiver(signals.withdrawn)
def erase(*, assignment: Assignment, **_: Any) -> None:
    """Erase the answers and remarks of a worker who withdrew consent."""
    judgments = Judgment.objects.filter(assignment=assignment)
    if beside := shown_reasons(judgments):
        forget_reasons(beside)
        jobs.after_commit(forget_reasons, beside)  # calls may be in the making
    judgments.delete()
    AnswersBefore.objects.filter(assignment=assignment).delete()
    Examination.objects.filter(assignment=assignment).delete()
    Presentation.objects.filter(assignment=assignment).update(comment="")
    erase_units(assignments=[assignment])
    saving_sessions.erase(assignments=[assignment])


@receiver(signals.erasing_texts)
def erase_entries(*, responses: Collection[int], **_: Any) -> None:
    """Erase the words of withdrawn texts from entries and prompts, calls again after the commit."""
    erase_words(responses=responses, now=database_now())
    jobs.after_commit(forget_rounds)  # calls may be in the making


@receiver(signals.deleting)
def forget_deleted(*, of: object, **_: Any) -> None:
    """Delete the cached boards of a corpus, because they contain system and topic keys."""
    if isinstance(of, Corpus):
        for bank in of.banks.values_list("pk", flat=True):
            delete_cached_boards(bank)
