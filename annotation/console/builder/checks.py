"""The remarks on a draft with where each is mended, check by check. Only reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext

from annotation.console.builder.annotated_sections import FaultView, fault_views
from annotation.corpora.contents import State
from annotation.fieldwork.screening.qualified_people import holders_for
from annotation.fieldwork.trials import recording_trials
from annotation.fieldwork.trials.page_changes import is_met_otherwise
from annotation.fieldwork.work.admission import unknown_studies
from annotation.links import opens_here_alone
from annotation.models import Draft
from annotation.studies.drafts import cached_remarks
from annotation.studies.drafts.editor_forms import EditorSection
from annotation.studies.drafts.kinds import Outline, kind_of
from annotation.studies.drafts.plan_results import PlanResult, plan_result
from annotation.studies.drafts.preflight import CHECKS
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.warnings import PLAN, SERVER, TRY, DraftState
from annotation.studies.instruments import Fault


@dataclass(frozen=True)
class RemarkView:
    """A warning with a link to its field; without an address if no page can fix it."""

    path: str
    sentence: str
    address: str
    label: str


@dataclass(frozen=True)
class CheckView:
    """A check with its remarks; `title` is a message id."""

    key: str
    title: str
    remarks: Sequence[RemarkView]
    is_missing: bool = False  # what it looks at
    is_open: bool = False  # it can only be answered once nothing is missing
    how: str = ""  # how far it holds

    @property
    def shown_title(self) -> str:
        return gettext(self.title)

    @property
    def result(self) -> str:
        if self.is_missing or self.remarks:
            return "bad"
        return "open" if self.is_open else "good"


def checks_of(
    draft: Draft,
    *,
    document: Document,
    sections: Sequence[EditorSection],
    faults: Sequence[FaultView],
    outline: Outline | None,
    user: User,
    foresight: PlanResult | None = None,
) -> list[CheckView]:
    """Every check of a draft; none where it has no method that could be looked at."""
    if not document.instruments:
        return []
    entry = recording_trials.last_tried(draft)
    tried = recording_trials.tried_of(entry) if entry else None
    look = DraftState(
        document=document,
        outline=outline,
        tried=tried.revision if tried else None,
        is_changed=tried is not None and is_met_otherwise(draft, than=tried.revision),
        tried_pages=(tried.pages, tried.total) if tried else (None, None),
        tried_by_link=tried.by_link if tried else False,
        tried_words=(tried.words, tried.words_in_all, tried.low) if tried else (None, None, None),
        qualified=holders_for(team=draft.team_id, user=user, name=document.screening.requires),
        unknown_studies=unknown_studies(document.screening, team=draft.team_id),
        foresight=foresight,
        opens_here_alone=opens_here_alone(settings.PUBLIC_URL),
    )
    return [
        CheckView(
            key,
            check.title,
            [
                _view(draft, document, remark, sections, check.name)
                for remark in check.remarks(look)
            ],
            is_missing=any(check.concerns(fault.path) for fault in faults),
            is_open=check.counted and outline is None,
            how=check.how(look),
        )
        for key, check in CHECKS.items()
        if check.of(document)
    ]


def _view(
    draft: Draft, document: Document, remark: Fault, sections: Sequence[EditorSection], name: str
) -> RemarkView:
    if remark.path == TRY:
        return RemarkView(
            remark.path, remark.sentence, reverse("draft_try", args=[draft.pk]), gettext("Try it")
        )
    if remark.path == SERVER:
        return RemarkView(remark.path, remark.sentence, "", gettext("Study link"))
    if remark.path == PLAN:
        return RemarkView(
            remark.path, remark.sentence, reverse("draft_plan", args=[draft.pk]), gettext("Plan")
        )
    if remark.path == "design/topics" and document.design.topics is None and draft.corpus:
        # The study has all topics already: more of them come with files, on the corpus' page.
        return RemarkView(
            remark.path,
            remark.sentence,
            draft.corpus.get_absolute_url(),
            gettext("Add topics to the corpus"),
        )
    (view,) = fault_views([remark], sections)
    address = reverse("draft_section", args=[draft.pk, view.section])
    label = gettext(name) if name else view.label
    return RemarkView(remark.path, remark.sentence, f"{address}#{view.anchor}", label)


def quiet_checks(checks: Sequence[CheckView]) -> list[tuple[str, list[CheckView]]]:
    """Return the checks that ask for nothing: those that passed, and those that wait for faults."""
    passed = [check for check in checks if check.result == "good"]
    waiting = [check for check in checks if check.result != "good" and not check.remarks]
    return [(state, some) for state, some in (("good", passed), ("open", waiting)) if some]


def remarks_in(checks: Sequence[CheckView]) -> list[RemarkView]:
    return [remark for check in checks for remark in check.remarks]


def checks_context(
    draft: Draft,
    head: dict[str, Any],
    outline: Outline | None,
    state: State | None = None,
    *,
    user: User,
) -> dict[str, Any]:
    """Return the template context of the checks.

    `state` is that of the corpus, if the caller has it.
    """
    document: Document = head["document"]
    foresight = None
    if draft.corpus is not None and kind_of(document.kind).compares(document):
        foresight = plan_result(draft=draft, document=document, corpus=draft.corpus, state=state)
    checks = checks_of(
        draft,
        document=document,
        sections=head["all_sections"],
        faults=head["faults"],
        outline=outline,
        user=user,
        foresight=foresight,
    )
    remarks = remarks_in(checks)
    if checks and not head["faults"]:
        cached_remarks.store_remarks(draft, len(remarks))
    return {
        "checks": checks,
        "quiet_checks": quiet_checks(checks),
        "remarks": remarks,
        "remarks_found": len(remarks) if checks else None,
        "sureness": foresight.sureness if foresight and outline else None,
    }
