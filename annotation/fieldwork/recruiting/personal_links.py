"""Identification of people who follow a personal link. Only reads.

The link identifies the person, also on a second device. Contracts keep a person's work together
when the link is renewed.
"""

from django.core.signing import BadSignature, Signer

from annotation.encryption import token_hash
from annotation.models import Assignment, Contract, Study
from annotation.people.pseudonyms import hashed, revealed
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence

PARAMETER = "person"


class NoPersonalLink(Refusal):
    status = 404
    title = Sentence("This study needs your personal link")
    sentence = Sentence(
        "People take part in this study with a link of their own, and this one is incomplete or "
        "unknown. Please open the whole link that you were sent, or ask whoever sent it."
    )


class LinkRevoked(Refusal):
    status = 410
    title = Sentence("This link is no longer valid")
    sentence = Sentence(
        "Your personal link was ended or replaced by a new one. Please look for a newer link, or "
        "ask whoever sent it. What you handed in is kept."
    )


class OthersLink(Refusal):
    status = 403
    title = Sentence("This link is for somebody else")
    sentence = Sentence(
        "Somebody has worked on this study in this browser with another personal link. Please use "
        "the link that was sent to you, or a browser of your own."
    )


def admitted(*, token: str, study: Study, browser: str) -> tuple[str, str]:
    """Return the ID of the person of a personal link, and what proves who they are.

    Raises NoPersonalLink, LinkRevoked, OthersLink.
    """
    try:
        signer_of(study).unsign(token)
    except BadSignature as error:
        raise NoPersonalLink from error
    contracts = Contract.objects.filter(study__slug=study.slug, token_hash=token_hash(token))
    contract = contracts.select_related("worker").first()
    if contract is None or contract.revoked_at or not contract.worker.external_id:
        raise LinkRevoked  # we signed it, so it was once valid
    browser_hash = hashed(platform="browser", external_id=browser)
    others = Assignment.objects.filter(study__slug=study.slug, browser_hash=browser_hash)
    if others.exclude(worker=contract.worker_id).exists():
        raise OthersLink
    return revealed(contract.worker), f"{contract.worker.pseudonym} of {study.slug}"


def signer_of(study: Study) -> Signer:
    """Return the signer of a study's links: a link of one study is none of another."""
    return Signer(salt=f"personal link of {study.slug}")
