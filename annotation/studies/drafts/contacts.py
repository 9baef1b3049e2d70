"""Contact of a new draft, from the account of its researcher or from their earlier drafts."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from django.contrib.auth.models import User
from django.utils.translation import gettext

from annotation.models import Draft, DraftRevision, Introduction
from annotation.people.access import seen_by
from annotation.studies.drafts.saving import recorded
from annotation.studies.drafts.schema import Document

LATEST = 20  # drafts that are looked at
CONTACT = "contact"  # the place in a document


@dataclass(frozen=True)
class Contact:
    """A contact, and the title of the draft it comes from; empty if it is from the account."""

    text: str = ""
    draft: str = ""


def contact_for(user: User, *, before: Draft | None = None) -> Contact:
    """Return the contact for a new draft, or for one made `before` another."""
    text = Introduction.objects.filter(user=user).values_list("text", flat=True).first() or ""
    if text.strip():
        return Contact(text)
    own_drafts = seen_by(user, Draft.objects.filter(deleted_at=None, created_by=user))
    if before is not None:
        own_drafts = own_drafts.filter(pk__lt=before.pk)
    latest = (
        own_drafts.exclude(document__contact="").order_by("-pk").only("document", "title")[:LATEST]
    )
    drafts = list(latest)
    typed = _typed(user, drafts)
    for draft in drafts:
        contact = str(draft.document.get("contact", ""))
        if contact.strip() and (draft.pk, contact) in typed:
            return Contact(contact.strip(), str(draft))
    return Contact()


def _typed(user: User, drafts: Sequence[Draft]) -> set[tuple[int, str]]:
    """Return the contacts that a person typed, by draft: none that a copy or colleague brought."""
    rows = DraftRevision.objects.filter(
        draft__in=drafts, user=user, changes__icontains=f'"{CONTACT}"'
    ).exclude(act=DraftRevision.Act.UNDO)
    return {
        (row.draft_id, done.after)
        for row in rows
        for done in recorded(row)
        if done.op == "set" and done.path == CONTACT
    }


def with_contact(document: Document, *, user: User) -> Document:
    """Return the document with a contact, if it has none."""
    if document.contact.strip():
        return document
    return msgspec.structs.replace(document, contact=contact_for(user).text)


def contact_source(draft: Draft, *, user: User) -> str:
    """Return a sentence about the source of a contact."""
    suggestion, contact = contact_for(user, before=draft), draft.document.get("contact", "").strip()
    if contact and contact == suggestion.text.strip():
        if suggestion.draft:
            return gettext("Copied from “{draft}”. Set a default in Your account.").format(
                draft=suggestion.draft
            )
        return gettext("Copied from Your account.")
    return gettext("Set a default in Your account.")
