"""Changes of an existing corpus: rename, delete, restore."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from annotation import signals, wiping
from annotation.models import Corpus, Draft, Response
from annotation.refusals import Refusal

KEPT_FOR = timedelta(days=1)  # a deleted corpus, before it is gone


def why_in_use(corpus: Corpus, studies: int, drafts: int) -> str:
    """Return why a corpus that studies or drafts draw from cannot be deleted."""
    counts = [_counted(studies, "study", "studies"), _counted(drafts, "draft", "drafts")]
    verb = "uses" if studies + drafts == 1 else "use"
    who = " and ".join(filter(None, counts))
    return gettext("Can't delete {corpus}: {who} {verb} it.").format(
        corpus=corpus, who=who, verb=verb
    )


def _not_there(sentence: str) -> Refusal:
    return Refusal("NotThere", sentence, status=410)


def _counted(n: int, singular: str, plural: str) -> str:
    return f"{n:,} {singular if n == 1 else plural}" if n else ""


def drafts_of(corpus: Corpus) -> "QuerySet[Draft]":
    """Those that draw from it; of one that was launched its study does."""
    return Draft.objects.filter(corpus=corpus, deleted_at=None, study=None)


def uses(corpus: Corpus) -> tuple[int, int]:
    """Count the studies and drafts that draw from the corpus."""
    return corpus.studies.count(), drafts_of(corpus).count()


def describe(*, corpus: Corpus, name: str, licence: str) -> Corpus:
    """Give a corpus another name and licence. Raises ValidationError with the fields."""
    corpus.name, corpus.licence = name.strip(), licence.strip()
    corpus.clean_fields(exclude=["slug"])
    if (
        not Corpus.objects.there()
        .filter(pk=corpus.pk)
        .update(name=corpus.name, licence=corpus.licence)
    ):
        raise _not_there(gettext("This corpus has been deleted."))
    return corpus


def delete(*, corpus: Corpus, typed: str, now: datetime) -> datetime:
    """Put an unused corpus away; return until when it can be brought back.

    Raises the refusals NotItsName, CorpusInUse and NotThere.
    """
    if " ".join(typed.split()) != " ".join(corpus.name.split()):
        raise Refusal(
            "NotItsName",
            gettext("Type the exact name: {name}").format(name=corpus.name),
            status=400,
        )
    with transaction.atomic():
        locked = Corpus.objects.select_for_update().filter(pk=corpus.pk, deleted_at=None).first()
        if locked is None:
            raise _not_there(gettext("%(name)s has already been deleted.") % {"name": corpus})
        if any(use_counts := uses(locked)):
            raise Refusal("CorpusInUse", why_in_use(locked, *use_counts))
        Corpus.objects.filter(pk=locked.pk).update(deleted_at=now)
    return now + KEPT_FOR


def bring_back(*, corpus: Corpus) -> Corpus:
    """Undo the deletion of a corpus; twice does no harm. Raises Refusal."""
    Corpus.objects.filter(pk=corpus.pk).update(deleted_at=None)
    restored = Corpus.objects.filter(pk=corpus.pk).first()
    if restored is None:
        raise _not_there(
            gettext("{corpus} was deleted over a day ago and can't be restored.").format(
                corpus=corpus
            )
        )
    return restored


def end_deleted(*, now: datetime) -> int:
    """End the corpora that were deleted a day ago; return how many.

    One that a study has begun to draw from since is brought back.
    """
    due = Corpus.objects.filter(deleted_at__lte=now - KEPT_FOR)
    ended = 0
    for pk in due.values_list("pk", flat=True):
        with transaction.atomic():
            corpus = due.select_for_update().filter(pk=pk).first()
            if corpus is None:
                continue
            if any(uses(corpus)):
                bring_back(corpus=corpus)
                continue
            signals.deleting.send(sender=Corpus, of=corpus)
            # Systems protect their responses: those go first.
            Response.objects.filter(corpus=corpus).delete()
            corpus.delete()
            wiping.mark_erasure()
            ended += 1
    return ended
