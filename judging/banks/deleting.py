"""Deleting a bank that no study uses."""

from django.contrib.auth.models import User
from django.db import transaction

from annotation import clearing_cache, wiping
from annotation.people import access
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.models import Bank


@transaction.atomic
def delete(*, bank: Bank, by: User | None) -> None:
    """Delete a bank for good. Raises the refusal BankInUse."""
    Bank.objects.select_for_update().get(pk=bank.pk)
    studies = bank.instruments.values("study").distinct().count()
    if studies:
        sentence = Sentence(
            "Can't delete this bank: {n} study uses it.",
            "Can't delete this bank: {n} studies use it.",
            studies,
            n=studies,
        )
        raise Refusal("BankInUse", sentence)
    corpus, name = bank.corpus, bank.name
    delete_cached_boards(bank.pk)
    bank.delete()
    wiping.mark_erasure()
    access.record(user=by, act="deleted a bank", what=name, of=corpus)


def delete_cached_boards(bank: int) -> None:
    """Delete the cached boards of a bank."""
    clearing_cache.forget(of=board_cache_prefix(bank))


def board_cache_prefix(pk: int) -> str:
    """Return the prefix of the cache keys of a bank's boards."""
    return f"bank-board:{pk}:"
