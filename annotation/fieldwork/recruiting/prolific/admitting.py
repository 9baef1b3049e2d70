"""Admission by Prolific's link, with its signature.

A signed link is good once: the first browser that opens it spends its token. The page carries an
admission of ours, so that a person who reads longer than the token's two minutes, or keeps no
cookies, can still agree.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.core import signing
from django.http import QueryDict

from annotation.fieldwork.recruiting.arriving import Arrival
from annotation.fieldwork.recruiting.prolific import link_tokens
from annotation.fieldwork.recruiting.prolific.signing_keys import keys
from annotation.fieldwork.work.link_refusals import link_refused
from annotation.models import SpentToken, Study
from annotation.models.studies import PROLIFIC_PARAMETERS
from annotation.people.pseudonyms import hashed

log = structlog.get_logger(__name__)
ID = re.compile(r"[0-9a-f]{24}")  # participants, studies and submissions
SALT = "annotation.fieldwork.recruiting.prolific.admission"
ADMISSION_LIFETIME = timedelta(hours=6)
TOKEN_LIFETIME = timedelta(
    days=1
)  # for how long a spent token is known; its own time is two minutes


@dataclass(frozen=True)
class ProlificArrival:
    """A participant and their submission, and whether Prolific signed both."""

    participant: str
    submission: str
    signed: bool = False


def came(
    parameters: QueryDict, *, study: Study, browser: str, admission: str, now: datetime
) -> ProlificArrival:
    """Read Prolific's link. Raises `link_refused`.

    Unfilled placeholders and repeated parameters are refused: the link was set up wrongly, or made
    by somebody else.
    """
    ids = {name: parameters.getlist(name) for name in (*PROLIFIC_PARAMETERS, link_tokens.PARAMETER)}
    if any(len(values) > 1 for values in ids.values()):
        raise link_refused("IncompleteLink")
    participant, submission = (
        "".join(ids[name]).strip().lower() for name in ("PROLIFIC_PID", "SESSION_ID")
    )
    if not (ID.fullmatch(participant) and ID.fullmatch(submission)) or participant == submission:
        raise link_refused("IncompleteLink")
    signed = ProlificArrival(participant, submission, signed=True)
    if admission and _admitted(admission) == [study.pk, participant, submission]:
        return signed
    if token := "".join(ids[link_tokens.PARAMETER]):
        parameters_without_token = {
            name: str(value) for name, value in parameters.items() if name != link_tokens.PARAMETER
        }
        _spend(token, parameters_without_token, study, browser, now)
        return signed
    if study.signed_links:
        raise link_refused("UnsignedLink")
    return ProlificArrival(participant, submission)


def admission_for(study: Study, arrival: Arrival) -> str:
    """Return the admission of the consent form after a signed link; '' for others."""
    if not arrival.signed or arrival.platform != "prolific":
        return ""
    return signing.dumps([study.pk, arrival.external_id, arrival.submission], salt=SALT)


def _admitted(admission: str) -> object:
    try:
        return signing.loads(admission, salt=SALT, max_age=ADMISSION_LIFETIME)
    except signing.BadSignature:
        return None


def _spend(token: str, said: dict[str, str], study: Study, browser: str, now: datetime) -> None:
    """Verify and spend a token; the browser that spent it may repeat it."""
    fingerprint = link_tokens.fingerprint(token)
    by = hashed(platform="browser", external_id=browser) if browser else ""
    spent = SpentToken.objects.filter(fingerprint=fingerprint).first()
    if spent is not None and (not by or spent.browser_hash != by):
        raise link_refused("UsedLink")
    address = settings.PUBLIC_URL + study.public_path
    expected = link_tokens.ExpectedClaims(address, said, settings.PROLIFIC_WORKSPACE)
    try:
        link_tokens.verify(token, key_for=keys, expected=expected, may_be_old=spent is not None)
    except link_tokens.Expired as error:
        raise link_refused("OldLink") from error
    except link_tokens.UnknownKey as error:
        log.warning("a link with an unknown key of Prolific", study=study.slug)
        raise link_refused("NotCheckedYet") from error
    except link_tokens.BadToken as error:
        log.warning("a link with a bad token of Prolific", study=study.slug, reason=str(error))
        raise link_refused("ForgedLink") from error
    if spent is None:
        _, first = SpentToken.objects.get_or_create(
            fingerprint=fingerprint, defaults={"browser_hash": by, "spent_at": now}
        )
        if not first:
            raise link_refused("UsedLink")


def forget_tokens(*, now: datetime) -> None:
    """Delete tokens that have expired."""
    SpentToken.objects.filter(spent_at__lt=now - TOKEN_LIFETIME).delete()
