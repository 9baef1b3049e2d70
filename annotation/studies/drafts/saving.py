"""Saving changes of a draft, so that two people who edit it never overwrite each other's words."""

from collections.abc import Sequence
from copy import deepcopy
from datetime import datetime
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from annotation.models import Corpus, Draft, DraftRevision, Study
from annotation.people.access import visible_corpora, visible_studies
from annotation.studies.drafts import paths
from annotation.studies.drafts.changes import (
    DoneChange,
    DraftChange,
    do,
    document_before,
    path_after,
)
from annotation.studies.drafts.kinds import computable, decoded, kind_of
from annotation.studies.drafts.paths import MISSING, NoSuchPlace
from annotation.studies.drafts.plain_data import (
    BadDocument,
    plain,
    require_short,
    require_small,
)
from annotation.texts.translation import translated_error


class NotSaved(ValueError):
    """A change that the draft does not take; the message says why, `path` where."""

    def __init__(self, path: str, sentence: str) -> None:
        self.path = path
        super().__init__(sentence)


class Conflict(NotSaved):
    """Somebody else has changed the same place since: neither text is thrown away.

    `theirs` is what stands there now, None if it is gone; `mine` what was to be saved.
    """

    def __init__(self, path: str, *, mine: Any, theirs: Any, who: str = "") -> None:
        self.mine, self.theirs, self.who = mine, theirs, who
        sentence = (
            gettext("{who} removed this while you were editing.")
            if theirs is None
            else gettext("{who} changed this while you were editing.")
        )
        super().__init__(path, sentence.format(who=who or gettext("Someone")))


class DraftClosed(ValueError):
    """The draft is launched or deleted: it takes no changes."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        sentence = (
            gettext("{draft} was launched and is frozen. Create a new version.")
            if draft.study_id
            else gettext("{draft} was deleted.")
        )
        super().__init__(sentence.format(draft=draft))


@transaction.atomic
def save(
    *,
    draft: Draft,
    revision: int,
    changes: Sequence[DraftChange],
    user: User | None,
    now: datetime,
    act: DraftRevision.Act = DraftRevision.Act.CHANGE,
) -> Draft:
    """Save changes that somebody made who saw this revision; all of them, or none.

    What others changed since stays, where it is another place. Raises Conflict where it is the
    same, NotSaved where the value is none that the place takes, DraftClosed.
    """
    current = locked(draft)
    later = revisions_since(current, revision)
    since = [done for later_revision in later for done in later_revision]
    document_seen = (
        document_before(current.document, reversed(since)) if since else current.document
    )
    moved_changes: list[DraftChange] = []
    for change in changes:
        moved = DraftChange(
            change.op, path_after(change.path, since), change.value, change.position
        )
        _check_place(current, document_seen, change, moved)
        moved_changes.append(moved)
    document, done = _changed(current.document, moved_changes)
    if done:
        _check_document(document, moved_changes, before=current.document)
    slug = document["corpus"]
    if slug != current.document["corpus"] and not may_use(slug, user=user, base=current.base):
        raise NotSaved("corpus", gettext("Corpus {slug!r} not found.").format(slug=slug))
    _check_sources(current, document, user)
    return _write(current, document, done, user=user, now=now, act=act) if done else current


def _check_sources(draft: Draft, document: Any, user: User | None) -> None:
    """Raise NotSaved where a study is named, and was not before, that this person does not see."""
    before = {name for _, name in sources_of(draft.document)}
    for path, name in sources_of(document):
        if name not in before and not may_draw_on(name, user=user):
            raise NotSaved(path, no_study(name))


def sources_of(document: Any) -> list[tuple[str, str]]:
    """Return the places where a document names a source study, with the names."""
    whole = decoded(document)
    return list(kind_of(whole.kind).sources.named(whole))


def may_draw_on(name: str, *, user: User | None) -> bool:
    """Return whether somebody may take something from the study of this name: one that they see."""
    return user is None or visible_studies(user).named(name).exists()


def no_study(name: str) -> str:
    return gettext("Study {name!r} not found.").format(name=name)


def locked(draft: Draft) -> Draft:
    """Lock a draft for this transaction and return it. Raises DraftClosed."""
    current = Draft.objects.select_for_update().get(pk=draft.pk)
    if current.study_id or current.deleted_at:
        raise DraftClosed(current)
    current.document = complete(current.document)
    return current


def complete(document: Any) -> Any:
    """Add the places that documents have gained since the draft was made."""
    return plain(decoded(document))


def revisions_since(draft: Draft, revision: int) -> list[list[DoneChange]]:
    """Return the changes after a revision, in order."""
    rows = draft.revisions.filter(number__gt=revision).order_by("number")
    return [recorded(row) for row in rows]


def recorded(revision: DraftRevision) -> list[DoneChange]:
    return msgspec.convert(revision.changes, list[DoneChange])


def document_at(draft: Draft, revision: int) -> Any:
    """Return the document of an earlier revision."""
    since = [done for later_revision in revisions_since(draft, revision) for done in later_revision]
    return document_before(draft.document, reversed(since))


def _check_place(draft: Draft, seen: Any, asked: DraftChange, change: DraftChange) -> None:
    """Raise Conflict where the place is not as the person saw it, and not as they want it."""
    current_value, was = paths.get(draft.document, change.path), paths.get(seen, asked.path)
    if was is MISSING or change.op in ("add", "move") or current_value == was:
        return
    if change.op == "set" and current_value == change.value:
        return
    theirs = None if current_value is MISSING else current_value
    raise Conflict(change.path, mine=change.value, theirs=theirs, who=_who(draft, change.path))


def _who(draft: Draft, path: str) -> str:
    """Return the username of the latest author of a place."""
    for revision in draft.revisions.select_related("user").order_by("-number")[:50]:
        touched = [done.now or done.path for done in recorded(revision)]
        if any(_touches(one, path) for one in touched):
            return revision.user.get_username() if revision.user else ""
    return ""


def _touches(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}/") or other.startswith(f"{one}/")


def _changed(before: Any, changes: Sequence[DraftChange]) -> tuple[Any, list[DoneChange]]:
    """Return a changed copy of the document, and what was done. Raises NotSaved."""
    document = deepcopy(before)
    done: list[DoneChange] = []
    for change in changes:
        try:
            require_short(change.value, path=change.path)
            done_change = do(document, change)
        except (NoSuchPlace, ValueError) as error:
            raise NotSaved(change.path, translated_error(error)) from error
        done += [done_change] if done_change else []
    return document, done


def _check_document(document: Any, changes: Sequence[DraftChange], *, before: Any) -> None:
    """Raise NotSaved at the change after which the document is none.

    The document is checked once. Only where that fails, the change is looked for, by halves: a
    check takes half a millisecond, and a request may have hundreds of changes.
    """
    try:
        _require_document(document, before=before)
    except ValueError as error:
        refusal, good, bad = error, 0, len(changes)  # numbers of changes done
    else:
        return
    while bad - good > 1:
        middle = (good + bad) // 2
        try:
            _require_document(_changed(before, changes[:middle])[0], before=before)
        except ValueError as error:
            refusal, bad = error, middle
        else:
            good = middle
    raise NotSaved(changes[bad - 1].path, translated_error(refusal)) from refusal


def _require_document(document: Any, *, before: Any) -> None:
    """Raise ValueError unless this is a document; one that was too large may get smaller."""
    computable(decoded(document), before=before)
    try:
        require_small(document)
    except BadDocument:
        if len(msgspec.json.encode(document)) > len(msgspec.json.encode(before)):
            raise


def _write(
    draft: Draft,
    document: Any,
    done: list[DoneChange],
    *,
    user: User | None,
    now: datetime,
    act: DraftRevision.Act,
) -> Draft:
    draft.document = document
    draft.revision += 1
    draft.changed_at = now
    set_columns(draft)
    draft.save()
    DraftRevision.objects.create(
        draft=draft,
        number=draft.revision,
        act=act,
        changes=[msgspec.to_builtins(change) for change in done],
        user=user,
        at=now,
    )
    return draft


def may_use(corpus: str, *, user: User | None, base: Study | None) -> bool:
    """Return whether a user may use this corpus: a visible one, or that of their study."""
    if user is None or not corpus or (base is not None and base.corpus.slug == corpus):
        return True
    return visible_corpora(user).filter(slug=corpus).exists()


def set_columns(draft: Draft) -> None:
    """Copy to the columns of a draft what lists and permissions query."""
    document = draft.document
    draft.kind = document["kind"]
    draft.slug, draft.title = document["slug"][:200], document["title"][:400]
    draft.corpus = Corpus.objects.filter(slug=document["corpus"]).first()
