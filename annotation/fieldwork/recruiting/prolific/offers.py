"""The offer of a study on Prolific: pay, places, and codes. Only computes."""

import hashlib
import json
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Q

from annotation.fieldwork.platforms.completion import PLATFORMS
from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.fieldwork.recruiting.adverts import Advert, proposed
from annotation.fieldwork.recruiting.prolific import audiences
from annotation.fieldwork.recruiting.prolific.audiences import Audience
from annotation.models import Batch, Place, PlatformStudy, PlatformSubmission, Study

Json = dict[str, Any]
Status = PlatformSubmission.Status
FEWEST_SLOTS = 10  # screen-outs after which Prolific pauses even a small study
# Their type of a code, and what they do with who enters it.
CODES: Mapping[Outcome, tuple[str, Json]] = {
    Outcome.DONE: ("COMPLETED", {"action": "MANUALLY_REVIEW"}),
    Outcome.NO_CONSENT: (
        "NO_CONSENT",
        {"action": "REQUEST_RETURN", "return_reason": "You did not agree to take part."},
    ),
    Outcome.SCREENED_OUT: (
        "SCREENED_OUT",
        {"action": "REQUEST_RETURN", "return_reason": "The study needs other participants."},
    ),
    Outcome.FAILED_CHECK: ("FAILED_ATTENTION_CHECK", {"action": "MANUALLY_REVIEW"}),
}


@dataclass(frozen=True)
class ProlificOffer:
    """Places of a study with the same pay and minutes."""

    study: Study
    pay: Decimal
    minutes: int
    places: int

    @property
    def advert(self) -> Advert:
        """The proposed title and description."""
        on_terms = copy(self.study)
        on_terms.pay, on_terms.minutes = self.pay, self.minutes
        return proposed(on_terms)


def offer_of(study: Study, *, pay: Decimal, minutes: int) -> ProlificOffer:
    """Return the places at these terms: of open batches, and used ones of other batches."""
    wanted = Q(task__batch__state=Batch.State.OPEN) | Q(assignment__isnull=False)
    opened = [batch for batch in _alike(study, pay, minutes) if batch.state != Batch.State.DRAFT]
    places = Place.objects.filter(wanted, task__batch__in=opened).count()
    return ProlificOffer(study, pay, minutes, places)


def _alike(study: Study, pay: Decimal, minutes: int) -> list[Batch]:
    return [batch for batch in study.batches.all() if batch.terms_in(study) == (pay, minutes)]


def states_of(at: PlatformStudy) -> set[str]:
    """Return the states of the batches that a study on Prolific recruits for."""
    return {batch.state for batch in _alike(at.study, at.pay, at.minutes)}


def free_for(at: PlatformStudy) -> int:
    """Return how many more people can begin, without those who are on their way here."""
    batches = [batch for batch in _alike(at.study, at.pay, at.minutes) if batch.state == "open"]
    free = Place.objects.filter(task__batch__in=batches, assignment=None).count()
    coming = at.submissions.filter(status__in=(Status.RESERVED, Status.ACTIVE), assignment=None)
    return free - coming.count()


def places_for(at: PlatformStudy) -> int:
    """Return how many places a study on Prolific needs.

    These are ours, and those used up there while ours are free again, without those that are free
    there while work keeps them here. Prolific frees no place of a paid participant whose work does
    not count here. Screen-outs use slots of their own (`slots` of their code).
    """
    holding = at.submissions.filter(assignment__place__isnull=False)
    used_up = at.submissions.filter(status__in=PlatformSubmission.PAID)
    used_up = used_up.exclude(pk__in=holding.values("pk"))
    free_there = holding.filter(status__in=PlatformSubmission.GONE).count()
    places = offer_of(at.study, pay=at.pay, minutes=at.minutes).places
    return places + used_up.count() - free_there


def current_offer(study: Study) -> ProlificOffer | None:
    """Return the places at the terms of the open batches; None without an open batch."""
    batch = study.batches.open().order_by("number").first()
    if batch is None:
        return None
    pay, minutes = batch.terms_in(study)
    return offer_of(study, pay=pay, minutes=minutes)


def payload_of(
    offer: ProlificOffer,
    *,
    audience: Audience = audiences.ALL,
    listed: Json | None = None,
    advert: Advert | None = None,
) -> Json:
    """Return the payload of a new draft. Raises Refusal and NoSuchChoice.

    Without Prolific's list of filters (`listed`), choices go by their names; without an `advert`,
    the proposed one is used.
    """
    study, advert = offer.study, advert or offer.advert
    filters = audiences.filters_of(audience, study, listed)
    optional = {
        "peripheral_requirements": list(audience.equipment),
        "project": "".join(audiences.ids_in(audience.project)),
        "study_type": "QUOTA" if audiences.has_quotas(filters) else "",
    }
    return {
        "name": advert.title,
        "internal_name": f"{study.slug}, version {study.version}",
        "description": str(advert.description),
        "external_study_url": study.worker_link,
        "is_external_study_url_secure": study.signed_links,
        "prolific_id_option": "url_parameters",
        "completion_codes": _codes(
            study, slots=max(offer.places, FEWEST_SLOTS), joins=audience.joins
        ),
        "total_available_places": offer.places,
        "estimated_completion_time": offer.minutes,
        "maximum_allowed_time": study.time_limit_minutes,
        "reward": int(offer.pay * 100),
        "device_compatibility": list(audience.devices) or devices_of(study),
        "filters": filters,
        **{name: value for name, value in optional.items() if value},
    }


def devices_of(study: Study) -> list[str]:
    """Return the devices for which the study is made."""
    is_written = study.kind == Study.Kind.WRITING
    return ["desktop"] if is_written else ["desktop", "tablet", "mobile"]


def screening_reward(study: Study) -> int:
    """Return what Prolific pays for the code of a screen-out, in minor units."""
    return int(study.screening_reward * 100)


def _codes(study: Study, *, slots: int, joins: str) -> list[Json]:
    """Return a code for each outcome; Prolific pauses the study after `slots` screen-outs.

    Who completes the study joins a group there.
    """
    codes = []
    joining = [
        {"action": "ADD_TO_PARTICIPANT_GROUP", "participant_group": group}
        for group in audiences.ids_in(joins)
    ]
    for outcome, (code_type, action) in CODES.items():
        if outcome == Outcome.SCREENED_OUT and (reward := screening_reward(study)):
            code_type = "FIXED_SCREENOUT"
            action = {
                "action": "FIXED_SCREEN_OUT_PAYMENT",
                "fixed_screen_out_reward": reward,
                "slots": slots,
            }
        if code := PLATFORMS["prolific"].code_for(study, outcome):
            actions = [action, *(joining if outcome == Outcome.DONE else ())]
            codes.append(
                {"code": code, "code_type": code_type, "actions": actions, "actor": "participant"}
            )
    return codes


def stamp_of(payload: Json) -> str:
    """Return a stamp that identifies a payload that somebody looked at."""
    return hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
