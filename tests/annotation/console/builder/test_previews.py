"""The pages of a draft are those that a worker gets of its study, and nothing is made for them."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from annotation.console.builder import previews
from annotation.fieldwork.pages import worker_views
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, Corpus, Study, Worker
from annotation.studies import batching
from annotation.studies.drafts.kinds import kind_of, registered_kinds
from annotation.studies.drafts.making import document_of_methods
from annotation.studies.drafts.schema import Document, Retention
from judging.answering import views as judging_views
from judging.instruments.files import available
from judging.simulation.filling import fill_rest
from tests.cast import NOW, in_sections, small_corpus
from writing.editor import drafting
from writing.editor import views as writing_views

pytestmark = pytest.mark.django_db
MOST_QUERIES = 9  # corpus, topic, texts, passages, parts, citations, section, answers, review
OURS = (  # what differs from work to work
    (r"/w/[\w-]+/", "/w/…/"),
    (r'data-token="[^"]+"', ""),
    (r'(data-number|name="request_number" value)="\d{6,}"', ""),
    (r'\n *(?:data-kept)? *(?:data-following="[^"]+")?\n', "\n"),  # a preview keeps no page
)


def corpus_of_one_topic() -> Corpus:
    """No larger than what a draft shows of it."""
    corpus = small_corpus(responses=5)
    topic = corpus.topics.get()
    for rank in (1, 2):
        topic.passages.create(key=f"p{rank}", rank=rank, text=f"Passage {rank} about lamps.")
    for response in topic.responses.all():
        in_sections(response)
    return corpus


def document_with(*methods: str, kind: str = "judging", language: str = "en") -> Document:
    of_kind = registered_kinds()[kind]
    document = document_of_methods(
        kind=kind,
        instruments=[of_kind.load(method, language) for method in methods],
        title="Lamps",
        corpus=corpus_of_one_topic(),
        language=language,
    )
    return msgspec.structs.replace(document, contact="Rita, rita@example.org")


def request() -> HttpRequest:
    asked = RequestFactory().get("/")
    asked.user = User(username="rita", is_superuser=True)
    return asked


def made_pages(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the pages of the first worker of the study that the document makes."""
    kind = kind_of(document.kind)
    corpus = Corpus.objects.get(slug=document.corpus)
    small = kind.in_small(document)
    study = kind.write(document=small, corpus=corpus, user=None, new_version=False)
    study = batching.launch(study=study, now=NOW)
    worker = Worker.objects.create(platform="preview", pseudonym="preview", external_id=b"")
    work = assigning.claim(study=study, worker=worker, now=NOW)
    for screen in previews.screens_of(kind):
        with translation.override(document.language):
            yield screen.key, compared(_made(work, screen.key))


def _made(work: Assignment, screen: str) -> HttpResponse:
    """Return the answer of the worker's own address."""
    if screen == "consent":
        return worker_views.work(request(), token=work.token)
    assigning.begin(assignment=work, now=NOW)
    if screen == "instructions":
        return worker_views.instructions(request(), token=work.token)
    if work.study.kind == Study.Kind.JUDGING:
        if screen == "finish":  # as it is where nothing is open any more
            work.study.purpose = Study.Purpose.TRIAL  # of others nothing is filled
            fill_rest(assignment=work, now=NOW)
            return judging_views.finish(request(), token=work.token)
        return judging_views.item(request(), token=work.token, position=1)
    if screen == "entry":
        return writing_views.entry(request(), token=work.token)
    drafting.acknowledge(assignment=work, now=NOW, answers={})
    if screen == "finish":
        return writing_views.finish(request(), token=work.token)
    return writing_views.write(request(), token=work.token)


def compared(response: HttpResponse) -> str:
    html = previews.without_scripts(response).text
    for pattern, said in OURS:
        html = re.sub(pattern, said, html)
    return html


def looked_at(page: Callable[..., HttpResponse], **of: Any) -> str:
    """Return a page, which makes a few queries and writes nothing."""
    with CaptureQueriesContext(connection) as asked:
        response = page(**of, request=request())
    queries = [each["sql"] for each in asked]
    assert len(queries) <= MOST_QUERIES, queries
    assert all(query.startswith("SELECT") for query in queries), queries
    return compared(response)


def require_as_made(document: Document) -> None:
    """Check that the draft's pages equal those of its launched study."""
    screens = [screen.key for screen in previews.screens_of(kind_of(document.kind))]
    shown = {key: looked_at(previews.page, document=document, screen=key) for key in screens}
    assert not Study.every.exists()
    made = dict(made_pages(document))
    assert shown == made
    study = Study.objects.get()
    for key in screens:
        assert looked_at(previews.page_of, study=study, screen=key) == made[key]


@pytest.mark.parametrize("method", available())
def test_the_pages_of_a_method_are_those_of_its_study(method: str) -> None:
    require_as_made(document_with(method))


def test_the_pages_of_writers_are_those_of_their_study() -> None:
    require_as_made(document_with("crowdrag-writing", kind="writing"))


@pytest.mark.parametrize("kind", ["judging", "writing"])
def test_the_pages_speak_the_language_of_the_study(kind: str) -> None:
    method = {"judging": "crowdrag-pairwise", "writing": "crowdrag-writing"}[kind]
    document = document_with(method, kind=kind, language="de")
    require_as_made(document)
    page = looked_at(previews.page, document=document, screen="consent")
    assert "Einwilligung" in page


@pytest.mark.parametrize("one_page", [True, False])
def test_the_pages_of_several_methods_are_those_of_their_study(one_page: bool) -> None:
    document = document_with("crowdrag-pairwise", "statement-support", "direct-quality")
    design = msgspec.structs.replace(document.design, one_page=one_page)
    require_as_made(msgspec.structs.replace(document, design=design))


def test_a_topic_with_more_texts_takes_no_more_queries() -> None:
    document = document_with("crowdrag-pairwise")
    with CaptureQueriesContext(connection) as few:
        previews.page(document=document, screen="page", request=request())
    small_corpus(slug="more", topics=5, responses=8)
    document = msgspec.structs.replace(document, corpus="more")
    with CaptureQueriesContext(connection) as many:
        previews.page(document=document, screen="page", request=request())
    assert len(few) == len(many) == 5


def test_the_consent_of_a_draft_has_the_dates_that_its_people_will_read() -> None:
    document = document_with("crowdrag-pairwise")
    kept = Retention(platform_ids_until=date(2031, 12, 31))
    dated = msgspec.structs.replace(document, retention=kept)
    said = "erased by 31 December 2031"
    for each, there in ((document, False), (dated, True)):
        page = previews.page(document=each, screen="consent", request=request()).text
        assert (said in page) is there
