"""The remarks on a draft with where each is mended, check by check. Only reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from annotation.builder.marking import fault_views
from annotation.builder.sheets import Section
from annotation.drafts.kinds import Outline
from annotation.drafts.preflight import CHECKS, TRY, Look
from annotation.drafts.schema import Document
from annotation.models import Draft
from annotation.studies.instruments import Fault
from annotation.trials import noting


@dataclass(frozen=True)
class RemarkView:
    """`label` is the name of the field that `address` leads to."""

    sentence: str
    address: str
    label: str


@dataclass(frozen=True)
class CheckView:
    """`title` says what holds where there is no remark."""

    title: str
    remarks: Sequence[RemarkView]


def checks_of(
    draft: Draft, *, document: Document, sections: Sequence[Section], outline: Outline | None
) -> list[CheckView]:
    """Every check of a draft; none where it has no method that could be looked at."""
    if not document.instruments:
        return []
    entry = noting.last_tried(draft)
    look = Look(
        document=document,
        revision=draft.revision,
        outline=outline,
        tried=noting.revision_of(entry) if entry else None,
    )
    return [
        CheckView(title, [_view(draft, each, sections) for each in check(look)])
        for title, check in CHECKS.items()
    ]


def _view(draft: Draft, remark: Fault, sections: Sequence[Section]) -> RemarkView:
    if remark.path == TRY:
        return RemarkView(remark.sentence, reverse("draft_try", args=[draft.pk]), "Try it")
    (found,) = fault_views([remark], sections)
    address = reverse("draft_section", args=[draft.pk, found.section])
    return RemarkView(remark.sentence, f"{address}#{found.anchor}", found.label)


def remarks_in(checks: Sequence[CheckView]) -> list[RemarkView]:
    return [remark for check in checks for remark in check.remarks]


def look_at(draft: Draft, head: dict[str, Any], outline: Outline | None) -> dict[str, Any]:
    """What the pages that show the remarks are given."""
    checks = checks_of(
        draft, document=head["document"], sections=head["all_sections"], outline=outline
    )
    return {"checks": checks, "remarks": remarks_in(checks)}
