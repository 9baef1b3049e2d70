"""Studies on Prolific: drafts, publishing, pausing, stopping, and further places.

A dry run sends nothing (`calls.NotSent`). A draft recruits nobody until somebody publishes it.
"""

import re
from datetime import datetime
from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext

from annotation import signals
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.prolific_client import ProlificClient, client_for_settings
from annotation.fieldwork.recruiting.adverts import Advert
from annotation.fieldwork.recruiting.prolific import (
    audiences,
    offers,
    reconciling,
    screened_groups,
)
from annotation.fieldwork.recruiting.prolific.audiences import Audience
from annotation.models import Batch, PlatformStudy, PlatformSubmission, Study
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error

STUDY_ID = re.compile(r"[0-9a-f]{24}")
UNPUBLISHED, ACTIVE, PAUSED = "UNPUBLISHED", "ACTIVE", "PAUSED"
ENDED = ("AWAITING REVIEW", "COMPLETED")


def payload_for(
    *,
    study: Study,
    client: ProlificClient,
    audience: Audience = audiences.ALL,
    advert: Advert | None = None,
) -> dict[str, Any]:
    """Return the payload of a draft. Raises Refusal."""
    offer = offers.current_offer(study)
    if offer is None or not offer.places:
        raise Refusal("NoOpenBatch", gettext("Open a batch first."))
    if not offer.pay:
        raise Refusal("NoPay", gettext("Prolific doesn't accept unpaid studies."))
    audiences.checked(audience)
    listed = None
    try:
        if audience.needs_list:
            listed = client.filters()
    except calls.NoToken:
        pass  # a dry run without an account: choices by their names
    except (calls.CallRefused, calls.OutcomeUnknown) as error:
        raise Refusal(
            "FiltersUnknown",
            gettext("Can't load Prolific's filters: {error}").format(error=translated_error(error)),
        ) from error
    try:
        return offers.payload_of(offer, audience=audience, listed=listed, advert=advert)
    except audiences.NoSuchChoice as error:
        raise Refusal("NoSuchFilter", translated_error(error)) from error


def make_draft(
    *,
    study: Study,
    stamp: str,
    now: datetime,
    audience: Audience = audiences.ALL,
    advert: Advert | None = None,
) -> PlatformStudy:
    """Create the draft that somebody looked at. Raises Refusal, and what the call raises."""
    client = client_for_settings()
    payload = payload_for(study=study, audience=audience, client=client, advert=advert)
    if offers.stamp_of(payload) != stamp:
        raise Refusal(
            "OfferChanged",
            gettext("The study just changed. Check it again."),
        )
    offer = offers.current_offer(study)
    assert offer is not None
    if study.platform_studies.filter(pay=offer.pay, minutes=offer.minutes).exists():
        raise Refusal("StudyExists", gettext("Prolific already has a study for these places."))
    groups = screened_groups.create(study=study, client=client)
    payload["filters"] = screened_groups.with_ids(payload["filters"], groups)
    made = client.create_study(payload)
    return _keep(study, made, offer, now, groups=groups)


def take_over(*, study: Study, external_id: str, now: datetime) -> PlatformStudy:
    """Link a study that was created on Prolific's pages.

    Raises Refusal, and what the call raises.
    """
    external_id = external_id.strip().lower()
    offer = offers.current_offer(study)
    if not STUDY_ID.fullmatch(external_id):
        raise Refusal("BadStudyId", gettext("A Prolific study ID has 24 hexadecimal digits."))
    if offer is None:
        raise Refusal("NoOpenBatch", gettext("Open a batch first."))
    if PlatformStudy.objects.filter(platform=reconciling.KEY, external_id=external_id).exists():
        raise Refusal("StudyKnown", gettext("This Prolific study is already linked."))
    theirs = client_for_settings().study(external_id)
    if study.public_path not in str(theirs.get("external_study_url", "")):
        raise Refusal("OtherAddress", gettext("That Prolific study uses a different study link."))
    return _keep(study, theirs, offer, now)


def _keep(
    study: Study,
    theirs: dict[str, Any],
    offer: offers.ProlificOffer,
    now: datetime,
    groups: dict[str, Any] | None = None,
) -> PlatformStudy:
    return PlatformStudy.objects.create(
        platform=reconciling.KEY,
        external_id=str(theirs["id"]),
        study=study,
        state=str(theirs.get("status", ""))[:40],
        pay=offer.pay,
        minutes=offer.minutes,
        places=int(theirs.get("total_available_places") or 0),
        groups=groups or {},
        created_at=now,
    )


def publish(*, at: PlatformStudy) -> None:
    client = client_for_settings()
    screened_groups.update(at=at, client=client)
    _moved(at, client.publish(at.external_id))


def pause(*, at: PlatformStudy, follows: bool = False) -> None:
    """Pause the study; one that `follows` starts again when places of our batches are free."""
    _moved(at, client_for_settings().pause(at.external_id), follows=follows)


def start(*, at: PlatformStudy) -> None:
    _moved(at, client_for_settings().start(at.external_id))


def stop(*, at: PlatformStudy) -> None:
    """Stop recruiting; people at work may finish, and further places open the study again."""
    _moved(at, client_for_settings().stop(at.external_id))


def _moved(at: PlatformStudy, theirs: dict[str, Any], *, follows: bool = False) -> None:
    state = str(theirs.get("status", ""))[:40]
    if state:
        PlatformStudy.objects.filter(pk=at.pk).update(state=state, follows=follows)


def add_places(*, at: PlatformStudy) -> int:
    """Set the number of places to what is needed; return how many were added."""
    wanted = offers.places_for(at)
    lacking = wanted - at.places
    if lacking <= 0:
        return 0
    theirs = client_for_settings().set_places(at.external_id, wanted)
    PlatformStudy.objects.filter(pk=at.pk, places__lt=wanted).update(places=wanted)
    if state := str(theirs.get("status", ""))[:40]:  # places can open a study that had ended
        PlatformStudy.objects.filter(pk=at.pk).update(state=state)
    return lacking


def follow(*, at: PlatformStudy) -> None:
    """Let a study on Prolific follow the batches: further places, pause, start, stop.

    Researchers saw the cost when they opened the batch. A study that was paused on Prolific by hand
    stays paused until a person starts it, or opens or resumes a batch.
    """
    if at.state not in (ACTIVE, PAUSED, *ENDED):
        return
    try:
        _follow(at)
    except calls.NotSent:
        return  # a dry run: the page shows what would be sent
    except (calls.CallRefused, calls.OutcomeUnknown) as error:
        PlatformStudy.objects.filter(pk=at.pk).update(problem=str(error))


def _follow(at: PlatformStudy) -> None:
    states = offers.states_of(at)
    free = offers.free_for(at) if Batch.State.OPEN in states else 0
    if free > 0:
        if at.state != PAUSED or at.follows:
            add_places(at=at)
        if at.state == PAUSED and at.follows:
            start(at=at)
    elif states <= {Batch.State.CLOSED}:
        if at.state in (ACTIVE, PAUSED):
            stop(at=at)
    elif at.state == ACTIVE and not _is_full(at):
        pause(at=at, follows=True)


def _is_full(at: PlatformStudy) -> bool:
    """Return whether nobody new can come there anyway: people at work keep their time."""
    free_there = (*PlatformSubmission.GONE, PlatformSubmission.Status.SCREENED_OUT)
    return at.submissions.exclude(status__in=free_there).count() >= at.places


def follow_all(*, study: int | None = None) -> None:
    """Let every study on Prolific, or those of one study, follow their batches."""
    running = PlatformStudy.objects.filter(
        platform=reconciling.KEY, state__in=(ACTIVE, PAUSED, *ENDED)
    )
    if study is not None:
        running = running.filter(study=study)
    for at in running.select_related("study"):
        follow(at=at)


@receiver(signals.batch_moved)
def expect_places(*, batch: Batch, **_: Any) -> None:
    """Let a paused study follow a batch that was opened, resumed or extended."""
    if batch.state != Batch.State.OPEN:
        return
    pay, minutes = batch.terms_in(batch.study)
    PlatformStudy.objects.filter(
        study=batch.study_id, state=PAUSED, pay=pay, minutes=minutes
    ).update(follows=True)
