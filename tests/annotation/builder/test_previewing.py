"""The pages of a draft are those that a worker gets of its study, and nothing is made for them."""

import re
from collections.abc import Iterator

import msgspec
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from annotation.builder import previewing
from annotation.drafts.kinds import kind_of, known
from annotation.drafts.making import document_of_methods
from annotation.drafts.schema import Document
from annotation.models import Assignment, Corpus, Study, Worker
from annotation.studies import batching
from annotation.work import assigning, worker_views
from judging.instruments.files import available
from tests.cast import NOW, in_sections, small_corpus

pytestmark = pytest.mark.django_db
MOST_QUERIES = 9  # corpus, topic, texts, passages, parts, citations, section, answers, review
OURS = (  # what differs from work to work
    (r"/w/[\w-]+/", "/w/…/"),
    (r'data-token="[^"]+"', ""),
    (r'(data-number|name="request_number" value)="\d{6,}"', ""),
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
    of_kind = known()[kind]
    document = document_of_methods(
        kind=kind,
        instruments=[of_kind.load(each, language) for each in methods],
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
    """The pages of the first worker of the study that the document makes."""
    kind = kind_of(document.kind)
    corpus = Corpus.objects.get(slug=document.corpus)
    small = kind.in_small(document)
    study = kind.write(document=small, corpus=corpus, user=None, new_version=False)
    study = batching.launch(study=study, now=NOW)
    worker = Worker.objects.create(platform="preview", pseudonym="preview", external_id=b"")
    work = assigning.claim(study=study, worker=worker, now=NOW)
    for screen in previewing.screens_of(kind):
        with translation.override(document.language):
            yield screen.key, compared(_made(study, work, screen.key))


def _made(study: Study, work: Assignment, screen: str) -> HttpResponse:
    if screen == "consent":
        return worker_views.work(request(), token=work.token)
    assigning.begin(assignment=work, now=NOW)
    if screen == "instructions":
        return worker_views.instructions(request(), token=work.token)
    return kind_of(study.kind).show(work, screen, request())


def compared(response: HttpResponse) -> str:
    html = previewing.without_scripts(response).text
    for pattern, said in OURS:
        html = re.sub(pattern, said, html)
    return html


def imagined(document: Document, screen: str) -> str:
    """The page of the draft; it asks a few queries, and none of them writes."""
    with CaptureQueriesContext(connection) as asked:
        page = previewing.page(document=document, screen=screen, request=request())
    queries = [each["sql"] for each in asked]
    assert len(queries) <= MOST_QUERIES, queries
    assert all(each.startswith("SELECT") for each in queries), queries
    return compared(page)


def require_as_made(document: Document) -> None:
    shown = {
        screen.key: imagined(document, screen.key)
        for screen in previewing.screens_of(kind_of(document.kind))
    }
    assert not Study.every.exists()
    assert shown == dict(made_pages(document))


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
    assert "Einwilligung" in imagined(document, "consent")


@pytest.mark.parametrize("one_page", [True, False])
def test_the_pages_of_several_methods_are_those_of_their_study(one_page: bool) -> None:
    document = document_with("crowdrag-pairwise", "statement-support", "direct-quality")
    design = msgspec.structs.replace(document.design, one_page=one_page)
    require_as_made(msgspec.structs.replace(document, design=design))


def test_a_topic_with_more_texts_takes_no_more_queries() -> None:
    document = document_with("crowdrag-pairwise")
    with CaptureQueriesContext(connection) as few:
        previewing.page(document=document, screen="page", request=request())
    small_corpus(slug="more", topics=5, responses=8)
    document = msgspec.structs.replace(document, corpus="more")
    with CaptureQueriesContext(connection) as many:
        previewing.page(document=document, screen="page", request=request())
    assert len(few) == len(many) == 5
