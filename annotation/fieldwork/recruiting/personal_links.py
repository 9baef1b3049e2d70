"""Identification of people who follow a personal link. Only reads.

The link identifies the person, also on a second device. Contracts keep a person's work together
when the link is renewed.
"""

from django.core.signing import BadSignature, Signer

from annotation.encryption import token_hash
from annotation.fieldwork.work.link_refusals import link_refused
from annotation.models import Assignment, Contract, Study
from annotation.people.pseudonyms import hashed, revealed

PARAMETER = "person"


def admitted(*, token: str, study: Study, browser: str) -> tuple[str, str]:
    """Return the ID of the person of a personal link, and what proves who they are.

    Raises `link_refused`.
    """
    try:
        signer_of(study).unsign(token)
    except BadSignature as error:
        raise link_refused("NoPersonalLink") from error
    contracts = Contract.objects.filter(study__slug=study.slug, token_hash=token_hash(token))
    contract = contracts.select_related("worker").first()
    if contract is None or contract.revoked_at or not contract.worker.external_id:
        raise link_refused("LinkRevoked")  # we signed it, so it was once valid
    browser_hash = hashed(platform="browser", external_id=browser)
    others = Assignment.objects.filter(study__slug=study.slug, browser_hash=browser_hash)
    if others.exclude(worker=contract.worker_id).exists():
        raise link_refused("OthersLink")
    return revealed(contract.worker), f"{contract.worker.pseudonym} of {study.slug}"


def signer_of(study: Study) -> Signer:
    """Return the signer of a study's links: a link of one study is none of another."""
    return Signer(salt=f"personal link of {study.slug}")
