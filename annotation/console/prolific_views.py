"""A study at Prolific: what would be sent, its draft, publishing and pausing it, what it says."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from annotation.clock import database_now
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.prolific_client import client_for_settings
from annotation.fieldwork.recruiting import adverts
from annotation.fieldwork.recruiting.prolific import (
    audiences,
    offers,
    publishing,
    reconciling,
    saving_webhook_secrets,
    screened_groups,
    study_status,
)
from annotation.fieldwork.recruiting.prolific.audiences import Audience
from annotation.fieldwork.review import accepting_late_work, reviewing
from annotation.models import Assignment, PlatformStudy, Study
from annotation.people import access
from annotation.people.access import Act
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error

ID_FIELDS = {
    "required_studies": gettext_lazy("Only participants from these studies"),
    "excluded_studies": gettext_lazy("Exclude participants from these studies"),
    "required_groups": gettext_lazy("Only these participant groups"),
    "excluded_groups": gettext_lazy("Exclude these participant groups"),
    "joins": gettext_lazy("Add participants who complete the study to this group"),
    "project": gettext_lazy("Project"),
}
SIMPLE = Audience(devices=[], equipment=[])
NOT_DONE = (
    Refusal,
    accepting_late_work.CannotReceive,
    reviewing.CannotReview,  # somebody else was faster
    calls.CallRefused,  # or dry
)


def _study(request: HttpRequest, slug: str, version: int, may: Act) -> Study:
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    if study.recruitment != Study.Recruitment.PROLIFIC:
        raise Http404("This study doesn't recruit on Prolific.")
    return access.study_for(request.user, slug=slug, version=version, may=may)


@login_required
@require_GET
def at_prolific(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    study = _study(request, slug, version, Act.VIEW)
    return _page(request, study)


def _page(
    request: HttpRequest, study: Study, *, refused: str = "", code: str = "", status: int = 200
) -> HttpResponse:
    signed, unsigned = study_status.arrivals(study)
    context: dict[str, Any] = {
        "study": study,
        "there": study_status.there(study),
        "signed": signed,
        "unsigned": unsigned,
        "remarks": study_status.remarks(study),
        "webhook": study_status.last_webhook(),
        "webhook_address": study_status.webhook_address(),
        "dry_run": settings.RECRUITING_DRY_RUN,
        "has_token": bool(settings.PROLIFIC_TOKEN),
        "has_secret": saving_webhook_secrets.is_known(),
        "refused": refused,
        "code": code,
    }
    context |= _preview(request, study)
    return render(request, "console/recruit/at_prolific.html", context, status=status)


def _typed(request: HttpRequest) -> adverts.Advert | None:
    """Return the title and description as they were typed, None where nobody typed any."""
    if "title" not in request.POST:
        return None
    return adverts.Advert(request.POST["title"], request.POST.get("text", ""))


def _advert(request: HttpRequest) -> adverts.Advert | None:
    """Return the title and description that were typed, checked. Raises Refusal."""
    typed = _typed(request)
    return None if typed is None else adverts.checked(title=typed.title, text=typed.text)


def _audience(request: HttpRequest) -> Audience:
    """Return the audience as it was typed, or as a link names it."""
    sent = request.POST if request.method == "POST" else request.GET
    texts = {name: sent.get(name, "") for name in ("filters", *ID_FIELDS)}
    return Audience(
        people=sent.get("people") or audiences.EVERYBODY,
        devices=sent.getlist("devices"),
        equipment=sent.getlist("equipment"),
        **texts,
    )


def _preview(request: HttpRequest, study: Study) -> dict[str, Any]:
    """Return what a draft at Prolific would be made of, where there is none for what is open."""
    audience = _audience(request)
    context: dict[str, Any] = {
        "people": audiences.PEOPLE.items(),
        "audience": audience,
        "devices": audiences.DEVICES.items(),
        "equipment": audiences.EQUIPMENT.items(),
        "id_fields": [(key, label, getattr(audience, key)) for key, label in ID_FIELDS.items()],
        "is_special": replace(audience, people=audiences.EVERYBODY, devices=[]) != SIMPLE,
        "own_devices": list(audience.devices) or offers.devices_of(study),
        "most": adverts.MAX_DESCRIPTION,
        "most_title": adverts.MAX_TITLE,
    }
    offer = offers.current_offer(study)
    if offer and study.platform_studies.filter(pay=offer.pay, minutes=offer.minutes).exists():
        return context
    if offer is not None:
        context |= {"offer": offer, "advert": _typed(request) or offer.advert}
    try:
        advert = _advert(request)
        client = client_for_settings()
        payload = publishing.payload_for(
            study=study, audience=audience, client=client, advert=advert
        )
    except Refusal as error:
        return context | {"cannot": translated_error(error)}
    sent = json.dumps(payload, indent=2, ensure_ascii=False)
    return context | {
        "payload": payload,
        "sent": sent,
        "groups": screened_groups.kinds_for(study),
        "stamp": offers.stamp_of(payload),
    }


@login_required
@require_POST
def act_at_prolific(request: HttpRequest, slug: str, version: int, act: str) -> HttpResponse:
    study = _study(request, slug, version, Act.RUN)
    if act == "look":  # the draft as it was typed; nothing is done
        return _page(request, study)
    if act not in ACTS:
        raise Http404("Action not found.")
    try:
        message = ACTS[act](request, study)
    except NOT_DONE as error:
        code = getattr(error, "code", "") or type(error).__name__
        return _page(request, study, refused=translated_error(error), code=code, status=409)
    except calls.OutcomeUnknown as error:
        sentence = gettext("{error} Check Prolific before you send it again.").format(
            error=translated_error(error)
        )
        return _page(request, study, refused=sentence, code="OutcomeUnknown", status=409)
    detail = message if act in LATE else ""
    access.record(user=request.user, act=PAST[act], what=detail, of=study)
    messages.success(request, message)
    return redirect("at_prolific", slug, version)


def _at(request: HttpRequest, study: Study) -> PlatformStudy:
    platform_study = study.platform_studies.filter(pk=_key(request, "at")).first()
    if platform_study is None:
        raise Refusal("NotAtProlific", gettext("This study isn't on Prolific."))
    return platform_study


def _key(request: HttpRequest, name: str) -> int:
    """Return the primary key in a form field, or an unused one."""
    value = request.POST.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 18 else 0


def _late(request: HttpRequest, study: Study) -> Assignment:
    work = study.assignments.filter(pk=_key(request, "work")).first()
    if work is None:
        raise accepting_late_work.CannotReceive(
            "other_study", gettext("This submission doesn't belong to this study.")
        )
    return work


def _take_in(request: HttpRequest, study: Study) -> str:
    late = _late(request, study)
    accepting_late_work.take_in(assignment=late, now=database_now())
    return gettext("{worker}'s submission now counts. Review it.").format(worker=late.worker)


def _pay_late(request: HttpRequest, study: Study) -> str:
    late = _late(request, study)
    reviewer = request.user.get_username()
    accepting_late_work.pay_late(assignment=late, reviewer=reviewer, now=database_now())
    return gettext("{worker}'s submission won't count. Pay for it under Money.").format(
        worker=late.worker
    )


def _draft(request: HttpRequest, study: Study) -> str:
    publishing.make_draft(
        study=study,
        audience=_audience(request),
        stamp=request.POST.get("stamp", ""),
        now=database_now(),
        advert=_advert(request),
    )
    return gettext("Draft created. Publish it to start recruiting.")


def _take_over(request: HttpRequest, study: Study) -> str:
    publishing.take_over(
        study=study, external_id=request.POST.get("external_id", ""), now=database_now()
    )
    return gettext("Prolific study linked.")


def _publish(request: HttpRequest, study: Study) -> str:
    publishing.publish(at=_at(request, study))
    return gettext("Published on Prolific.")


def _pause(request: HttpRequest, study: Study) -> str:
    publishing.pause(at=_at(request, study))
    return gettext("Paused on Prolific.")


def _start(request: HttpRequest, study: Study) -> str:
    publishing.start(at=_at(request, study))
    return gettext("Resumed on Prolific.")


def _stop(request: HttpRequest, study: Study) -> str:
    publishing.stop(at=_at(request, study))
    return gettext("Stopped on Prolific.")


def _places(request: HttpRequest, study: Study) -> str:
    number = publishing.add_places(at=_at(request, study))
    return (
        gettext("{number} places added on Prolific.").format(number=number)
        if number
        else gettext("Prolific already has all places.")
    )


def _poll(request: HttpRequest, study: Study) -> str:
    at = _at(request, study)
    reconciling.poll(at=at, now=database_now())
    at.refresh_from_db()
    if at.problem:
        raise Refusal("PollFailed", at.problem)
    return gettext("Updated from Prolific.")


ACTS: dict[str, Callable[[HttpRequest, Study], str]] = {
    "draft": _draft,
    "take-over": _take_over,
    "publish": _publish,
    "pause": _pause,
    "start": _start,
    "stop": _stop,
    "places": _places,
    "poll": _poll,
    "take-in": _take_in,
    "pay-late": _pay_late,
}
LATE = ("take-in", "pay-late")
PAST = {
    "draft": "created a draft on Prolific",
    "take-over": "linked a Prolific study",
    "publish": "published on Prolific",
    "pause": "paused on Prolific",
    "start": "resumed on Prolific",
    "stop": "stopped on Prolific",
    "places": "added places on Prolific",
    "poll": "updated from Prolific",
    "take-in": "counted a late submission",
    "pay-late": "marked a late submission as paid but not counted",
}
