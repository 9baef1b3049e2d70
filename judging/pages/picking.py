"""Page to pick a known item from the corpus of a draft."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from annotation.clock import database_now
from annotation.console.builder.annotated_sections import anchor_of
from annotation.console.builder.choosing_views import head_of
from annotation.console.shown_texts import texts_of
from annotation.models import Draft
from annotation.people.access import Act
from annotation.studies.drafts import paths, saving
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.lookup import draft_for
from annotation.texts.translation import translated_error
from judging.drafts import item_choices
from judging.drafts.sheet_changes import adding
from judging.items.kinds import item_kind

SECTIONS = {"gold": "quality", "training": "forms"}  # where each list is edited


@login_required
@require_http_methods(["GET", "POST"])
def pick_item(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose a topic and a text for each slot, preview the item, and add it to the list."""
    draft = draft_for(request.user, pk=pk, may=Act.EDIT)
    if draft.study:
        return redirect(draft.study)
    sent = (request.POST if request.method == "POST" else request.GET).dict()
    where = sent.get("list", "")
    if not where:
        return redirect("draft_section", pk, SECTIONS["gold"])
    instrument = _instrument(draft, where)
    context: dict[str, Any] = {**head_of(draft), "current": SECTIONS[paths.above(where)[1]]}
    context |= {"where": where, "one": instrument, "corpus": draft.corpus, "topics": []}
    if draft.corpus is not None:
        context["topics"] = list(draft.corpus.topics.order_by("key")[: item_choices.MOST])
    topic = next(
        (candidate for candidate in context["topics"] if candidate.key == sent.get("topic")), None
    )
    if topic is not None:
        kind = item_kind(instrument["item_kind"])
        slots = item_choices.picked(kind, topic=topic, criteria=instrument["criteria"], sent=sent)
        item = item_choices.key_of(kind, slots)
        shown = texts_of(topic.corpus, rendering=draft.document.get("rendering", ""))
        context |= {"topic": topic, "slots": slots, "item": item, "texts": shown}
        if request.method == "POST" and item:
            return _added(request, draft, where, item)
    status = 422 if request.method == "POST" else 200
    return render(request, "console/draft/pick_item.html", context, status=status)


def _instrument(draft: Draft, where: str) -> dict[str, Any]:
    """Return the instrument of this list of known items."""
    head, name = paths.above(where)
    instrument = paths.get(draft.document, head) if name in SECTIONS else None
    if (
        not head.startswith("instruments/")
        or not isinstance(instrument, dict)
        or "item_kind" not in instrument
    ):
        raise Http404("List not found.")
    try:
        can = item_choices.can_be_picked(item_kind(instrument["item_kind"]))
    except LookupError as error:
        raise Http404(translated_error(error)) from error
    if not can:
        raise Http404("Items of this kind have no list. Use their keys.")
    return instrument


def _added(request: HttpRequest, draft: Draft, where: str, item: str) -> HttpResponse:
    """Add the item with an empty answer to each question, once for repeated requests."""
    address = reverse("draft_section", args=[draft.pk, SECTIONS[paths.above(where)[1]]])
    known_items = paths.get(draft.document, where)
    if isinstance(known_items, list) and any(
        known_item.get("item") == item for known_item in known_items
    ):
        return redirect(f"{address}#{anchor_of(where)}")
    ready = adding(draft.document, where) or []
    assert isinstance(request.user, User)
    changes = [
        DraftChange(change.op, change.path, change.value | {"item": item}) for change in ready
    ]
    try:
        saving.save(
            draft=draft,
            revision=draft.revision,
            changes=changes,
            user=request.user,
            now=database_now(),
        )
    except (saving.NotSaved, saving.DraftClosed) as error:
        messages.error(request, translated_error(error))
    else:
        messages.success(request, gettext("Added. Now select the correct answers."))
    return redirect(f"{address}#{anchor_of(where)}")
