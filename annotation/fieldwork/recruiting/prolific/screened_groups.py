"""Groups on Prolific of the participants whom the screening of a study admits or excludes.

Prolific reads lists of studies once, and knows nothing of qualifications. It reads groups at once,
so these follow qualifications and earlier studies here with each poll: nobody takes a place and is
refused afterwards.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.prolific_client import ProlificClient
from annotation.fieldwork.work import admission
from annotation.models import PlatformStudy, Study, Worker
from annotation.people.pseudonyms import revealed
from annotation.refusals import Refusal

ADMITTED, EXCLUDED = "admitted", "excluded"
FILTERS = {ADMITTED: "participant_group_allowlist", EXCLUDED: "participant_group_blocklist"}
NEW = "new group: "  # begins what a preview shows in place of an ID
PERSON = re.compile(r"[0-9a-f]{24}")

Json = dict[str, Any]


def kinds_for(study: Study) -> list[str]:
    """Return the groups that a study needs.

    Prolific's own list of studies admits participants of any of them, so it replaces one required
    study only. Its list of excluded studies misses who takes part in them later.
    """
    required = admission.studies_named(study, "required_studies")
    there = PlatformStudy.objects.filter(
        platform="prolific", study__slug__in=required, study__team=study.team_id
    )
    kinds = []
    if admission.requirement_of(study) or len(required) > 1 or (required and not there.exists()):
        kinds.append(ADMITTED)
    excluded = admission.studies_named(study, "excluded_studies")
    if admission.exclusion_of(study) or (excluded and settings.PROLIFIC_WORKSPACE):
        kinds.append(EXCLUDED)
    return kinds


def placeholders(study: Study) -> dict[str, str]:
    """Return what stands for each group by the key of its filter, before the group exists."""
    return {FILTERS[kind]: f"{NEW}{kind}" for kind in kinds_for(study)}


def create(*, study: Study, client: ProlificClient) -> dict[str, Json]:
    """Create the groups of a study. Raises Refusal, and what the calls raise."""
    kinds = kinds_for(study)
    if kinds and not settings.PROLIFIC_WORKSPACE:
        raise Refusal(
            "NoWorkspace",
            gettext("Qualifications need PROLIFIC_WORKSPACE on the server."),
        )
    groups = {}
    for kind in kinds:
        workers = workers_of(kind, study)
        name = f"{study.slug}, version {study.version}: {kind}"
        members = _members(workers)
        group = client.create_group(name, workspace=settings.PROLIFIC_WORKSPACE, members=members)
        groups[kind] = {"id": str(group["id"]), "mark": _mark(workers)}
    return groups


def with_ids(filters: Sequence[Json], groups: Mapping[str, Json]) -> list[Json]:
    """Return the filters of a preview with the IDs of the groups."""
    ids = {f"{NEW}{kind}": group["id"] for kind, group in groups.items()}
    return [
        {**one, "selected_values": [ids.get(value, value) for value in one["selected_values"]]}
        if "selected_values" in one
        else one
        for one in filters
    ]


def update(*, at: PlatformStudy, client: ProlificClient) -> None:
    """Send the members of groups that changed; may be repeated. Raises what the call raises."""
    sent = {}
    for kind, group in at.groups.items():
        workers = workers_of(kind, at.study)
        mark = _mark(workers)
        if group["mark"] == mark:
            continue
        try:
            client.set_group(group["id"], _members(workers))
        except calls.NotSent:
            return  # a dry run
        sent[kind] = mark
    if sent:
        _record_sent(at, sent)


@transaction.atomic
def _record_sent(at: PlatformStudy, sent: Mapping[str, str]) -> None:
    """Record what was sent. After two updates at once, the next poll resends."""
    now = PlatformStudy.objects.select_for_update().filter(pk=at.pk).first()
    if now is None:
        return  # the study was deleted meanwhile
    for kind, mark in sent.items():
        alone = now.groups[kind]["mark"] == at.groups[kind]["mark"]
        now.groups[kind]["mark"] = mark if alone else ""
    now.save(update_fields=["groups"])


def lacking(at: PlatformStudy) -> list[str]:
    """Return the groups that a study on Prolific should have and does not, such as a linked one."""
    return [kind for kind in kinds_for(at.study) if kind not in at.groups]


def workers_of(kind: str, study: Study) -> "QuerySet[Worker]":
    """Return the workers from Prolific in a group, without those whose ID was erased."""
    of_kind = admission.admitted if kind == ADMITTED else admission.excluded_workers
    return of_kind(study).filter(platform="prolific").exclude(external_id=b"").order_by("pk")


def _mark(workers: "QuerySet[Worker]") -> str:
    """Return a mark of who is in a group, which names no platform ID."""
    keys = ",".join(map(str, workers.values_list("pk", flat=True)))
    return hashlib.sha256(keys.encode()).hexdigest()


def _members(workers: "QuerySet[Worker]") -> list[str]:
    ids = (revealed(worker).strip().lower() for worker in workers)
    return [each for each in ids if PERSON.fullmatch(each)]  # unsigned links may have any text
