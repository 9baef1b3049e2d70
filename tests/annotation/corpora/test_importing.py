"""A corpus comes in as a whole, or not at all."""

import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from annotation.corpora.importing import ImportRefused, import_corpus
from annotation.corpora.readers import CorpusFile
from annotation.corpora.report import MOST_SHOWN
from annotation.corpora.schema import Kind
from annotation.models import Citation, Corpus, Passage, Ranking, Response, System, Topic
from tests.annotation.small_corpora import PASSAGE, RESPONSE, SYSTEM, TOPIC, as_jsonl, plain, write

pytestmark = [pytest.mark.storage, pytest.mark.django_db]

PASSAGES = [PASSAGE | {"passage": f"p{rank - 1}", "rank": rank} for rank in (1, 2, 3)]

OPTIONS = ("origin", "unknown_citations", "unknown_passages")


@pytest.fixture
def bring(tmp_path):
    """`bring(topics=[...], responses=[...])` imports these rows into the corpus `leaves`."""

    def bring(suffix=".jsonl", name="", **kinds):
        options = {key: kinds.pop(key) for key in OPTIONS if key in kinds}
        files = [write(tmp_path / f"{kind}{suffix}", rows) for kind, rows in kinds.items()]
        return import_corpus(slug="leaves", name=name, files=files, **options)

    return bring


@pytest.fixture
def refused(bring):
    """`refused(...)` imports the same way, and returns the bad lines of the refusal."""

    def refused(**kinds):
        before = contents()
        with pytest.raises(ImportRefused) as refusal:
            bring(**kinds)
        assert contents() == before
        return [str(line) for line in refusal.value.report.bad_lines]

    return refused


def contents():
    models = (Corpus, Topic, Passage, System, Ranking, Response, Citation)
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}


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
    assert stored.words == 6
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
    missing = "responses.jsonl:1: origin: is missing, and none was given for the whole upload"
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
WHOLE = {"topics": [TOPIC], "passages": PASSAGES, "systems": [SYSTEM], "responses": [RESPONSE]}


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
    (complaint,) = refused(**{kind: [row]})
    assert complaint.startswith(f"{kind}.jsonl:1: {field}: ")
    assert complaint.endswith(f"is there already with another {field}")


def test_what_a_row_does_not_state_is_not_compared(bring):
    bring(**WHOLE)
    bare = {name: value for name, value in PASSAGE.items() if name != "title"}
    assert bring(passages=[bare]).unchanged == {"passages": 1}


@pytest.mark.parametrize("kind", ["topics", "systems", "responses"])
@pytest.mark.parametrize("between", [0, 600])
def test_it_refuses_a_key_that_is_given_twice_in_a_batch_or_far_apart(refused, kind, between):
    row, key = WHOLE[kind][0], kind[:-1]
    others = [row | {key: f"x{number}"} for number in range(between)]
    complaints = refused(**WHOLE | {kind: [row, *others, row]})
    name = repr(row[key])
    assert complaints == [
        f"{kind}.jsonl:{between + 2}: {key}: {name} is given twice, first in {kind}.jsonl:1"
    ]


def test_it_refuses_a_passage_or_a_rank_that_is_given_twice_for_a_topic(bring, refused):
    again, other = PASSAGE | {"rank": 9}, PASSAGE | {"passage": "p9"}
    assert refused(topics=[TOPIC], passages=[PASSAGE, again, other]) == [
        "passages.jsonl:2: passage: 'p0' is given twice for the topic 't1',"
        " first in passages.jsonl:1",
        "passages.jsonl:3: rank: '1' is given twice for the topic 't1', first in passages.jsonl:1",
    ]
    bring(topics=[TOPIC, TOPIC | {"topic": "t2"}], passages=[PASSAGE, PASSAGE | {"topic": "t2"}])
    assert refused(passages=[other]) == ["passages.jsonl:1: rank: 1 is taken by the passage 'p0'"]


def test_a_key_given_in_two_files_is_refused(tmp_path):
    files = [write(tmp_path / name, [TOPIC]) for name in ("a.jsonl", "b.csv")]
    with pytest.raises(ImportRefused) as refusal:
        import_corpus(slug="leaves", name="", files=files)
    (line,) = refusal.value.report.bad_lines
    assert str(line) == "b.csv:2: topic: 't1' is given twice, first in a.jsonl:1"


def test_a_new_passage_may_not_renumber_what_is_cited(bring, refused):
    bring(topics=[TOPIC], passages=[PASSAGE | {"rank": 5}], responses=[plain(text="So [0].")])
    (complaint,) = refused(passages=[PASSAGE | {"passage": "p9", "rank": 2}])
    assert complaint.startswith("passages.jsonl:1: rank: 2 would renumber what the responses")
    bring(passages=[PASSAGE | {"passage": "p9", "rank": 6}])


def test_the_name_of_a_corpus_that_is_there_stays(bring, refused):
    bring(name="Leaves", topics=[TOPIC])
    bring(topics=[TOPIC])
    assert refused(name="Trees", topics=[TOPIC]) == [
        "corpus: name: is 'Leaves' for the corpus that is there, not 'Trees'"
    ]
    with pytest.raises(ImportRefused) as refusal:
        import_corpus(slug="not a slug", name="", files=[])
    assert refusal.value.report.bad_lines[0].field == "slug"


# -- Bad lines ---------------------------------------------------------------------------------
def test_a_citation_without_a_passage_is_refused(refused):
    response = plain(text="So [23], and [0], and [3, 23].")
    complaints = refused(topics=[TOPIC], passages=PASSAGES, responses=[response])
    assert complaints == [
        "responses.jsonl:1: text: response r1 cites [23], [3], but topic t1 has 3 passages (0-2)"
    ]
    complaints = refused(topics=[TOPIC], responses=[plain(text="[0]")])
    assert complaints == [
        "responses.jsonl:1: text: response r1 cites [0], but topic t1 has no passages"
    ]


def test_or_it_is_dropped_and_reported_if_the_caller_wants_that(bring):
    response = plain(text="So [23], and [1], and [0].")
    rows = {"topics": [TOPIC], "passages": PASSAGES, "responses": [response]}
    report = bring(**rows, unknown_citations="report")
    assert [str(warning) for warning in report.warnings] == [
        "responses.jsonl:1: text: response r1 cites [23], but topic t1 has 3 passages (0-2)"
    ]
    citations = Citation.objects.values_list("position", "passage__key")
    assert list(citations) == [(1, "p1"), (2, "p0")]


def test_it_names_every_bad_line_of_every_file_and_nothing_stays(refused):
    long = PASSAGE | {"passage": "p5", "rank": 5, "text": "a" * 5_000_000}
    complaints = refused(
        topics=as_jsonl([TOPIC]) + b'{"topic": \n{"topic": 1, "query": "q"}\n',
        passages=[PASSAGE, long, PASSAGE | {"topic": "t9"}],
        systems=[SYSTEM | {"name": "a\0b"}],
        responses=[plain(text="ok"), plain(response="r2", text="x", system="s9")],
    )
    assert complaints == [
        "topics.jsonl:2: is not JSON: Input data was truncated",
        "topics.jsonl:3: topic: must be text, not a number",
        "passages.jsonl:2: text: has 5,000,000 characters, at most 1,000,000 are allowed",
        "passages.jsonl:3: topic: 't9' is not there",
        "systems.jsonl:1: name: holds a NUL character, after 1 others",
        "responses.jsonl:2: system: 's9' is not there",
    ]


def test_one_bad_line_at_the_end_leaves_what_was_there_before(bring, refused):
    bring(**WHOLE)
    topics = [TOPIC | {"topic": f"t{number}"} for number in range(1_200)]
    (complaint,) = refused(topics=as_jsonl(topics) + b"nope\n")
    assert complaint.startswith("topics.jsonl:1201: is not JSON")


def test_it_shows_a_thousand_bad_lines_and_counts_all(bring):
    with pytest.raises(ImportRefused, match=r"into leaves: 1,500 lines are bad\.") as refusal:
        bring(topics=as_jsonl([TOPIC]) + b"nope\n" * 1_500)
    assert len(refusal.value.report.bad_lines) == MOST_SHOWN
    assert refusal.value.report.bad_line_count == 1_500


def test_a_retrieval_row_is_complained_of_once(refused):
    row = {"topic": "t", "query": "q", "references_ids": ["a", "b"], "references_texts": ["A", "B"]}
    twice = row | {"topic": "u", "references_ids": ["a", "a"]}
    complaints = refused(retrieval=[row, row, twice])
    assert [complaint.partition(" is given")[0] for complaint in complaints] == [
        "retrieval.jsonl:2: topic: 't'",
        "retrieval.jsonl:3: passage: 'a'",
    ]


def test_empty_missing_and_unknown_files_are_refused(tmp_path):
    files = [
        write(tmp_path / "empty.jsonl", b""),
        write(tmp_path / "empty.csv", b""),
        write(tmp_path / "colours.csv", b"colour\nred\n"),
        write(tmp_path / "x.xlsx", b""),
        CorpusFile(tmp_path / "gone.csv"),
    ]
    with pytest.raises(ImportRefused) as refusal:
        import_corpus(slug="leaves", name="", files=files)
    named = [line.file for line in refusal.value.report.bad_lines]
    assert sorted(named) == ["colours.csv", "empty.csv", "empty.jsonl", "gone.csv", "x.xlsx"]


def test_a_csv_file_with_a_header_alone_adds_nothing(tmp_path):
    file = write(tmp_path / "systems.csv", b"system,name\n")
    assert import_corpus(slug="leaves", name="", files=[file]).added == {}


# -- Any text, any size ------------------------------------------------------------------------
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])).filter(str.strip)


class AnyText(TestCase):
    pytestmark = [pytest.mark.storage]

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path):
        self.path = tmp_path

    @settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
    @given(text=texts, query=texts, suffix=st.sampled_from([".jsonl", ".csv"]))
    def test_any_text_is_stored_as_it_is_and_is_equal_to_itself(self, text, query, suffix):
        response = plain(text=text)
        files = [
            write(self.path / f"topics{suffix}", [TOPIC | {"query": query}]),
            write(self.path / f"responses{suffix}", [response]),
        ]
        for _ in range(2):
            import_corpus(slug="any", name="", files=files, unknown_citations="report")
        assert Topic.objects.get().query == query
        assert Response.objects.get().text == text


@pytest.mark.parametrize(
    "text",
    [
        "لماذا تتغير الأوراق؟ [0]",
        "\u202eעברית\u202c [0]",
        "🍁👩‍👩‍👧‍👦🏳️‍🌈 e\u0301 [0]",
        "🍁" * 999_990 + " [0]",
    ],
)
@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_right_to_left_and_emoji_text_comes_in_unharmed(bring, text, suffix):
    bring(suffix, topics=[TOPIC], passages=PASSAGES, responses=[plain(text=text)])
    assert Response.objects.get().text == text
    assert Citation.objects.get().passage.key == "p0"


def test_memory_stays_constant(tmp_path):
    peaks = {}
    for rows in (2_000, 20_000):
        topics = [TOPIC | {"topic": f"t{number}"} for number in range(rows // 20)]
        passages = (
            {"topic": f"t{number // 20}", "passage": f"p{number}", "rank": number % 20 + 1}
            | {"text": f"{number:09} " * 40}
            for number in range(rows)
        )
        files = [
            write(tmp_path / "topics.jsonl", topics),
            write(tmp_path / "passages.jsonl", b"".join(as_jsonl([row]) for row in passages)),
        ]
        tracemalloc.start()
        import_corpus(slug=f"c{rows}", name="", files=files)
        peaks[rows] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    # psycopg remembers how it took the last 128 statements apart: room for that, and no more.
    assert peaks[20_000] < peaks[2_000] + 1_000_000, peaks
    assert files[1].source.stat().st_size > 9_000_000


def test_progress_ends_where_the_files_end(tmp_path):
    file = write(tmp_path / "topics.jsonl.gz", [TOPIC | {"topic": str(n)} for n in range(1_200)])
    told = []
    import_corpus(slug="c", name="", files=[file], progress=lambda *args: told.append(args))
    assert [label for label, _ in told] == ["topics.jsonl.gz"] * 3
    assert told[-1][1] == file.source.stat().st_size


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
    assert Kind.RETRIEVAL not in report.added


# -- Rankings ----------------------------------------------------------------------------------
def ranked(system, *keys, **given):
    return [
        {"system": system, "topic": "t1", "passage": key, "rank": rank} | given
        for rank, key in enumerate(keys, start=1)
    ]


def orders():
    found = {}
    for system, key in Ranking.objects.values_list("system__key", "passage__key"):
        found.setdefault(system, []).append(key)
    return found


def test_several_systems_rank_one_pool_and_the_pool_keeps_its_order(bring):
    bring(topics=[TOPIC], passages=PASSAGES, systems=[SYSTEM])
    rankings = [*ranked("s1", "p2", "p0"), *ranked("bm25", "p0", "p1", "p2", score=None)]
    report = bring(rankings=rankings)
    assert report.added == {"systems": 1, "rankings": 5}
    assert orders() == {"s1": ["p2", "p0"], "bm25": ["p0", "p1", "p2"]}
    assert [passage.key for passage in Passage.objects.all()] == ["p0", "p1", "p2"]
    assert bring(rankings=rankings).unchanged == {"rankings": 5}


def test_a_run_of_trec_is_a_ranking(bring, tmp_path):
    run = tmp_path / "deep.run"
    run.write_bytes(
        b"t1 Q0 p0 9 1.5 bm25\nt1 Q0 p1 9 2 bm25\nt1 Q0 far 9 1.7 bm25\nt2 Q0 p 1 1 x\n"
    )
    bring(topics=[TOPIC], passages=PASSAGES)
    with pytest.raises(ImportRefused) as refusal:
        import_corpus(slug="leaves", name="", files=[CorpusFile(run)])
    assert [str(line) for line in refusal.value.report.bad_lines] == [
        "deep.run:3: passage: 'far' is not there",
        "deep.run:4: topic: 't2' is not there",
    ]
    assert not Ranking.objects.exists()
    report = import_corpus(
        slug="leaves", name="", files=[CorpusFile(run)], unknown_passages="report"
    )
    assert report.warning_count == 2
    assert list(Ranking.objects.values_list("passage__key", "rank", "score")) == [
        ("p1", 1, 2.0),
        ("p0", 3, 1.5),  # 2 is the passage that the pool lacks
    ]


@pytest.mark.parametrize(
    ("rankings", "complaint"),
    [
        (
            [*ranked("s1", "p1"), *ranked("s1", "p2")],
            "rankings.jsonl:2: rank: '1' stands twice in the ranking of 's1' for the topic 't1', "
            "first in rankings.jsonl:1",
        ),
        (
            ranked("s1", "p1", "p1"),
            "rankings.jsonl:2: passage: 'p1' stands twice in the ranking of 's1' for the topic "
            "'t1', first in rankings.jsonl:1",
        ),
        (ranked("s1", "p1"), "rankings.jsonl:1: rank: 1 is taken by the passage 'p0'"),
        (
            ranked("s1", "p0", score=2.0),
            "rankings.jsonl:1: score: 'p0' is there already with another score",
        ),
    ],
)
def test_a_ranking_has_one_passage_at_each_rank(bring, refused, rankings, complaint):
    bring(topics=[TOPIC], passages=PASSAGES, rankings=ranked("s1", "p0", score=1.0))
    assert complaint in refused(rankings=rankings)


def test_passages_without_a_rank_come_behind_the_others_in_their_order(bring):
    unranked = [PASSAGE | {"passage": key} for key in ("x", "y")]
    for passage in unranked:
        del passage["rank"]
    bring(topics=[TOPIC], passages=[*unranked, *PASSAGES])
    assert [passage.key for passage in Passage.objects.all()] == ["p0", "p1", "p2", "x", "y"]
    bring(passages=[PASSAGE | {"passage": "z", "rank": None}])
    assert Passage.objects.get(key="z").rank == 6
    assert bring(passages=unranked).unchanged == {"passages": 2}


# -- RAGElo ------------------------------------------------------------------------------------
QUERIES = b"qid,query\r\nq1,why?\r\nq2,how?\r\n"
DOCUMENTS = b'qid,did,document\r\nq1,d2,Sugar.\r\nq1,d1,"Light, red"\r\n'
ANSWERS = b"qid,agent,answer\r\nq1,RAG,Sugar [0].\r\nq1,RAGF,Light [1].\r\nq2,RAG,So.\r\n"


def test_the_three_files_of_ragelo_are_a_corpus(bring):
    files = {"answers": ANSWERS, "documents": DOCUMENTS, "queries": QUERIES}
    report = bring(suffix=".csv", origin="llm", **files)
    assert report.added == {"topics": 2, "passages": 2, "systems": 2, "responses": 3}
    assert list(Passage.objects.values_list("key", "rank", "text")) == [
        ("d2", 1, "Sugar."),
        ("d1", 2, "Light, red"),
    ]
    assert list(Response.objects.values_list("key", "system__key", "style", "origin", "text")) == [
        ("q1/RAG", "RAG", "free", "llm", "Sugar [0]."),
        ("q1/RAGF", "RAGF", "free", "llm", "Light [1]."),
        ("q2/RAG", "RAG", "free", "llm", "So."),
    ]
    again = bring(suffix=".csv", origin="llm", **files)
    assert (again.added, again.unchanged["responses"]) == ({}, 3)


def test_what_is_wrong_with_a_file_of_ragelo_is_named(bring, refused):
    bring(suffix=".csv", queries=QUERIES)
    twice = ANSWERS + b"q1,RAG,Again.\r\nq3,RAG,Nobody asked.\r\n"
    found = refused(suffix=".csv", origin="llm", answers=twice, documents=DOCUMENTS)
    assert found == [
        "answers.csv:5: response: 'q1/RAG' is given twice, first in answers.csv:2",
        "answers.csv:6: topic: 'q3' is not there",
    ]
