"""The pages of corpora: what they show, and how many queries each takes."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.corpora.systems import writer_of
from annotation.models import Citation, Corpus, Draft, Passage, Response
from tests.annotation.studies.drafts.drafted import drafted
from tests.cast import draft_study, rita, small_corpus
from tests.hooks import element, invalid_fields, values

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
DELETES = 'name="typed"'  # the field of the form that deletes


@pytest.fixture
def researcher(client):
    client.force_login(rita())
    return client


def filled_corpus(topics: int = 2, responses: int = 3, slug: str = "lamps") -> Corpus:
    """Topics with responses, passages, systems that rank them, and citations."""
    corpus = small_corpus(slug=slug, topics=topics, responses=responses)
    for topic in corpus.topics.all():
        system = corpus.systems.create(key=f"s{topic.key}", name=f"System {topic.key}")
        for rank in (1, 2, 3):
            passage = topic.passages.create(
                key=f"{topic.key}p{rank}", rank=rank, title=f"Page {rank}", text=f"Light {rank}."
            )
            topic.rankings.create(system=system, passage=passage, rank=4 - rank, score=rank / 2)
        for response in topic.responses.all():
            response.system, response.text = system, f"A lamp <b> [0, 2] of {topic.key} [9]."
            response.save()
            for position, rank in enumerate((1, 3), start=1):
                passage = topic.passages.get(rank=rank)
                Citation.objects.create(response=response, passage=passage, position=position)
    return corpus


def addresses(corpus: Corpus) -> list[str]:
    parts = ["topics", "passages", "responses", "systems", "rankings"]
    return [
        reverse("corpora"),
        reverse("corpus", args=[corpus.slug]),
        *(reverse("corpus_part", args=[corpus.slug, part]) for part in parts),
        *(f"{reverse('corpus_part', args=[corpus.slug, part])}?q=a&system=st1" for part in parts),
        reverse("corpus_topic", args=[corpus.slug, corpus.topics.first().pk]),
        reverse("corpus_response", args=[corpus.slug, corpus.responses.first().pk]),
        reverse("corpus_settings", args=[corpus.slug]),
    ]


def queries(client, address: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(address).status_code == 200, address
    return len(captured)


def rows_of(client, address):
    response = client.get(address)
    assert response.status_code == 200, address
    return response.context["page"].paginator.count


def test_numbers_of_a_corpus_lead_to_what_they_count(researcher):
    corpus = filled_corpus()
    cited = corpus.topics.first().passages.first()
    Citation.objects.create(response=corpus.responses.first(), passage=cited, position=3)
    part = reverse("corpus_part", args=[corpus.slug, "responses"])
    for page in ("topics", "passages", "responses"):
        shown_page = researcher.get(reverse("corpus_part", args=[corpus.slug, page])).text
        for address, n in re.findall(rf'href="({part}[?][^"]+)">(\d+)</a>', shown_page):
            assert rows_of(researcher, unescape(address)) == int(n), address
    assert rows_of(researcher, f"{part}?passage={cited.pk}") == 3
    for origin in ("llm", "human"):
        n = corpus.responses.filter(origin=origin).count()
        assert rows_of(researcher, f"{part}?origin={origin}") == n
    beyond = Passage.objects.latest("pk").pk + 1
    for nothing in (f"passage={beyond}", "passage=x", "passage=9" * 9, "origin=x", "topic=none"):
        assert rows_of(researcher, f"{part}?{nothing}") == 0
    ranked = reverse("corpus_part", args=[corpus.slug, "rankings"])
    topic = corpus.topics.first()
    assert rows_of(researcher, f"{ranked}?system=s{topic.key}&topic={topic.key}") == 3


def test_the_number_of_queries_does_not_grow_with_the_corpus(researcher):
    researcher.get(reverse("corpora"))  # what is read once is read
    small = [
        queries(researcher, address) for address in addresses(filled_corpus(1, 1, slug="small"))
    ]
    large = [
        queries(researcher, address) for address in addresses(filled_corpus(9, 8, slug="large"))
    ]
    assert large == small
    assert max(large) <= 14


def test_a_list_is_searched_and_paged(researcher):
    filled_corpus(topics=60, responses=1)
    page = reverse("corpus_part", args=["lamps", "topics"])
    assert values(researcher.get(page).text, "data-range") == ["1-50/60"]
    assert values(researcher.get(f"{page}?page=2").text, "data-range") == ["51-60/60"]
    shown_page = researcher.get(f"{page}?q=lamp+17").content.decode()
    assert "what is lamp 17?" in shown_page
    assert "what is lamp 16?" not in shown_page
    assert values(researcher.get(f"{page}?q=unheard").text, "data-no-results") == ["unheard"]


def test_responses_and_rankings_are_shown_of_one_system(researcher):
    filled_corpus()
    page = reverse("corpus_part", args=["lamps", "rankings"])
    shown_page = researcher.get(f"{page}?system=st2").content.decode()
    assert "System t2" in shown_page
    assert "System t1" not in shown_page


def test_a_citation_opens_its_passage_and_one_of_nothing_stays_text(researcher):
    corpus = filled_corpus()
    page = reverse("corpus_response", args=["lamps", corpus.responses.first().pk])
    shown_page = researcher.get(page).content.decode()
    link = r'\[<a class="cited" href="#passage-0" title="Page 1"[^>]*>0</a>, '
    assert re.search(link, shown_page)
    assert 'id="passage-2"' in shown_page
    assert "[9]" in shown_page
    assert "&lt;b&gt;" in shown_page


def test_a_title_in_a_citation_cannot_act(researcher):
    corpus = filled_corpus()
    corpus.topics.first().passages.filter(rank=1).update(title='"><script>alert(1)</script>')
    page = reverse("corpus_response", args=["lamps", corpus.responses.first().pk])
    assert "<script>alert" not in researcher.get(page).content.decode()


def test_a_passage_without_a_title_is_shown_without_a_heading_and_its_id_is_small(researcher):
    corpus = filled_corpus()
    topic = corpus.topics.first()
    topic.passages.filter(rank=1).update(title="", key="f3a9c2d1")
    page = researcher.get(reverse("corpus_topic", args=["lamps", topic.pk])).content.decode()
    assert "f3a9c2d1</h3>" not in page
    assert "<code>f3a9c2d1</code>" in page
    page = researcher.get(reverse("corpus_part", args=["lamps", "passages"])).content.decode()
    assert ">f3a9c2d1<" not in page


def test_a_passage_that_goes_on_ends_with_dots_in_the_list(researcher):
    corpus = filled_corpus()
    corpus.topics.first().passages.filter(rank=1).update(text="Candle light. " * 40)
    page = researcher.get(reverse("corpus_part", args=["lamps", "passages"])).content.decode()
    (beginning,) = re.findall(r'class="soft">(Candle [^<]+)<', page)
    assert beginning.endswith("…")
    assert ">Light 2.<" in page


def test_texts_of_a_topic_are_called_by_who_wrote_them(researcher):
    corpus = filled_corpus()
    topic = corpus.topics.first()
    page = researcher.get(reverse("corpus_topic", args=["lamps", topic.pk])).content.decode()
    for text in topic.responses.all():
        assert f'title="{text.key}">{writer_of(text)}</a>' in page


def test_a_row_of_another_corpus_is_not_found(researcher):
    other = filled_corpus(slug="other")
    filled_corpus()
    for name, row in (("corpus_topic", other.topics), ("corpus_response", other.responses)):
        assert researcher.get(reverse(name, args=["lamps", row.first().pk])).status_code == 404
    assert researcher.get("/corpora/lamps/nonsense/").status_code == 404


def test_a_corpus_is_deleted_by_its_name_and_brought_back(researcher):
    filled_corpus()
    wrong = researcher.post("/corpora/lamps/delete/", {"typed": "lamp"})
    assert wrong.status_code == 400
    assert "lamps" in element(wrong.text, "id", "typed-error").text
    response = researcher.post("/corpora/lamps/delete/", {"typed": "lamps"}, follow=True)
    assert "lamps deleted" in response.content.decode()
    assert researcher.get("/corpora/lamps/").status_code == 404
    back = researcher.post("/corpora/lamps/bring-back/", follow=True)
    assert "lamps restored" in back.content.decode()


def test_the_settings_say_which_studies_keep_a_corpus(researcher):
    draft_study()
    page = researcher.get("/corpora/lamps/settings/").content.decode()
    assert DELETES not in page
    assert "/studies/lamps/1/" in page
    refused = researcher.post("/corpora/lamps/settings/", {"name": " ", "licence": "CC0"})
    assert refused.status_code == 400
    assert invalid_fields(refused.text) == ["name"]
    assert 'value="CC0"' in refused.content.decode()


def test_a_draft_keeps_a_corpus_too_and_the_pages_say_so(researcher):
    draft = drafted(user=User.objects.get(), title="Lamps on trial")
    shown_page = researcher.get("/corpora/lamps/settings/").text
    assert DELETES not in shown_page
    for page in (shown_page, researcher.get("/corpora/lamps/").text):
        assert f'<a href="{draft.get_absolute_url()}">Lamps on trial</a>' in page
    Draft.objects.update(deleted_at=timezone.now())
    assert DELETES in researcher.get("/corpora/lamps/settings/").text


def test_the_page_of_a_corpus_leads_to_a_method(researcher):
    small_corpus()
    page = researcher.get("/corpora/lamps/").text
    assert page.count("button-primary") == 1
    assert 'button-primary" href="/methods/?corpus=lamps">' in page


def test_a_column_in_which_all_responses_are_alike_is_left_out(researcher):
    corpus = small_corpus()
    topic = corpus.topics.first()
    key = "2024-43983/gpt-4o with all that there is/bullets"
    of = {"corpus": corpus, "topic": topic, "text": "So.", "words": 1}
    corpus.responses.all().delete()
    Response.objects.create(key=key, style="free", origin="llm", **of)
    page = researcher.get("/corpora/lamps/responses/").text
    assert "Style</th>" not in page
    assert "Written by</th>" not in page
    assert ">2024-43983/gpt-4…here is/bullets</code>" in page
    Response.objects.create(key="other", style="essay", origin="llm", **of)
    page = researcher.get("/corpora/lamps/responses/").text
    assert "Style</th>" in page
    assert "Written by</th>" not in page
