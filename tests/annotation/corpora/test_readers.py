"""What a corpus file looks like, and what is said of a line that does not."""

import gzip
import io
import json
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.readers import MOST_BYTES, UnreadableFile, reading, with_kind
from annotation.corpora.schema import BadLine, RowKind
from tests.annotation.corpora.small_corpora import (
    PASSAGE,
    RESPONSE,
    SYSTEM,
    TOPIC,
    as_csv,
    as_jsonl,
    complaints,
    read,
    write,
)
from tests.hooks import outlined

RETRIEVAL = {
    "topic": "t1",
    "query": "why?",
    "references_ids": ["p0", "p1"],
    "references_texts": ["Sugar.", "Light."],
}
RANKING = {"system": "s1", "topic": "t1", "passage": "p0", "rank": 1, "score": 2.5}
EXAMPLES = {
    RowKind.RANKINGS: RANKING,
    RowKind.QUERIES: {"qid": "q1", "query": "why?"},
    RowKind.DOCUMENTS: {"qid": "q1", "did": "d1", "document": "Sugar."},
    RowKind.ANSWERS: {"qid": "q1", "agent": "RAG", "answer": "Because of sugar."},
    RowKind.TABLE: {"question": "why?", "answer": "Because of sugar.", "system": "RAG"},
    RowKind.TOPICS: TOPIC,
    RowKind.PASSAGES: PASSAGE,
    RowKind.SYSTEMS: SYSTEM,
    RowKind.RESPONSES: RESPONSE,
    RowKind.RAG_TOPICS: {"id": "1", "title": "why?", "narrative": "I want to know."},
}
# In JSONL alone, or of several kinds: tested elsewhere.
OF_LISTS = (
    *(RowKind.RETRIEVAL, RowKind.SUMMARIES, RowKind.RAG_ANSWERS, RowKind.PASSAGE_TABLE),
    RowKind.ANSWERED_TOPICS,
)
SUFFIXES = [".jsonl", ".jsonl.gz", ".csv", ".csv.gz"]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kind", [kind for kind in RowKind if kind not in OF_LISTS])
def test_it_reads_each_kind_in_each_format(tmp_path, kind, suffix):
    file = write(tmp_path / f"x{suffix}", [EXAMPLES[kind]])
    assert with_kind(file).kind is kind
    (line,) = read(file)
    assert {name: getattr(line.row, name) for name in EXAMPLES[kind]} == EXAMPLES[kind]
    assert (line.file, line.number) == (f"x{suffix}", 2 if "csv" in suffix else 1)


def test_a_retrieval_row_is_a_topic_and_its_ranked_passages(tmp_path):
    (line,) = read(write(tmp_path / "x.jsonl", [RETRIEVAL]))
    assert line.row.topic_row().query == "why?"
    passages = line.row.passage_rows()
    assert [(row.rank, row.passage, row.text) for row in passages] == [
        (1, "p0", "Sugar."),
        (2, "p1", "Light."),
    ]


def test_a_byte_order_mark_and_blank_lines_are_no_content(tmp_path):
    marked = b"\xef\xbb\xbf" + as_jsonl([TOPIC]) + b"\r\n  \n" + as_jsonl([TOPIC])
    assert [line.number for line in read(write(tmp_path / "x.jsonl", marked))] == [1, 4]
    marked = b"\xef\xbb\xbf" + as_csv([TOPIC]) + b"\r\n"
    assert [line.number for line in read(write(tmp_path / "x.csv", marked))] == [2]


def test_an_open_file_is_read_from_its_start_and_left_open():
    stream = io.BytesIO(as_jsonl([TOPIC]))
    file = CorpusFile(stream, name="upload.jsonl")
    assert with_kind(file).kind is RowKind.TOPICS
    assert len(read(file)) == len(read(file)) == 1
    assert not stream.closed


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"{nope", "… JSON … character 2 … 'nope'"),
        (b'{"topic": "t"', "… JSON … incomplete"),
        (b'{"topic": "t", "query": "q"} x', "… JSON … character 30 … 'x'"),
        (b'{"topic": "t", "query": 1e999999}', "query: … text … decimal"),
        (b'["t"]', "… object … list"),
        (b'{"topic": 7.5, "query": "q"}', "topic: … text … decimal"),
        (b'{"topic": "t", "query": null}', "query: … text … nothing"),
        (b'{"topic": "t"}', "query: … missing"),
        (
            b'{"topic": "t", "query": "q", "desription": ""}',
            "desription: … topics … topic, query, description, messages",
        ),
        (b'{"topic": "", "query": "q"}', "topic: … empty"),
        (b'{"topic": "t", "query": " \\n\\t"}', "query: … empty"),
        (b'{"topic": "%s", "query": "q"}' % (b"t" * 201), "topic: … 201 … 200"),
        (b'{"topic": "t", "query": "\xff"}', "… UTF-8"),
        (b'{"topic": "t", "query": "a\x00b"}', "… NUL byte … 26"),
        (b'{"topic": "t", "query": "a\\u0000b"}', "query: … NUL character … 1"),
        (b'{"topic": "t", "query": "\\ud83c, alone"}', r"… JSON … \ud83c"),
        (b"[" * 100_000, "… nested"),
    ],
)
def test_it_names_what_is_wrong_with_a_json_line_and_reads_on(tmp_path, line, complaint):
    file = write(tmp_path / "x.jsonl", as_jsonl([TOPIC]) + line + b"\n" + as_jsonl([TOPIC]))
    assert outlined(complaints(file, RowKind.TOPICS), f"x.jsonl:2: {complaint}")
    assert len(read(file, RowKind.TOPICS)) == 3


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"rank": "first"}, "rank: … 1 … 2,147,483,647 … text"),
        ({"rank": -1}, "rank: … 1 … 2,147,483,647 … -1"),
        ({"rank": 1.5}, "rank: … 1 … 2,147,483,647 … decimal"),
        ({"rank": True}, "rank: … 1 … 2,147,483,647 … true"),
        ({"rank": 0, "ranks_from": 1}, "rank: … 0 … from 1"),
        ({"ranks_from": 2}, "ranks_from: … 0 or 1 … '2'"),
        ({"rank": 10**12}, "rank: … 1 … 2,147,483,647 … 1000000000000"),
        ({"passage": "p" * 301}, "passage: … 301 … 300"),
        ({"text": []}, "text: … text … list"),
        ({"title": "a\0b"}, "title: … NUL character"),
    ],
)
def test_it_refuses_a_passage_outside_its_limits(tmp_path, change, complaint):
    found = complaints(write(tmp_path / "x.jsonl", [PASSAGE | change]))
    assert outlined(found, f"x.jsonl:1: {complaint}")


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"style": "poem"}, "style: … bullet … essay … news … free … 'poem'"),
        ({"origin": "robot"}, "origin: … human … llm … 'robot'"),
        ({"text": "a", "is_empty": True}, "is_empty: … true … text"),
        ({"text": "a" * 5_000_000}, "text: … 5,000,000 … 1,000,000"),
    ],
)
def test_it_refuses_a_response_outside_its_limits(tmp_path, suffix, change, complaint):
    file = write(tmp_path / f"x{suffix}", [RESPONSE | change])
    line = 1 if suffix == ".jsonl" else 2
    assert outlined(complaints(file), f"x{suffix}:{line}: {complaint}")


@pytest.mark.parametrize("character", ["a", "\n", "é", "中", "🍁"])
def test_the_longest_text_is_taken_however_it_is_written(tmp_path, character):
    row = RESPONSE | {"text": "x" + character * 999_999}
    escaped = json.dumps(row).encode()
    for name, content in (("a.jsonl", escaped), ("b.jsonl", [row]), ("c.csv", [row])):
        (line,) = read(write(tmp_path / name, content))
        assert line.row.text == row["text"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"references_ids": ["p0"]}, "references_texts: … 2 texts … 1 references_ids"),
        ({"references_texts": "p0"}, "references_texts: … list … not text"),
        ({"references_ids": ["p0", 3]}, "references_ids[1]: … text … number"),
        ({"references_texts": ["Sugar.", " "]}, "references_texts[1]: … empty"),
        ({"references_ids": ["a\0", "p1"]}, "references_ids[0]: … NUL character … 1"),
    ],
)
def test_it_refuses_lists_that_are_not_aligned(tmp_path, change, complaint):
    found = complaints(write(tmp_path / "x.jsonl", [RETRIEVAL | change]))
    assert outlined(found, f"x.jsonl:1: {complaint}")


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        (b"t,q,d,e", "… 4 cells … 3"),
        (b"t", "… 1 cells … 3"),
        (b'"t"x,q,d', "… text … quotation mark"),
        (b"t,\xff,d", "… UTF-8"),
        (b"t,a\x00b,d", "query: … NUL character … 1"),
        (b"t,,d", "query: … empty"),
    ],
)
def test_it_names_what_is_wrong_with_a_csv_record_and_reads_on(tmp_path, record, complaint):
    header = b'topic,query,description\nt0,"two\nlines",d\n'
    file = write(tmp_path / "x.csv", header + record + b"\nt2,q,d\n")
    assert outlined(complaints(file), f"x.csv:4: {complaint}")
    assert [getattr(line, "number", "bad") for line in read(file)] == [2, "bad", 5]


@pytest.mark.parametrize(
    ("header", "complaint"),
    [
        (b"topic,description", "query: … missing"),
        (b"topic,query,colour", "colour: … topics … topic, query, description"),
        (b"topic,query,query", "query: … duplicate"),
        (b"colour", "… colour … summary, references_ids"),
        (b"topic,query,references_ids", "… retrieval … JSONL"),
        (b'"topic', "… unclosed quotation"),
    ],
)
def test_a_bad_header_is_named_once(tmp_path, header, complaint):
    found = complaints(write(tmp_path / "x.csv", header + b"\n1,2,3\n4,5,6\n"))
    assert outlined(found, f"x.csv:1: {complaint}")


@pytest.mark.parametrize("rank", ["1.5", "one", "-1", "²", "9" * 17])
def test_a_csv_rank_is_a_whole_number(tmp_path, rank):
    found = complaints(write(tmp_path / "x.csv", [PASSAGE | {"rank": rank}]))
    assert outlined(found, "x.csv:2: rank: … 1 … 2,147,483,647")


def test_what_a_file_is_shows_in_its_first_readable_row(tmp_path):
    file = write(tmp_path / "x.jsonl", b'{"x": %s\n{"colour": 1}\n' % (b"[" * 1_000_000))
    assert with_kind(file).kind is None
    assert outlined(
        complaints(file),
        "x.jsonl:1: … nested",
        "x.jsonl:2: … colour … summary, references_ids, response, passage, topic, system, agent,"
        " did, qid, id",
    )
    content = file.source.read_bytes() + as_jsonl([SYSTEM])
    assert with_kind(write(tmp_path / "x.jsonl", content)).kind is RowKind.SYSTEMS


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(UnreadableFile, match=r"^gone\.jsonl: "):
        read(CorpusFile(tmp_path / "gone.jsonl"))
    assert outlined(complaints(write(tmp_path / "x.exe", b"MZ")), "x.exe: … .xlsx")
    assert outlined(complaints(write(tmp_path / "x.parquet", b"PAR1")), "x.parquet: … damaged")
    whole = gzip.compress(as_jsonl([TOPIC]))
    (cut,) = [line for line in read(_cut(tmp_path, whole)) if isinstance(line, BadLine)]
    assert "damaged" in cut.reason


def _cut(tmp_path, whole):
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(whole[:-9])
    return CorpusFile(path)


class Endless(io.RawIOBase):
    """A file of one line that never ends, without ever being in memory."""

    def __init__(self, size):
        self.size, self.position = size, 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def seek(self, position, whence=0):
        self.position = position
        return position

    def tell(self):
        return self.position

    def readinto(self, buffer):
        count = min(len(buffer), self.size - self.position)
        buffer[:count] = b"x" * count
        self.position += count
        return count


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_a_gigabyte_without_a_line_end_is_refused_in_constant_memory(suffix):
    size = 1_000_000_000
    file = CorpusFile(io.BufferedReader(Endless(size), 1 << 20), RowKind.TOPICS, f"x{suffix}")
    tracemalloc.start()
    found = complaints(file, RowKind.TOPICS)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert outlined(found, f"x{suffix}:1: … {size:,} … {MOST_BYTES:,}")
    assert peak < 4 * MOST_BYTES


def test_a_line_that_is_too_long_does_not_hide_the_next(tmp_path):
    content = b"x" * (MOST_BYTES + 1) + b"\n" + as_jsonl([TOPIC])
    first, second = read(write(tmp_path / "x.jsonl", content), RowKind.TOPICS)
    assert "16,777,218 bytes" in first.reason
    assert second.number == 2


def test_a_quote_that_is_never_closed_is_refused_in_constant_memory(tmp_path):
    file = write(tmp_path / "x.csv.gz", b'topic,query\nt,"' + (b"a," * 500 + b"\n") * 20_000)
    tracemalloc.start()
    with reading(file) as lines:
        first = next(iter(lines))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert outlined([str(first)], "x.csv.gz:2: … long cell … quotation marks")
    assert peak < 12 * MOST_BYTES


@pytest.mark.parametrize(
    "text",
    [
        "العربية: لماذا تتغير الأوراق؟ [0]",
        "עברית \u202e\u2067 mixed \u2069",
        "🍁👩‍👩‍👧‍👦🏳️‍🌈 e\u0301 \u2028 \x85 \x1c",
        'quotes " "" , ; \t and\r\nlines\rof\neach kind',
        "=1+1",
    ],
)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_right_to_left_and_emoji_and_odd_text_is_kept_as_it_is(tmp_path, suffix, text):
    (line,) = read(write(tmp_path / f"x{suffix}", [RESPONSE | {"text": text}]))
    assert line.row.text == text


texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])).filter(str.strip)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(rows=st.lists(st.tuples(texts, texts), min_size=1, max_size=5))
def test_any_text_survives_the_round_trip(tmp_path, suffix, rows):
    written = [TOPIC | {"query": query, "description": text} for query, text in rows]
    found = read(write(tmp_path / f"x{suffix}", written))
    assert [(line.row.query, line.row.description) for line in found] == rows


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=st.binary(max_size=300))
def test_any_bytes_are_read_or_complained_of(tmp_path, suffix, content):
    path = tmp_path / f"x{suffix}"
    path.write_bytes(content)
    assert all(str(line) for line in read(CorpusFile(path)))


def test_a_complaint_is_one_line_without_commands_to_a_terminal():
    bad_line = BadLine("x.jsonl", 3, "te\nxt", "has \x1b[31m")
    assert str(bad_line) == "x.jsonl:3: te\ufffdxt: has \ufffd[31m"


# -- TREC
RUN = b"t1 Q0 p0 1 2.5 s1\nt1 Q0 p1 1 3 s1\n"
TOPICS = b"<top><num> 7 <title> why? <desc> All of it. <narr> And more.</top>\n"


@pytest.mark.parametrize("suffix", [".run", ".txt", ".trec", ".tsv", ".run.gz"])
def test_a_run_is_known_by_its_six_columns(tmp_path, suffix):
    file = write(tmp_path / f"x{suffix}", RUN)
    assert with_kind(file).kind is RowKind.RANKINGS
    rows = [(line.number, line.row.passage, line.row.rank, line.row.score) for line in read(file)]
    assert rows == [(2, "p1", 1, 3.0), (1, "p0", 2, 2.5)]


@pytest.mark.parametrize("content", [TOPICS, b"7\twhy?\n"])
def test_topics_of_trec_are_between_tags_or_in_a_table(tmp_path, content):
    file = write(tmp_path / "topics.txt", content)
    assert with_kind(file).kind is RowKind.TOPICS
    (line,) = read(file)
    described = "All of it.\n\nAnd more." if content is TOPICS else ""
    assert (line.row.topic, line.row.query, line.row.description) == ("7", "why?", described)


@pytest.mark.parametrize(
    ("content", "kind", "complaint"),
    [
        (b"hello world", None, "x.txt: … TREC"),
        (RUN, RowKind.RESPONSES, "x.txt: … TREC"),
        (RUN + b"t1 Q0 p2 1 s1\n", None, "x.txt:3: … 5 columns … six"),
        (RUN + b"t1 Q0 p1 1 9 s1\n", None, "x.txt:3: passage: 'p1' … duplicate … 't1'"),
        (b"7\twhy?\n8 why\n", None, "x.txt:2: … ID … tab … query"),
        (b"7\t \n", None, "x.txt:1: query: … empty"),
        (b"7\t\xff\n", None, "x.txt:1: … UTF-8"),
    ],
)
def test_it_names_what_is_wrong_with_a_file_of_trec(tmp_path, content, kind, complaint):
    assert outlined(complaints(write(tmp_path / "x.txt", content), kind), complaint)
