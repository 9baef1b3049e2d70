"""Actions on a round of proposals: run, pause, retry, change, delete and restore."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from annotation import wiping
from annotation.clock import database_now
from annotation.people import access
from judging.calls import asking
from judging.calls.asking import BadAsker, Terms, called, may_be_deleted
from judging.models import AuthorRound, CoderRound, EntryRound, QueryRound
from judging.models.calls import Asker

Round = AuthorRound | CoderRound | EntryRound | QueryRound
State = Asker.State
PROPOSES: dict[type[Asker], str] = {
    AuthorRound: "texts",
    CoderRound: "codes",
    EntryRound: "entries",
    QueryRound: "queries",
}


@transaction.atomic
def change(*, round: Round, terms: Terms, key: str | None, by: User | None) -> None:
    """Change the terms. A `key` of None keeps the stored key, "" removes it. Raises BadAsker."""
    _require_there(round)
    asking.change_terms(asker=round, terms=asking.checked(terms), key=key)
    _record(round, by, "changed a round of {}")


@transaction.atomic
def run(*, round: Round, by: User | None) -> None:
    """Start or continue a round. Raises BadAsker."""
    _require_there(round)
    if not asking.let_run(asker=round):
        raise BadAsker("already_running", _("%(name)s is already running.") % {"name": round.name})
    _record(round, by, "ran a round of {}")


@transaction.atomic
def pause(*, round: Round, by: User | None) -> None:
    """Stop sending calls; replies to calls in progress are still saved. Raises BadAsker."""
    if not asking.let_pause(asker=round):
        raise BadAsker("not_running", _("%(name)s is not running.") % {"name": round.name})
    _record(round, by, "paused a round of {}")


@transaction.atomic
def retry(*, round: Round, error: str, by: User | None) -> int:
    """Send failed or lost calls with this error again; return their number. Raises BadAsker."""
    _require_there(round)
    again = asking.send_again(asker=round, error=error)
    if again:
        _record(round, by, "retried calls of a round of {}", f": {again:,} ({error})")
    return again


@transaction.atomic
def delete(*, round: Round, by: User | None) -> bool:
    """Delete a round; return whether it can be restored (only with calls). Raises BadAsker."""
    locked = _rows(round).select_for_update().first()
    if locked is None or locked.state == State.WITHDRAWN:
        raise BadAsker(
            "already_deleted", _("%(name)s has already been deleted.") % {"name": round.name}
        )
    if locked.is_busy(database_now()):
        raise BadAsker("running", _("%(name)s is running. Pause it first.") % {"name": round.name})
    is_kept = not may_be_deleted(locked)
    if is_kept:
        _rows(round).update(state=State.WITHDRAWN, said="")
    else:
        locked.delete()
        wiping.mark_erasure()
    _record(round, by, "deleted a round of {}")
    return is_kept


@transaction.atomic
def restore(*, round: Round, by: User | None) -> None:
    """Restore a deleted round as paused. Raises BadAsker."""
    if not _rows(round).filter(state=State.WITHDRAWN).update(state=State.PAUSED):
        raise BadAsker("not_deleted", _("%(name)s is not deleted.") % {"name": round.name})
    _record(round, by, "restored a round of {}")


def require_free_name(rounds: Any, name: str) -> None:
    """Raise BadAsker if a round, even a deleted one, already has this name."""
    other = rounds.filter(name=name).first()
    if other is not None and other.state == State.WITHDRAWN:
        raise BadAsker(
            "name_of_deleted_round",
            _("A deleted round is named %(name)s. Restore it or choose another name.")
            % {"name": name},
        )
    if other is not None:
        raise BadAsker("name_taken", _("Round %(name)s already exists.") % {"name": name})


def _rows(round: Round) -> Any:
    return type(round)._default_manager.filter(pk=round.pk)


def _require_there(round: Round) -> None:
    if _rows(round).filter(state=State.WITHDRAWN).exists():
        raise BadAsker(
            "deleted", _("%(name)s has been deleted. Restore it first.") % {"name": round.name}
        )


def _record(round: Round, by: User | None, act: str, more: str = "") -> None:
    act = act.format(PROPOSES[type(round)])
    access.record(user=by, act=act, what=called(round) + more, of=round.team)
