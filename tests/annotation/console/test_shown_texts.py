"""Every page shows a text as its study shows it, or raw where a researcher asks for it."""

import pytest
from django.urls import reverse

from annotation.models import CorpusImage, Passage, Study
from annotation.texts.markdown.images import digest_of
from tests.annotation.fieldwork.trials.rows import writing_document
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import (
    NOW,
    alice,
    begun,
    draft_study,
    handed_in,
    open_study,
    rita,
    small_corpus,
    writing_study,
)
from writing.models import Writing

pytestmark = pytest.mark.django_db
TEXT = "It is *salty*: $x_1$ ![a chart](b.png) ![far](https://far.example/c.png)"
FORMULA = '<span data-formula="inline">$x_1$</span>'
SIGNS = {"markdown": "<em>salty</em>", "plain": "*salty*", "preformatted": "*salty*"}


def with_image(corpus):
    digest = digest_of(b"an image")
    CorpusImage.objects.create(
        corpus=corpus,
        digest=digest,
        names=["b.png"],
        media_type="image/png",
        width=4,
        height=3,
        content=b"an image",
    )
    corpus.topics.update(description=TEXT)
    Passage.objects.filter(topic__corpus=corpus).update(text=TEXT)
    corpus.responses.update(text=TEXT)
    return digest


def assert_shown(html, address, *, count=1):
    assert html.count(FORMULA) >= count
    assert html.count(SIGNS["markdown"]) >= count
    assert html.count(f'<img src="{address}"') >= count
    assert 'class="image-away"' in html
    assert '<img src="https:' not in html


@pytest.fixture
def written(client):
    """Return the handed-in work of a writing study whose texts have images and formulas."""
    study = writing_study()
    with_image(study.corpus)
    work = begun(study, alice())
    Writing.objects.create(
        assignment=work, acknowledged_at=NOW, text=TEXT, verdict=Writing.Verdict.EQUAL
    )
    handed_in(work)
    client.force_login(rita())
    return work


@pytest.mark.parametrize("page", ["review_work", "review_panel", "assignment_page"])
def test_a_handed_in_text_is_reviewed_as_judges_see_it(client, written, page):
    place = [written.study.slug, written.study.version]
    digest = CorpusImage.objects.get().digest
    html = client.get(reverse(page, args=[*place, written.pk])).content.decode()
    assert_shown(html, reverse("study_image", args=[*place, digest]))


def test_a_reviewer_can_ask_for_the_raw_text(client, written):
    address = reverse("review_work", args=[written.study.slug, written.study.version, written.pk])
    html = client.get(address, {"raw": "1"}).content.decode()
    assert FORMULA not in html
    assert "![a chart](b.png)" in html


@pytest.mark.parametrize("rendering", Study.Rendering.values)
def test_passages_beside_a_replay_are_those_of_the_writer(client, written, rendering):
    Study.objects.filter(pk=written.study_id).update(rendering=rendering)
    place = [written.study.slug, written.study.version, written.pk]
    replay = client.get(reverse("review_work", args=place)).content.decode()
    assert replay.count(SIGNS[rendering]) >= 4  # three passages and the text
    assert (FORMULA in replay) == (rendering == "markdown")


def test_pages_of_a_corpus_show_its_texts(client):
    corpus = small_corpus(responses=1)
    corpus.topics.get().passages.create(key="p1", rank=1, text="")
    address = reverse("corpus_image", args=[corpus.slug, with_image(corpus)])
    client.force_login(rita())
    topic, response = corpus.topics.get(), corpus.responses.get()
    pages = {
        reverse("corpus_topic", args=[corpus.slug, topic.pk]): 2,  # description and pool
        reverse("corpus_response", args=[corpus.slug, response.pk]): 2,  # text and pool
    }
    for page, count in pages.items():
        assert_shown(client.get(page).content.decode(), address, count=count)
        raw = client.get(page, {"raw": "1"}).content.decode()
        assert raw.count("![a chart](b.png)") == count
        assert FORMULA not in raw


@pytest.mark.parametrize("document", [judging_document, writing_document])
def test_the_preview_of_a_draft_shows_images_and_typesets_formulas(client, document):
    draft = drafted(document())
    corpus = draft.corpus
    address = reverse("corpus_image", args=[corpus.slug, with_image(corpus)])
    client.force_login(rita())
    html = client.get(reverse("draft_page", args=[draft.pk, "page"])).content.decode()
    assert_shown(html, address, count=2)
    assert html.count("<script") == 1
    assert "data-katex" in html


def test_a_study_that_is_looked_at_shows_images(client):
    corpus = small_corpus(responses=2)
    address = reverse("corpus_image", args=[corpus.slug, with_image(corpus)])
    study = open_study(draft_study(instrument="crowdrag-pairwise", corpus=corpus))
    client.force_login(rita())
    html = client.get(reverse("study_page", args=[study.slug, study.version, "page"]))
    assert_shown(html.content.decode(), address, count=2)
