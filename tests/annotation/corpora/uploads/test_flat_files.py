"""Files as researchers have them: one table of answers, rows without ids, samples to begin with."""

import html

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.corpora.schema import RowKind
from annotation.corpora.uploads import checking, gathering
from annotation.corpora.uploads.samples import SAMPLES
from annotation.models import Passage, Response, System, Topic
from tests.annotation.corpora.small_corpora import as_jsonl
from tests.annotation.corpora.uploads.cast import checked, imported, uploaded
from tests.hooks import element, elements, values

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

TABLE = (
    b"Question,Engine,Answer,Rank,URL\n"
    b"why?,Bing,Because.,1,https://a\n"
    b"how?,Bing,So.,1,https://b\n"
    b"why?,You,Sugar.,2,https://c\n"
)
TOPIC = b"topic,query\ntopic-1,why?\n"


def page(client, upload) -> str:
    return html.unescape(client.get(upload.get_absolute_url()).content.decode())


def act(client, upload, what, **more):
    return client.post(f"{upload.get_absolute_url()}change/", {"act": what, **more}, follow=True)


def send(client, upload, *, files):
    sent = [SimpleUploadedFile(name, content) for name, content in files.items()]
    return client.post(f"{upload.get_absolute_url()}files/", {"files": sent}, follow=True)


def is_taken(said: str, *, warned: int = 0) -> bool:
    """Return whether a check accepts all rows, `warned` of them with gaps."""
    reports = [report.attributes for report in elements(said, "data-report")]
    results = [(report["data-report"], report["data-warned"]) for report in reports]
    return results == [("warned" if warned else "good", str(warned))]


def test_one_table_of_answers_needs_nothing_to_be_said(researcher):
    upload = uploaded({"answers.csv": TABLE})
    said = page(researcher, upload)
    assert element(said, "data-file").attributes["data-kind"] == "table"
    assert values(said, "data-unread") == ["2"]
    numbered = [row.text for row in elements(said, "data-numbered")]
    assert ["topic-2" in numbered[0], "topic-1/You" in numbered[1]] == [True, True]
    assert '<option value="llm" selected>' in said
    upload.origin = "llm"
    upload.save()
    imported(upload)
    assert list(Topic.objects.values_list("key", "query")) == [
        ("topic-1", "why?"),
        ("topic-2", "how?"),
    ]
    assert set(System.objects.values_list("key", flat=True)) == {"Bing", "You"}
    assert Response.objects.get(key="topic-1/You").text == "Sugar."


def test_the_ids_of_the_preview_are_those_of_the_corpus(researcher):
    upload = uploaded({"answers.tsv": TABLE.replace(b",", b"\t")})
    shown = researcher.get(upload.get_absolute_url()).context["files"][0]
    ids = [made for made, _ in shown["preview"]]
    upload.origin = "llm"
    upload.save()
    imported(upload)
    rows = Response.objects.order_by("pk").values_list("topic__key", "key")
    assert ids == [list(row) for row in rows]


def test_numbers_that_go_on_from_others_are_not_shown_beforehand(researcher):
    upload = uploaded({"a.csv": TABLE, "b.csv": TABLE})
    said = page(researcher, upload)
    assert len(elements(said, "data-numbered")) == 4
    assert "topic-1/Bing" not in said


@pytest.mark.parametrize(
    ("name", "content", "model", "keys"),
    [
        ("topics.csv", b"question\nwhy?\nhow?\nwhy?\n", Topic, ["topic-1", "topic-2"]),
        (
            "passages.csv",
            b"topic,text\nt1,Sugar.\nt2,Salt.\nt1,Light.\nt1,Sugar.\n",
            Passage,
            ["passage-1", "passage-2", "passage-1"],
        ),
        (
            "responses.csv",
            b"topic,engine,text\nt1,Bing,Sugar.\nt2,Bing,Salt.\nt1,Bing,Light.\n",
            Response,
            ["t1/Bing", "t2/Bing", "t1/Bing/2"],
        ),
    ],
)
def test_rows_without_an_id_are_numbered_by_themselves(researcher, name, content, model, keys):
    topics = b"topic,query\nt1,why?\nt2,how?\n"
    upload = uploaded(
        {"given.csv": topics, name: content} if model is not Topic else {name: content}
    )
    said = html.unescape(page(researcher, upload))
    assert len(elements(said, "data-numbered")) == 1
    assert '<option value="number:" selected>' in said
    assert values(said, "data-ready") == [str(upload.files.count())]
    upload.refresh_from_db()
    upload.origin = "llm"
    upload.save()
    repeats = imported(upload).report["rows"][name]["ignored"] > 0
    assert repeats is (model is not Response)
    assert sorted(model.objects.values_list("key", flat=True)) == sorted(keys)
    again = uploaded({name: content}, corpus=upload.corpus, owner=upload.owner)
    again.origin = "llm"
    again.save()
    assert imported(again).report["bad"] == 0
    assert sorted(model.objects.values_list("key", flat=True)) == sorted(keys)


def test_rows_are_not_numbered_where_a_column_may_be_their_id(researcher):
    upload = uploaded({"responses.csv": b"topic,handle,text\nt1,a-1,So.\nt1,a-2,No.\n"})
    said = html.unescape(page(researcher, upload))
    assert values(said, "data-asking") == ["1/1"]
    assert f'value="number:{upload.files.get().pk}"' in said
    act(researcher, upload, f"number:{upload.files.get().pk}")
    assert upload.files.get().mapping["numbered"] == ["response"]


def test_a_better_file_is_looked_at_anew_where_nobody_said_anything(researcher):
    upload = uploaded({"responses.csv": b"topic,text\nt1,So.\n"})
    assert upload.files.get().mapping["numbered"] == ["response"]
    send(researcher, upload, files={"responses.csv": b"topic,answer id,text\nt1,r7,So.\n"})
    mapping = upload.files.get().mapping
    assert (mapping["columns"]["response"], mapping["numbered"]) == ("answer id", [])


BARE_ROWS = {
    "passages.jsonl": {"topic": "t1", "text": "Sugar."},
    "responses.jsonl": {"topic": "t1", "text": "Sugar.", "origin": "llm"},
    "table.jsonl": {"question": "why?", "answer": "Sugar.", "origin": "llm"},
}


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("passages.jsonl", "passage"),
        ("passages.jsonl", "doc_id"),
        ("responses.jsonl", "response"),
        ("table.jsonl", "response"),
        ("table.jsonl", "qid"),
    ],
)
def test_an_id_that_comes_after_the_rows_that_were_looked_at_is_named(name, own):
    row = BARE_ROWS[name]
    rows = [row | {"text" if "text" in row else "answer": f"Text {n}."} for n in range(2_001)]
    rows[-1] |= {own: "mine", "remark": "another field that is new is left out as others are"}
    said = checked(numbered(name, rows)).report["lines"]
    assert [line[:3] for line in said] == [[name, 2_001, own]]
    assert "first rows" in said[0][3]
    rows[-1] |= {own: None}
    assert checked(numbered(name, rows)).report["bad"] == 0


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("passages.jsonl", "doc"),
        ("responses.jsonl", "run_id"),
        ("table.jsonl", "number"),
        ("table.jsonl", "run-id"),
    ],
)
def test_a_late_field_that_is_not_called_an_id_is_left_out_and_counted(name, field):
    row = BARE_ROWS[name]
    rows = [row | {"text" if "text" in row else "answer": f"Text {n}."} for n in range(2_003)]
    for late in rows[-2:]:
        late |= {field: "x1"}
    upload = checked(numbered(name, rows))
    assert upload.report["bad"] == 0
    (said,) = [said for said in upload.report["remarks"] if "missing from the first rows" in said]
    assert said.endswith(f"{field} (2 rows).")
    rows[-1] |= {"id": "mine"}  # is one, whatever stands beside it
    assert [line[1:3] for line in checked(numbered(name, rows)).report["lines"]] == [[2_003, "id"]]


def numbered(name, rows):
    """Return an upload with this file, whose rows get generated ids."""
    upload = uploaded({"given.csv": b"topic,query\nt1,why?\n", name: as_jsonl(rows)})
    gathering.number_rows(upload=upload, pk=upload.files.get(name=name).pk)
    upload.refresh_from_db()
    return upload


def test_an_id_that_some_of_the_first_rows_have_is_asked_of_all():
    rows = [BARE_ROWS["passages.jsonl"] | {"text": f"Text {n}."} for n in range(9)]
    rows[7] |= {"passage": "mine"}
    topics = b"topic,query\nt1,why?\n"
    said = checked(uploaded({"given.csv": topics, "passages.jsonl": as_jsonl(rows)})).report
    assert said["bad"] == 8
    assert said["lines"][0] == ["passages.jsonl", 1, "passage", "is missing"]


def test_numbering_what_has_no_kind_or_no_id_of_its_own_does_nothing(researcher):
    upload = uploaded(
        {"a.csv": b"id,remark\n1,x\n", "rankings.csv": SAMPLES[RowKind.RANKINGS].path.read_bytes()}
    )
    for file in upload.files.all():
        assert act(researcher, upload, f"number:{file.pk}").status_code == 200
        assert "numbered" not in upload.files.get(pk=file.pk).mapping


def test_what_is_chosen_stays_when_a_further_file_is_sent(researcher):
    upload = uploaded({"a.csv": b"Nr,Text\n1,why?\n"})
    file = upload.files.get()
    sent = {
        "chosen": "yes",
        f"kind-{file.pk}": "topics",
        "files": [SimpleUploadedFile("b.csv", b"topic,query\nt9,x\n")],
    }
    researcher.post(f"{upload.get_absolute_url()}files/", sent)
    sent |= {
        f"field-{file.pk}-topic": "column:Nr",
        f"field-{file.pk}-query": "column:Text",
        "origin": "human",
        "files": [SimpleUploadedFile("c.csv", b"topic,query\nt8,x\n")],
    }
    researcher.post(f"{upload.get_absolute_url()}files/", sent)
    upload.refresh_from_db()
    assert upload.files.count() == 3
    assert upload.origin == "human"
    assert upload.files.get(pk=file.pk).mapping["columns"] == {"topic": "Nr", "query": "Text"}


# -- Samples -------------------------------------------------------------------------------------
def test_what_the_rows_hold_is_open_until_there_is_a_file(researcher):
    upload = uploaded({})
    said = page(researcher, upload)
    assert "data-samples open>" in said
    assert all(sample.text in said for sample in SAMPLES.values())
    assert "data-samples" not in page(researcher, uploaded({"a.csv": TABLE}))


def test_a_sample_can_be_kept_and_is_good_as_it_is(researcher):
    files = {}
    for sample in SAMPLES.values():
        answer = researcher.get(f"/uploads/samples/{sample.kind}.csv")
        assert f'filename="{sample.name}"' in answer["Content-Disposition"]
        files[sample.name] = b"".join(answer.streaming_content)
    table = files.pop("answers.csv")
    assert researcher.get("/uploads/samples/answers.csv").status_code == 404
    upload = imported(uploaded(files))
    assert upload.report["bad"] == 0
    assert upload.state == upload.State.IMPORTED
    alone = uploaded({"answers.csv": table}, name="Alone")
    alone.origin = "llm"
    alone.save()
    assert imported(alone).report["bad"] == 0


TABLE_LINE = "{id},why is lamp {q} lit?,{e},Because of lamp {q}."
OBJECT_LINE = (
    '{{"id": "{id}", "query": "why is lamp {q} lit?", "engine": "{e}", '
    '"response": "Because of lamp {q}."}}'
)


@pytest.mark.parametrize(
    ("name", "row", "field"),
    [
        ("a.csv", TABLE_LINE, "response"),
        ("a.jsonl", OBJECT_LINE, "response"),
        ("a.csv", TABLE_LINE.replace("{id}", "{q}"), "topic"),
        ("a.jsonl", OBJECT_LINE.replace("{id}", "{q}"), "topic"),
    ],
)
def test_a_bare_id_is_that_of_the_answer_unless_it_stands_again(name, row, field):
    rows = [row.format(id=4 * q + e, q=q, e=e) for e in range(4) for q in range(9)]
    head = ["id,query,engine,response"] if name == "a.csv" else []
    upload = uploaded({name: "\n".join(head + rows).encode()})
    assert upload.files.get().mapping["columns"][field] == "id"
    upload.origin = "llm"
    upload.save()
    assert imported(upload).report["bad"] == 0
    assert (Topic.objects.count(), Response.objects.count()) == (9, 36)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b"question,answer,sys\x00tem\nwhy?,Because\x00,B\x00\n"),
        ("a.jsonl", b'{"question": "why?", "answer": "So.", "sys\\u0000tem": "B\\u0000"}\n'),
        ("a.tsv", b"t1\twhy\x00?\n"),
    ],
)
def test_a_file_with_a_character_that_no_database_keeps_has_its_page(researcher, name, content):
    assert name in page(researcher, uploaded({name: content}))


# -- Ranks that begin at 0 -----------------------------------------------------------------------
RANKED_FROM_0 = {
    "topics.csv": TOPIC,
    "docs.csv": b"qid,docid,position,contents\ntopic-1,a,0,Sugar.\ntopic-1,b,1,Light.\n",
    "responses.jsonl": b'{"response": "r", "topic": "topic-1", "text": "So [0] and [1]."}\n',
}


def test_ranks_that_begin_at_0_are_raised_by_one_and_the_page_says_so(researcher):
    upload = uploaded(RANKED_FROM_0)
    said = page(researcher, upload)
    assert '<option value="all:0" selected>0</option>' in said
    act(researcher, upload, "check", origin="llm")
    checking.work_on(pk=upload.pk)
    said = page(researcher, upload)
    assert is_taken(said)
    assert "docs.csv" in element(said, "data-note-of", "ranks").text
    assert values(said, "data-citations") == ["2/1"]
    upload.refresh_from_db()
    imported(upload)
    assert list(Passage.objects.values_list("key", "rank").order_by("rank")) == [("a", 1), ("b", 2)]


def test_a_rank_of_0_far_down_is_found_by_the_check(researcher):
    far = b"".join(b"topic-1,p%d,%d,Light.\n" % (n, n) for n in range(1, 2_100))
    docs = b"qid,docid,position,contents\n" + far + b"topic-1,a,0,Sugar.\n"
    upload = uploaded(RANKED_FROM_0 | {"docs.csv": docs})
    assert '<option value="all:0" selected>' not in page(researcher, upload)
    act(researcher, upload, "check", origin="llm")
    checking.work_on(pk=upload.pk)
    said = page(researcher, upload)
    assert is_taken(said)
    assert "docs.csv" in element(said, "data-note-of", "ranks").text


def test_lines_with_one_reason_say_it_once_and_are_not_among_the_counts(researcher):
    upload = uploaded(RANKED_FROM_0)
    file = upload.files.get(name="docs.csv")
    columns = {**file.mapping["columns"], "rank": "position"}
    said = {name: f"column:{column}" for name, column in columns.items()}
    gathering.map_columns(upload=upload, pk=file.pk, said={**said, "ranks_from": "all:1"})
    docs = b"topic-1,c,0,Sugar.\ntopic-2,d,0,Sugar.\n"
    topics = TOPIC + b"topic-2,how?\n"
    again = RANKED_FROM_0["docs.csv"] + docs.splitlines(keepends=True)[1]
    send(researcher, upload, files={"docs.csv": again, "topics.csv": topics})
    act(researcher, upload, "check", origin="llm")
    checking.work_on(pk=upload.pk)
    said = page(researcher, upload)
    assert values(said, "data-bad") == ["2"]
    assert len(elements(said, "data-one-by-one")) == 1
    upload.refresh_from_db()
    assert ["passages", 1, 0, 0] in upload.report["counts"]
    assert [reason["count"] for reason in upload.report["reasons"]] == [2]


UNKNOWN = {
    "topics.csv": TOPIC,
    "docs.csv": b"qid,docid,contents\ntopic-1,a,Sugar.\n",
    "responses.jsonl": b"".join(
        b'{"response": "r%d", "topic": "topic-1", "text": "So [0]%s."}\n'
        % (n, b"".join(b" [%d]" % each for each in range(7, 7 + n)))
        for n in range(1, 5)
    ),
}


def test_one_cause_is_one_row_however_many_citations_name_no_passage(researcher):
    upload = uploaded(UNKNOWN)
    act(researcher, upload, "check", origin="llm")
    checking.work_on(pk=upload.pk)
    upload.refresh_from_db()
    (reason,) = upload.report["reasons"]
    assert (reason["count"], reason["reason"].count("…")) == (4, 5)
    assert ["responses", 0, 0, 0] in upload.report["counts"]
    assert values(page(researcher, upload), "data-cites-unknown") == ["4"]


def test_what_is_taken_without_a_part_is_not_called_good(researcher):
    upload = uploaded(UNKNOWN)
    act(researcher, upload, "check", origin="llm", drops_citations="yes")
    checking.work_on(pk=upload.pk)
    said = page(researcher, upload)
    assert is_taken(said, warned=4)
    imported(upload)
    assert "So [0] [7]." in set(Response.objects.values_list("text", flat=True))


def test_lines_that_follow_from_bad_ones_are_folded_under_them(researcher):
    files = RANKED_FROM_0 | {"docs.csv": b"qid,docid,contents\ntopic-1,a,Sugar.\ntopic-1,b,\n"}
    files["responses.jsonl"] = files["responses.jsonl"].replace(b'"r",', b'"r", "origin": "LLM",')
    upload = checked(uploaded(files))
    assert [line[:3] for line in upload.report["lines"]] == [["docs.csv", 3, "contents"]]
    assert upload.report["following"] == 1
    said = page(researcher, upload)
    assert values(said, "data-bad") == ["1"]
    assert values(said, "data-following") == ["1"]
