"""Personal links, created, renewed and revoked by researchers."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from annotation.encryption import token_hash
from annotation.fieldwork.recruiting.personal_links import PARAMETER, signer_of
from annotation.models import Contract, Study
from annotation.people.access import record
from annotation.people.pseudonyms import worker_for
from annotation.refusals import Refusal

MAX_PEOPLE_AT_ONCE = 500
MAX_ID_LENGTH = 200


@dataclass(frozen=True)
class NewLink:
    """A contract with its link, which is shown once and cannot be looked up again."""

    contract: Contract
    token: str

    @property
    def link(self) -> str:
        return f"{self.contract.study.worker_link}?{PARAMETER}={self.token}"


@transaction.atomic
def hire(
    *, study: Study, people: Sequence[tuple[str, str]], user: User | None, now: datetime
) -> list[NewLink]:
    """Create links for people (ID, name), all or none. Raises Refusal."""
    _check(study, people)
    made = [_one(study, external_id, name, user, now) for external_id, name in people]
    names = ", ".join(str(link.contract) for link in made)
    record(user=user, act="created personal links", what=f"{len(made)}: {names}", of=study)
    return made


def _check(study: Study, people: Sequence[tuple[str, str]]) -> None:
    if not study.by_personal_link:
        raise Refusal("NoPersonalLinks", gettext("This study doesn't use personal links."))
    if not 1 <= len(people) <= MAX_PEOPLE_AT_ONCE:
        raise Refusal(
            "PeopleAtOnce",
            gettext("Enter 1 to {most_at_once} participants at a time.").format(
                most_at_once=MAX_PEOPLE_AT_ONCE
            ),
        )
    ids = [external_id for external_id, _ in people]
    for external_id in ids:
        if not 1 <= len(external_id) <= MAX_ID_LENGTH or "\x00" in external_id:
            raise Refusal(
                "IdLength",
                gettext("An ID needs 1 to {longest_id} characters.").format(
                    longest_id=MAX_ID_LENGTH
                ),
            )
        if ids.count(external_id) > 1:
            raise Refusal(
                "RepeatedId",
                gettext("“{external_id}” is listed twice.").format(external_id=external_id),
            )


def _one(study: Study, external_id: str, name: str, user: User | None, now: datetime) -> NewLink:
    worker = worker_for(platform=study.recruitment, external_id=external_id)
    if valid_of(study).filter(worker=worker).exists():
        raise Refusal(
            "HasLink",
            gettext("“{external_id}” already has a link.").format(external_id=external_id),
        )
    token = signer_of(study).sign(secrets.token_urlsafe(16))
    contract = Contract.objects.create(
        study=study,
        worker=worker,
        name=name[:150],
        token_hash=token_hash(token),
        made_by=user,
        made_at=now,
    )
    return NewLink(contract, token)


@transaction.atomic
def renew(*, contract: Contract, user: User | None, now: datetime) -> NewLink:
    """Replace the link of a contract by a new one. Raises Refusal if it was revoked."""
    token = signer_of(contract.study).sign(secrets.token_urlsafe(16))
    rows = Contract.objects.filter(pk=contract.pk, revoked_at=None)
    if not rows.update(token_hash=token_hash(token)):
        raise Refusal("LinkRevoked", gettext("This link has been revoked."))
    record(user=user, act="created a new personal link", what=str(contract), of=contract.study)
    return NewLink(contract, token)


@transaction.atomic
def revoke(*, contract: Contract, user: User | None, now: datetime) -> None:
    """End a link; people at work may finish. Raises Refusal."""
    if not Contract.objects.filter(pk=contract.pk, revoked_at=None).update(revoked_at=now):
        raise Refusal("LinkRevoked", gettext("This link has already been revoked."))
    record(user=user, act="revoked a link", what=str(contract), of=contract.study)


def valid_of(study: Study) -> QuerySet[Contract]:
    return Contract.objects.filter(study__slug=study.slug, revoked_at=None)
