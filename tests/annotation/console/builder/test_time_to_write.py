"""What careful writing takes: to read what is shown, and to compose so many words."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Corpus, Draft
from annotation.studies.drafts import workload
from annotation.studies.drafts.launching import launch
from tests.annotation.fieldwork.trials.rows import writing_document
from tests.annotation.studies.drafts.drafted import drafted
from tests.cast import NOW
from tests.hooks import element, elements

pytestmark = pytest.mark.django_db
METHOD = "instruments/crowdrag-writing"
MINUTES = f"{METHOD}/defaults/minutes"


def begun(client: Client, *, words: int = 0) -> Draft:
    """Return a draft of the card; each of three passages of a topic has so many words, or 36."""
    corpus = Corpus.objects.get(slug=writing_document().corpus)
    if words:
        for topic in corpus.topics.all():
            topic.passages.update(words=words)
    client.post(
        reverse("begin_draft"),
        {"of": "writing/crowdrag-writing", "corpus": corpus.slug, "title": "Letters"},
    )
    return Draft.objects.get()


def sheet(client: Client, draft: Draft, section: str, **said: Any) -> str:
    draft.refresh_from_db()
    fields = {
        name if name == "contact" or "/" in name else f"{METHOD}/{name}": each
        for name, each in said.items()
    }
    address = reverse("draft_section", args=[draft.pk, section])
    client.post(address, fields | {"revision": draft.revision})
    draft.refresh_from_db()
    return client.get(address).text


def time_of(draft: Draft) -> tuple[int, int, Decimal]:
    defaults = draft.document["instruments"][0]["defaults"]
    pay = Decimal(draft.document["recruitment"]["pay"])
    return defaults["minutes"], defaults["minimum_seconds"], pay


def test_the_minutes_of_the_method_stand_where_careful_work_takes_less(client):
    draft = begun(client)
    html = sheet(client, draft, "recruitment")
    assert time_of(draft) == (25, 300, Decimal("5.00"))
    assert element(html, "data-hint-of", MINUTES).numbers == [14, 0, 14]
    assert "Use 14 min" not in html
    assert "Use 25 min" not in html


def test_where_there_is_more_to_read_the_draft_begins_with_more_minutes_and_pay(client):
    draft = begun(client, words=1428)  # 18 min for three passages at 238 words a minute
    assert time_of(draft) == (32, 384, Decimal("6.40"))
    plan = client.get(reverse("draft_plan", args=[draft.pk])).text
    assert element(plan, "data-estimate").numbers == [32, 18, 14]


def test_the_time_follows_the_passages_and_the_words(client):
    draft = begun(client, words=1428)
    sheet(client, draft, "texts", passages="2")
    assert time_of(draft) == (26, 312, Decimal("5.20"))  # 12 min to read
    sheet(client, draft, "texts", target_words="300", high_words="350")
    assert time_of(draft)[0] == 28  # 15.8 min to write
    sheet(client, draft, "texts", passages="1")
    assert time_of(draft)[0] == 25  # as the method has it
    sheet(client, draft, "recruitment", **{MINUTES: "20"})
    sheet(client, draft, "texts", passages="")
    html = sheet(client, draft, "recruitment")
    assert time_of(draft)[0] == 20  # somebody said it
    assert "Use 34 min" in html


def test_check_says_where_the_time_is_short_for_reading_and_writing(client):
    draft = begun(client, words=1428)
    sheet(client, draft, "instructions", contact="Rita, University of Lamps")
    check = reverse("draft_check", args=[draft.pk])
    planned = [32, 18, 14, 25]  # minutes: estimated, to read, to write, planned
    remarks = elements(client.get(check).text, "data-remark")
    assert planned[:3] not in [remark.numbers[:3] for remark in remarks]
    sheet(client, draft, "recruitment", **{MINUTES: "25"})
    assert planned in [remark.numbers for remark in elements(client.get(check).text, "data-remark")]


def test_a_launched_batch_knows_what_its_texts_take(client):
    document = writing_document()
    corpus = Corpus.objects.get()

    study = launch(draft=drafted(document), revision=0, user=None, now=NOW)
    outline = workload.outline_of(document, corpus)
    assert study.batches.get().careful_minutes == outline.careful_minutes == 14
