"""The three files of RAGElo: our importer reads from them what the corpus has."""

import re
from io import BytesIO

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.exports.catalogue import offered
from analysis.exports.exporting import stream
from analysis.exports.games import GAMES_OF, measure_of
from analysis.exports.source import ExportSource
from analysis.replication.ragelo.games import GAMES, read_games
from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.importing import import_corpus
from annotation.models import Corpus, Passage, Response
from tests.analysis.coded_errors import cannot_export
from tests.cast import bob, small_corpus, small_study, submitted

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

FILES = ("ragelo_queries.csv", "ragelo_documents.csv", "ragelo_answers.csv")
TEXTS = st.text(st.sampled_from("'\"=-+@; \t\r\na1[0]＝"), min_size=1, max_size=12).filter(
    lambda text: text.replace("[0]", "").strip()  # a blank one is no text
)


def study_of(**texts):
    """Two systems have answered one topic with two passages."""
    corpus = small_corpus(responses=2)
    for key, text in (("d2", "- Sugar."), ("d1", 'Light, "red"\n=1+1')):
        topic = corpus.topics.get()
        topic.passages.create(key=key, rank=topic.passages.count() + 1, text=text)
    for response in Response.objects.all():
        name = {"a": "RAG", "b": "-RAGF"}[response.key[-1]]
        response.system = corpus.systems.create(key=name, name=name)
        response.text = texts.get(name.strip("-"), "- So.\n- Sugar [0], light [1].")
        response.save()
    return small_study(corpus=corpus)


def exported(study, ending=".csv"):
    source = ExportSource.of(study)
    names = [name.replace(".csv", ending) for name in FILES]
    return {name: b"".join(stream(source=source, name=name)) for name in names}


def brought(files):
    sent = [CorpusFile(BytesIO(content), name=name) for name, content in files.items()]
    return import_corpus(slug="again", name="", files=sent, origin="llm")


def contents(slug):
    """Return RAGElo's content of a corpus."""
    corpus = Corpus.objects.get(slug=slug)
    passages = Passage.objects.filter(topic__corpus=corpus).order_by("rank")
    return (
        list(corpus.topics.values_list("key", "query")),
        list(passages.values_list("topic__key", "key", "rank", "text")),
        sorted(corpus.responses.values_list("topic__key", "system__key", "text")),
    )


def test_what_they_say_comes_in_without_a_difference():
    study = study_of()
    files = exported(study)
    brought(files)
    assert contents("again") == contents("lamps")
    cited = Response.objects.filter(corpus__slug="again").first().citations
    assert list(cited.values_list("passage__key", flat=True)) == ["d2", "d1"]


@pytest.mark.parametrize("ending", [".csv", ".excel.csv"])
@given(text=TEXTS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_text_begins_with_it_comes_back(ending, text):
    with transaction.atomic():
        # A number in brackets cites a passage; those that are not there are refused.
        study = study_of(RAG=re.sub(r"\[\s*\d", "(", text))
        brought(exported(study, ending))
        assert contents("again") == contents("lamps")
        transaction.set_rollback(True)


def test_other_programs_read_the_texts_as_they_are():
    lines = exported(study_of())["ragelo_answers.csv"].decode().split("\r\n")
    assert lines[0] == "qid,agent,answer"
    assert lines[1].startswith('t1,-RAGF,"- So.\n- Sugar')


def test_texts_of_no_system_are_no_answers():
    with cannot_export("no_system_answers"):
        exported(small_study(responses=2))


def test_two_answers_of_a_system_to_a_query_are_refused():
    study = study_of()
    first, second = Response.objects.all()
    Response.objects.filter(pk=first.pk).update(system=second.system)
    with cannot_export("several_answers", match="'t1'"):
        exported(study)


def test_pairs_with_documents_in_view_are_games_too(tmp_path):
    corpus = small_corpus(responses=2)
    corpus.topics.get().passages.create(key="p1", rank=1, text="Light.")
    for response in Response.objects.all():
        name = f"system-{response.key[-1]}"
        response.system = corpus.systems.create(key=name, name=name)
        response.save()
    study = small_study(corpus=corpus, instrument="documents-pairwise")
    assert measure_of(study).kind in GAMES_OF
    submitted(study, bob())
    (tmp_path / GAMES).write_bytes(b"".join(stream(source=ExportSource.of(study), name=GAMES)))
    (game,) = read_games(tmp_path).frame.itertuples(index=False, name=None)
    assert game[:3] == ("t1", "system-a", "system-b")


def test_they_are_offered_where_systems_have_answered():
    assert set(FILES) <= set(offered(ExportSource.of(study_of())))


def test_they_are_not_where_none_has():
    assert not set(FILES) & set(offered(ExportSource.of(small_study(responses=2))))
