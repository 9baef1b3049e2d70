"""A corpus comes in as a whole, or not at all."""

import re

import pytest

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.importing import ImportRefused, import_corpus
from annotation.corpora.schema import RowKind
from annotation.models import Citation, Passage, Response, System, Topic
from tests.annotation.corpora.small_corpora import (
    PASSAGE,
    PASSAGES,
    RESPONSE,
    SYSTEM,
    TOPIC,
    WHOLE,
    contents,
    plain,
    write,
)
from tests.hooks import outlined

pytestmark = [pytest.mark.storage, pytest.mark.django_db]


def counts():
    return [m.objects.count() for m in (Topic, Passage, System, Response, Citation)]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".csv", ".csv.gz"])
def test_it_brings_a_whole_corpus_whatever_the_order_of_the_files(bring, suffix):
    response = RESPONSE | {"text": "Sugar [2, 0], no light [1][2]."}
    report = bring(
        suffix, "Leaves", responses=[response], passages=PASSAGES, systems=[SYSTEM], topics=[TOPIC]
    )
    assert report.added == {"topics": 1, "passages": 3, "systems": 1, "responses": 1}
    assert report.unchanged == {}
    stored = Response.objects.get()
    assert (stored.corpus.slug, stored.corpus.name) == ("leaves", "Leaves")
    assert (stored.key, stored.topic.key, stored.system.key) == ("r1", "t1", "s1")
    assert (stored.style, stored.origin, stored.text) == ("essay", "human", response["text"])
    assert stored.words == 3
    citations = stored.citations.values_list("position", "passage__key")
    assert list(citations) == [(1, "p2"), (2, "p0"), (3, "p1"), (4, "p2")]


def test_it_reads_the_demo_corpus(settings):
    folder = settings.BASE_DIR / "annotation" / "demo"
    files = [CorpusFile(path) for path in sorted(folder.glob("*.jsonl"))]
    report = import_corpus(slug="demo", name="Demo", files=files)
    assert report.added == {"topics": 5, "passages": 40, "systems": 3, "responses": 30}
    assert Citation.objects.count() > 30


def test_citations_count_the_passages_by_rank_not_by_number_of_the_rank(bring):
    passages = [PASSAGE | {"passage": f"p{rank}", "rank": rank} for rank in (30, 10, 20)]
    bring(topics=[TOPIC], passages=passages, responses=[plain(text="[0] [1] [2]")])
    ranks = Citation.objects.values_list("passage__rank", flat=True)
    assert list(ranks) == [10, 20, 30]


def test_crowdrag_rows_are_understood_with_an_origin_from_the_caller(bring, refused):
    retrieval = {
        "topic": "t1",
        "query": "why?",
        "references_ids": ["a", "b"],
        "references_texts": ["A.", "B."],
    }
    response = {"response": "r1", "topic": "t1", "style": "news", "text": "So [1]."}
    missing = "responses.jsonl:1: origin: is missing"
    assert refused(retrieval=[retrieval], responses=[response]) == [missing]
    report = bring(responses=[response], retrieval=[retrieval], origin="llm")
    assert report.added == {"topics": 1, "passages": 2, "responses": 1}
    assert Response.objects.get().origin == "llm"
    assert Response.objects.get().cited.get().key == "b"


def test_a_response_that_states_no_origin_has_that_of_its_system(bring):
    response = {name: value for name, value in RESPONSE.items() if name != "origin"}
    bring(topics=[TOPIC], passages=PASSAGES, systems=[SYSTEM], responses=[response], origin="human")
    assert Response.objects.get().origin == "llm"


# -- Again, and otherwise ----------------------------------------------------------------------


def test_the_same_upload_again_changes_nothing(bring):
    bring(**WHOLE)
    before = contents()
    report = bring(**WHOLE)
    assert contents() == before
    assert report.added == {}
    assert report.unchanged == {"topics": 1, "passages": 3, "systems": 1, "responses": 1}


def test_a_later_upload_adds_to_what_is_there(bring):
    bring(**WHOLE)
    report = bring(
        topics=[TOPIC, TOPIC | {"topic": "t2"}], responses=[plain(response="r2", text="Light [2].")]
    )
    assert report.added == {"topics": 1, "responses": 1}
    assert report.unchanged == {"topics": 1}


@pytest.mark.parametrize(
    ("kind", "row", "field"),
    [
        ("topics", TOPIC | {"query": "when?"}, "query"),
        ("topics", TOPIC | {"description": "in autumn"}, "description"),
        ("passages", PASSAGE | {"text": "Salt."}, "text"),
        ("passages", PASSAGE | {"title": "Roots"}, "title"),
        ("passages", PASSAGE | {"rank": 9}, "rank"),
        ("systems", SYSTEM | {"name": "Pipeline B"}, "name"),
        ("responses", RESPONSE | {"text": "Because [1]."}, "text"),
        ("responses", RESPONSE | {"style": "news"}, "style"),
        ("responses", RESPONSE | {"origin": "llm"}, "origin"),
    ],
)
def test_it_refuses_another_content_for_a_key_that_is_there(bring, refused, kind, row, field):
    bring(**WHOLE)
    old = row[kind[:-1]]
    complaints = refused(**{kind: [row]})
    assert outlined(complaints, f"{kind}.jsonl:1: {field}: … {old!r} … different {field}")


def test_what_a_row_does_not_state_is_not_compared(bring):
    bring(**WHOLE)
    bare = {name: value for name, value in PASSAGE.items() if name != "title"}
    assert bring(passages=[bare]).unchanged == {"passages": 1}


@pytest.mark.parametrize("kind", ["topics", "systems", "responses"])
@pytest.mark.parametrize("between", [0, 600])
def test_it_refuses_a_key_that_is_given_twice_in_a_batch_or_far_apart(refused, kind, between):
    row, key = WHOLE[kind][0], kind[:-1]
    others = [row | {key: f"x{number}"} for number in range(between)]
    text = {"topics": "query", "systems": "name", "responses": "text"}[kind]
    complaints = refused(**WHOLE | {kind: [row, *others, row | {text: "Other."}]})
    place = f"{kind}.jsonl:{between + 2}: {key}: {row[key]!r}"
    assert outlined(complaints, f"{place} … duplicate … {kind}.jsonl:1")


def test_it_refuses_a_passage_or_a_rank_that_is_given_twice_for_a_topic(bring, refused):
    again, other = PASSAGE | {"rank": 9}, PASSAGE | {"passage": "p9"}
    assert outlined(
        refused(topics=[TOPIC], passages=[PASSAGE, again, other]),
        "passages.jsonl:2: passage: 'p0' … duplicate … topic 't1' … passages.jsonl:1",
        "passages.jsonl:3: rank: '1' … duplicate … topic 't1' … passages.jsonl:1",
    )
    bring(topics=[TOPIC, TOPIC | {"topic": "t2"}], passages=[PASSAGE, PASSAGE | {"topic": "t2"}])
    assert outlined(refused(passages=[other]), "passages.jsonl:1: rank: 1 … passage 'p0'")


def test_a_key_given_in_two_files_is_refused(tmp_path):
    files = [
        write(tmp_path / "a.jsonl", [TOPIC]),
        write(tmp_path / "b.csv", [TOPIC | {"query": "how?"}]),
    ]
    with pytest.raises(ImportRefused) as refusal:
        import_corpus(slug="leaves", name="", files=files)
    (line,) = refusal.value.report.bad_lines
    assert re.match(r"b\.csv:2: topic: 't1' .*\ba\.jsonl:1$", str(line))


def test_a_new_passage_may_not_renumber_what_is_cited(bring, refused):
    bring(topics=[TOPIC], passages=[PASSAGE | {"rank": 5}], responses=[plain(text="So [0].")])
    complaints = refused(passages=[PASSAGE | {"passage": "p9", "rank": 2}])
    assert outlined(complaints, "passages.jsonl:1: rank: 2 … citations")
    bring(passages=[PASSAGE | {"passage": "p9", "rank": 6}])


def test_the_name_of_a_corpus_that_is_there_stays(bring, refused):
    bring(name="Leaves", topics=[TOPIC])
    bring(topics=[TOPIC])
    complaints = refused(name="Trees", topics=[TOPIC])
    assert outlined(complaints, "corpus: name: … 'Leaves' … not 'Trees'")
    with pytest.raises(ImportRefused) as refusal:
        import_corpus(slug="not a slug", name="", files=[])
    assert refusal.value.report.bad_lines[0].field == "slug"


# -- The Crowd RAG Corpus 2025 -----------------------------------------------------------------
@pytest.mark.corpus
def test_it_reads_the_crowd_rag_corpus(corpus_dir):
    names = ("study1_responses_llm.jsonl.gz", "study1_retrieval.jsonl.gz")
    files = [CorpusFile(corpus_dir / name) for name in names]
    report = import_corpus(slug="crowdrag25", name="", files=files, origin="llm")
    assert report.added == {"topics": 301, "passages": 6_020, "responses": 903}
    assert counts() == [301, 6_020, 0, 903, 11_264]
    again = import_corpus(slug="crowdrag25", name="", files=files, origin="llm")
    assert again.unchanged == report.added
    assert RowKind.RETRIEVAL not in report.added
