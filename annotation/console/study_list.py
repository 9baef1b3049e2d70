"""The list of studies: drafts and launched ones, and what waits in each for whom. Only reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.paginator import Page
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from annotation.console.overview import state_of
from annotation.lists import ColumnHead, ListQuery, QueryParameter, page_of, parameters_in
from annotation.models import Batch, Draft, Study
from annotation.people import access
from annotation.people.access import Act
from annotation.studies.drafts.faults import FaultContext, faults_of
from annotation.studies.drafts.kinds import decoded
from annotation.studies.drafts.lookup import all_as_seen
from annotation.studies.progress import batches_in
from annotation.studies.waiting_notices import WaitingNotice, waiting_in

ROWS_A_PAGE = 50
SHOWN = {
    "all": gettext_lazy("All"),
    "drafts": gettext_lazy("Drafts"),
    "running": gettext_lazy("Running"),
    "finished": gettext_lazy("Finished"),
}
PARAMETERS = (QueryParameter("show", "all"), QueryParameter("sort"), QueryParameter("q"))


@dataclass(frozen=True)
class StudyListKey:
    """Values by which a list is searched, filtered and sorted."""

    pk: int
    title: str
    words: str
    changed: datetime
    shown: str  # one of SHOWN


@dataclass(frozen=True)
class StudyListRow:
    """A study or draft in the list.

    `state` is its label, `waits` the open tasks, `ready` whether a draft can be launched.
    """

    thing: Study | Draft
    state: str
    changed: datetime
    done: int = 0
    places: int = 0
    waits: list[WaitingNotice] = field(default_factory=list)
    ready: bool = False


@dataclass(frozen=True)
class StudyListPage:
    query: ListQuery
    page: Page[StudyListKey]
    rows: list[StudyListRow]
    counts: dict[str, int]

    @property
    def heads(self) -> list[ColumnHead]:
        sort = self.query["sort"]
        by = sort if sort in ("title", "since") else None
        direction = {by: "ascending" if by == "title" else "descending"}
        return [
            ColumnHead(gettext("Study"), "title", direction=direction.get("title", "")),
            ColumnHead(gettext("State")),
            ColumnHead(gettext("Needs attention"), None, direction=direction.get(None, "")),
            ColumnHead(gettext("Done")),
            ColumnHead(gettext("Corpus")),
            ColumnHead(gettext("Since"), "since", True, direction.get("since", "")),
        ]


def listed(request: HttpRequest, *, now: datetime) -> StudyListPage:
    """Return the requested rows (q, show, sort, page), with a constant number of queries."""
    query = ListQuery.parse(PARAMETERS, parameters_in(request))
    keys = [*_of_studies(request), *_of_drafts(request)]
    words, show, sort = query["q"].casefold(), query["show"], query["sort"]
    keys = [key for key in keys if words in key.words]
    counts = {name: sum(name in ("all", key.shown) for key in keys) for name in SHOWN}
    if show in SHOWN and show != "all":
        keys = [key for key in keys if key.shown == show]
    keys.sort(key=lambda each: each.changed, reverse=True)
    if sort == "title":
        keys.sort(key=lambda each: each.title.casefold())
    rows, mine = dict[int, StudyListRow](), access.visible_studies(request.user)
    if sort not in ("title", "since"):
        rows = _rows_of(mine.latest_versions(), now)
        keys.sort(key=lambda each: _rank(rows.get(each.pk) if each.shown != "drafts" else None))
    page = page_of(keys, request, rows_a_page=ROWS_A_PAGE)
    return StudyListPage(query, page, _rows(request, list(page.object_list), rows, now), counts)


def _rank(row: StudyListRow | None) -> int:
    """Return the urgency of a row, from 0 (problems) to 3 (nothing to do, or a draft).

    1 means that tasks wait for the reader, 2 that they wait for others.
    """
    if row is None:
        return 3
    ranks = (1 - wait.is_bad if access.may(row.thing, wait.act) else 2 for wait in row.waits)
    return min(ranks, default=3)


def _of_studies(request: HttpRequest) -> list[StudyListKey]:
    mine = access.visible_studies(request.user).latest_versions()
    batches = Batch.objects.filter(study=OuterRef("pk"))
    left = batches.exclude(state=Batch.State.CLOSED)
    finished = Q(Exists(batches), ~Exists(left), launched_at__isnull=False)
    rows = mine.annotate(finished=Case(When(finished, then=True), default=False))
    values = rows.values_list(
        "pk", "title", "slug", "corpus__name", Coalesce("launched_at", "created_at"), "finished"
    )
    return [
        StudyListKey(
            pk,
            title,
            f"{title} {slug} {corpus}".casefold(),
            since,
            "finished" if done else "running",
        )
        for pk, title, slug, corpus, since, done in values
    ]


def _of_drafts(request: HttpRequest) -> list[StudyListKey]:
    mine = access.seen_by(request.user, Draft.objects.filter(study=None, deleted_at=None))
    seen = access.visible_corpora(request.user).filter(pk=OuterRef("corpus")).values("name")
    values = mine.values_list("pk", "title", "slug", Subquery(seen), "changed_at")
    return [
        StudyListKey(pk, title, f"{title} {slug} {corpus or ''}".casefold(), changed, "drafts")
        for pk, title, slug, corpus, changed in values
    ]


def _rows_of(studies: QuerySet[Study], now: datetime) -> dict[int, StudyListRow]:
    """Return the rows by primary key of the study, in a constant number of queries."""
    listed = list(studies)
    batches = batches_in(listed)
    waits = waiting_in(listed, batches, now=now)
    return {
        study.pk: StudyListRow(
            study,
            state_of(study, batches[study.pk]),
            study.launched_at or study.created_at,
            done=sum(batch.done for batch in batches[study.pk]),
            places=sum(batch.places for batch in batches[study.pk]),
            waits=waits[study.pk],
        )
        for study in listed
    }


def _rows(
    request: HttpRequest,
    keys: Sequence[StudyListKey],
    known: Mapping[int, StudyListRow],
    now: datetime,
) -> list[StudyListRow]:
    """Of these keys; `known` are the studies that were looked at for their order."""
    of_drafts = [key.pk for key in keys if key.shown == "drafts"]
    of_studies = [key.pk for key in keys if key.shown != "drafts"]
    mine = access.visible_studies(request.user).filter(pk__in=of_studies)
    rows = {(False, pk): row for pk, row in (known or _rows_of(mine, now)).items()}
    for draft, faults in _with_faults(request, of_drafts):
        rows[True, draft.pk] = _row_of_draft(draft, faults)
    rows_of_keys = (rows.get((key.shown == "drafts", key.pk)) for key in keys)
    return [row for row in rows_of_keys if row is not None]


def _with_faults(request: HttpRequest, pks: list[int]) -> list[tuple[Draft, int]]:
    mine = access.seen_by(request.user, Draft.objects.filter(pk__in=pks))
    drafts = list(mine.select_related("corpus", "base"))
    all_as_seen(drafts, user=request.user)
    documents = [decoded(draft.document) for draft in drafts]
    around = FaultContext.of(documents)
    return [
        (draft, len(faults_of(document, draft=draft, around=around)))
        for draft, document in zip(drafts, documents, strict=True)
    ]


def _row_of_draft(draft: Draft, faults: int) -> StudyListRow:
    address, waits = draft.get_absolute_url(), []
    if faults:
        sentence = gettext("{faults} to fix before launch").format(faults=faults)
        step = gettext("Continue")
        waits = [WaitingNotice(sentence, sentence, step, address, Act.EDIT, code="draft_faults")]
    return StudyListRow(draft, "draft", draft.changed_at, waits=waits, ready=not faults)


def first_steps(request: HttpRequest) -> dict[str, Any]:
    """Return the context for a researcher without a study."""
    return {"has_corpus": access.visible_corpora(request.user).exists()}
