"""Undoing and redoing: each person their own changes, the last one first."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from annotation.models import Draft, DraftRevision
from annotation.refusals import Refusal
from annotation.studies.drafts import paths
from annotation.studies.drafts.changes import DoneChange, DraftChange, redo_of, undo_of
from annotation.studies.drafts.paths import MISSING
from annotation.studies.drafts.saving import Conflict, NotSaved, locked, recorded, save

Act = DraftRevision.Act


def stacks(draft: Draft, user: User | None) -> tuple[list[int], list[int]]:
    """Return the revisions that a person can undo, and redo; the next one last."""
    done: list[int] = []
    undone: list[int] = []
    for number, act in draft.revisions.filter(user=user).values_list("number", "act"):
        if act == Act.CHANGE:
            done.append(number)
            undone.clear()
        elif act == Act.UNDO:
            undone.append(done.pop())
        else:
            done.append(undone.pop())
    return done, undone


@transaction.atomic
def undo(*, draft: Draft, user: User | None, now: datetime) -> Draft:
    """Take back the last change of this person. Raises Refusal, Conflict, DraftClosed."""
    current = locked(draft)
    done, _ = stacks(current, user)
    if not done:
        raise Refusal("NothingToUndo", gettext("Nothing to undo."))
    changes = _of(current, done[-1])
    for change in changes:
        _check(current, change)
    back = [undo_of(change) for change in reversed(changes)]
    return _save(current, back, user=user, now=now, act=Act.UNDO)


@transaction.atomic
def redo(*, draft: Draft, user: User | None, now: datetime) -> Draft:
    """Do the last undone change once more. Raises Refusal, Conflict, DraftClosed."""
    current = locked(draft)
    _, undone = stacks(current, user)
    if not undone:
        raise Refusal("NothingToRedo", gettext("Nothing to redo."))
    changes = _of(current, undone[-1])
    for change in changes:
        current_value = paths.get(current.document, change.path)
        if change.op in ("set", "remove") and current_value != change.before:
            raise Conflict(change.path, mine=change.after, theirs=_plain(current_value))
    return _save(current, [redo_of(change) for change in changes], user=user, now=now, act=Act.REDO)


def _of(draft: Draft, number: int) -> list[DoneChange]:
    return recorded(draft.revisions.get(number=number))


def _check(draft: Draft, done: DoneChange) -> None:
    """Raise Conflict where others have gone on from what is to be taken back."""
    if done.op == "set" or done.op == "add":
        current_value = paths.get(draft.document, done.now or done.path)
        if current_value != done.after:
            raise Conflict(done.path, mine=done.before, theirs=_plain(current_value))


def _plain(there: object) -> object:
    return None if there is MISSING else there


def _save(
    draft: Draft, changes: list[DraftChange], *, user: User | None, now: datetime, act: Act
) -> Draft:
    saved = save(draft=draft, revision=draft.revision, changes=changes, user=user, now=now, act=act)
    if saved.revision == draft.revision:  # it is so already: the stack would not move
        raise NotSaved(changes[0].path, gettext("This change no longer exists."))
    return saved
