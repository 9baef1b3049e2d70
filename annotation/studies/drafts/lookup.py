"""A draft as one person may see it. Only reads.

A draft names a corpus, and perhaps a study that it draws on. Whoever may see the draft need not see
these, or may have lost their role there: then the draft is shown without them.
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from django.contrib.auth.models import User

from annotation.models import Corpus, Draft
from annotation.people import access
from annotation.people.access import Act, Person
from annotation.studies.drafts.changes import DraftChange, do
from annotation.studies.drafts.kinds import kind_of
from annotation.studies.drafts.saving import may_draw_on, sources_of


def draft_for(user: Person, *, pk: int, may: Act) -> Draft:
    """Return the draft without what this person may not see. Raises Http404, PermissionDenied."""
    rows = Draft.objects.filter(deleted_at=None).select_related("base")
    return as_seen(access.one_for(user, rows, may=may, pk=pk), user=user)


def as_seen(draft: Draft, *, user: Person) -> Draft:
    """Return the draft without what this person may not see; the stored draft stays as it is."""
    all_as_seen([draft], user=user)
    if not draft.study_id:
        hidden = [
            path
            for path, name in sources_of(draft.document)
            if not (isinstance(user, User) and may_draw_on(name, user=user))
        ]
        draft.document = _without(draft.document, hidden)
    if not access.may(draft, Act.EDIT):
        draft.document = kind_of(draft.kind).public(draft.document)
    return draft


def all_as_seen(drafts: Sequence[Draft], *, user: Person) -> None:
    """Take out of drafts the corpora that this person may not see; one query."""
    unsure = {draft.corpus_id for draft in drafts if draft.corpus_id and not _is_known(draft)}
    if not unsure:
        return
    visible = access.seen_by(user, Corpus.objects.filter(pk__in=unsure))
    hidden = unsure - set(visible.values_list("pk", flat=True))
    for draft in drafts:
        if draft.corpus_id in hidden and not _is_known(draft):
            draft.hides_corpus, draft.corpus = True, None
            draft.document = _without(draft.document, ["corpus"])


def _is_known(draft: Draft) -> bool:
    """Return whether the people of the draft see its corpus in a study of theirs."""
    if draft.study_id:
        return True
    return draft.base is not None and draft.base.corpus_id == draft.corpus_id


def _without(document: Any, hidden: Sequence[str]) -> Any:
    """Return the document with empty texts at these paths; the one that was given stays."""
    if not hidden:
        return document
    copy = deepcopy(document)
    for path in hidden:
        do(copy, DraftChange("set", path, ""))
    return copy
