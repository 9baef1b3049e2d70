"""The page on which the topics of a draft are chosen."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from annotation.clock import database_now
from annotation.console.builder.choosing_views import head_of
from annotation.console.builder.topic_choice import changes_to_choose, topics_taking_part
from annotation.models import Draft, Passage, Response, Topic
from annotation.people.access import Act, user_of
from annotation.studies.drafts import saving
from annotation.studies.drafts.lookup import draft_for
from annotation.texts.translation import translated_error
from annotation.texts.untrusted import storable

MOST = 500  # on one page: others are found by words


@login_required
@require_http_methods(["GET", "POST"])
def choose(request: HttpRequest, pk: int) -> HttpResponse:
    """Tick topics, find more by their words, or take the first so many."""
    draft = draft_for(request.user, pk=pk, may=Act.EDIT)
    if draft.study:
        return redirect(draft.study)
    if request.method == "POST":
        return _chosen(request, draft)
    find = request.GET.get("find", "").strip()
    topics_found = _found(draft, find)
    context: dict[str, Any] = {**head_of(draft), "current": "design", "find": find}
    outline = context["dock"].outline if context["dock"] else None
    ticked = set(topics_taking_part(draft, outline))
    topics = _counted(list(topics_found[:MOST]))
    return render(
        request,
        "console/draft/topics.html",
        context
        | {
            "topics": topics,
            "more": max(0, topics_found.count() - MOST),
            "ticked": ticked,
            "others": len(ticked - {topic.key for topic in topics}),  # ticked, and not shown
            "in_all": _topics(draft).count(),
            "has_responses": Response.objects.filter(corpus=draft.corpus).exists(),
            "revision": draft.revision,
        },
    )


def _counted(topics: list[Topic]) -> list[Any]:
    """Each with how many passages and responses it has, as words; two queries."""
    counts_by_topic: dict[str, dict[int, int]] = {}
    for name, model in (("of_passages", Passage), ("of_responses", Response)):
        rows = model.objects.filter(topic__in=topics).order_by().values_list("topic")
        counts_by_topic[name] = dict(rows.annotate(n=Count("pk")))
    # Not in the template: a thousand blocks of plurals take longer than all else of the page.
    words = {"of_passages": _passages, "of_responses": _responses}
    for topic in topics:
        for name, counts in counts_by_topic.items():
            setattr(topic, name, words[name](counts.get(topic.pk, 0)))
    return topics


def _passages(n: int) -> str:
    return ngettext("{n} passage", "{n} passages", n).format(n=n)


def _responses(n: int) -> str:
    return ngettext("{n} answer", "{n} answers", n).format(n=n)


def _topics(draft: Draft) -> "QuerySet[Topic]":
    return Topic.objects.filter(corpus=draft.corpus).order_by("pk")


def _found(draft: Draft, find: str) -> "QuerySet[Topic]":
    by_words = Q(query__icontains=find) | Q(key__icontains=find)
    return _topics(draft).filter(by_words) if find else _topics(draft)


def _chosen(request: HttpRequest, draft: Draft) -> HttpResponse:
    """Save what is ticked; what this page did not show stays as it was."""
    keys = _keys(draft, request.POST.dict(), set(request.POST.getlist("take")))
    revision_text = request.POST.get("revision", "")
    revision = (
        int(revision_text)
        if revision_text.isdecimal() and len(revision_text) < 18
        else draft.revision
    )
    try:
        saving.save(
            draft=draft,
            revision=min(revision, draft.revision),
            changes=changes_to_choose(draft, keys),
            user=user_of(request),
            now=database_now(),
        )
    except (saving.NotSaved, saving.DraftClosed) as error:
        messages.error(request, translated_error(error))
        return redirect("draft_topics", draft.pk)
    n = len(keys)
    messages.success(
        request, ngettext("{n} topic selected.", "{n} topics selected.", n).format(n=n)
    )
    return redirect("draft_section", draft.pk, "design")


def _keys(draft: Draft, sent: Mapping[str, str], ticked: set[str]) -> list[str]:
    """Return the chosen keys in the order of the corpus, without topics that are deleted."""
    all_keys = list(_topics(draft).values_list("key", flat=True))
    if sent.get("do") == "first":
        first = sent.get("first", "")
        return all_keys[: int(first) if first.isdecimal() and len(first) < 9 else 0]
    shown_keys = set(
        _found(draft, storable(sent.get("find", ""))).values_list("key", flat=True)[:MOST]
    )
    stays = set(topics_taking_part(draft)) - shown_keys
    return [key for key in all_keys if key in stays or (key in shown_keys and key in ticked)]
