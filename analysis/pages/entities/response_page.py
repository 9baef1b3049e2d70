"""Page of one text in a study, with its citations, items, votes and rank."""

from typing import Any

from django.db.models import Q
from django.shortcuts import get_object_or_404

from analysis.pages.entities.items import shown as items_shown
from analysis.pages.entities.newest_results import newest_of, scores_in
from analysis.pages.entities.responses import items_with, responses_of
from analysis.pages.entities.votes import count_by, of_response
from annotation.corpora import contents
from annotation.corpora.text_names import response_name
from annotation.models import Response, Study
from judging.coding.comments import page_comments, reasons
from judging.models import Item
from writing.models import Writing

ITEMS_SHOWN = 50  # the list has all


def response_of(study: Study, key: str) -> Response:
    rows = responses_of(study).defer(None).defer("topic__description")
    return get_object_or_404(rows, key=key)


def context(study: Study, response: Response) -> dict[str, Any]:
    passages = contents.passages_of(response.topic)
    cited = set(response.citations.values_list("passage_id", flat=True))
    for passage in passages:
        passage.is_cited = passage.pk in cited  # type: ignore[attr-defined]
    judges = study.kind == Study.Kind.JUDGING
    newest = newest_of(study) if judges else None
    pks = items_with(study, [response.pk]).get(response.pk, set()) if judges else set()
    items = Item.objects.filter(pk__in=pks).select_related("topic").order_by("pk")[:ITEMS_SHOWN]
    here = of_response(study, response.key) if judges else Q(pk=None)
    written = Writing.objects.filter(response=response, assignment__study=study)
    return {
        "response": response,
        "name": response_name(response),
        "passages": passages,
        "cited_count": len(cited),
        "item_count": len(pks),
        "vote_count": sum(count_by(study, "item", list(pks)).values()) if judges else None,
        "comment_count": page_comments(study).filter(here).count(),
        "reason_count": reasons(study).filter(here).count(),
        "items": items_shown(study, list(items)),
        "scores": scores_in(newest, [response.topic.key]).get(response.key, ()),
        "run": newest.run if newest else None,
        "written": written.select_related("assignment__worker").defer("text").first(),
    }
