"""Tables of answers as programs and people write them: JSON around rows, Markdown, number ids."""

import json

import pytest

from annotation.corpora.uploads import gathering
from annotation.models import Response, Topic
from annotation.models.uploads import CorpusUpload
from tests.annotation.corpora.uploads.cast import checked, imported, uploaded

ROWS = [{"question": "Why?", "model": name, "answer": text} for name, text in
        (("alpha", "One."), ("beta", "Two [x] | three."))]  # fmt: skip
ANSWERS = [("alpha", "One."), ("beta", "Two [x] | three.")]
CELLS = [list(row.values()) for row in ROWS]
WRITTEN = {
    "split.json": {"columns": list(ROWS[0]), "index": [0, 1], "data": CELLS},
    "hub.json": {"features": [{"name": "question"}],
                 "rows": [{"row_idx": n, "row": row} for n, row in enumerate(ROWS)]},
    "by_system.json": {row["model"]: [{"question": row["question"], "answer": row["answer"]}]
                       for row in ROWS},
    "outputs.json": [{"id": "q1", "input": {"question": "Why?"},
                      "outputs": [{"model": row["model"], "text": row["answer"]} for row in ROWS]}],
}  # fmt: skip


def of_llms(name, content) -> CorpusUpload:
    upload = uploaded({name: content})
    upload.origin = "llm"
    upload.save()
    return upload


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.django_db
def test_rows_inside_of_other_json_are_read(name):
    imported(of_llms(name, json.dumps(WRITTEN[name]).encode()))
    found = Response.objects.order_by("pk").values_list("system__key", "text")
    assert list(found) == ANSWERS
    assert Topic.objects.get().query == "Why?"


@pytest.mark.django_db
def test_a_table_of_markdown_has_no_line_and_no_padding():
    table = "| question | model | answer |\n|:--|---|--:|\n| Why? | a  | One. |\n|Why?|b|Two.|\n"
    imported(of_llms("a.txt", table.encode()))
    found = Response.objects.order_by("pk").values_list("system__key", "text")
    assert list(found) == [("a", "One."), ("b", "Two.")]


@pytest.mark.django_db
def test_ids_that_are_numbers_are_read_as_they_are_written():
    rows = [{"qid": 1, "query": "Why?"}, {"qid": "2", "query": "How?"}, {"qid": 3.0, "query": "A?"}]
    imported(uploaded({"queries.jsonl": "\n".join(map(json.dumps, rows)).encode()}))
    assert set(Topic.objects.values_list("key", flat=True)) == {"1", "2", "3"}


@pytest.mark.parametrize(
    ("text", "count"),
    [("<p>One.</p>", 1), ("<b>x</b>", 1), ("1<br>2<sup>3</sup>", 0), ("a < b </ c", 0),
     ("`<p>x</p>`", 0), ("<img src=x>", 1), ("<a href='x'>y</a>", 1), ("List<a> and <think>", 0)],
)  # fmt: skip
@pytest.mark.django_db
def test_the_check_counts_html_that_stays_text(text, count):
    row = {"question": "Why?", "model": "a", "answer": text}
    assert checked(of_llms("a.jsonl", json.dumps(row).encode())).report["images"]["html"] == count


@pytest.mark.django_db
def test_answers_that_fit_their_own_passages_only_from_1_are_counted_so_by_the_check():
    head = "Question,GPT-4o,Llama 3.1 70B,Retrieved context"
    cells = '"Because [1]. So [2].","According to [1], so [2] is.","[1] A text.\n[2] Another text."'
    rows = [f"Question {n} is why?,{cells}" for n in range(9)]
    upload = of_llms("wide.csv", "\n".join([head, *rows]).encode())
    [file] = upload.files.all()
    assert file.mapping["columns"]["passages"] == "Retrieved context"
    fields = {"question": "column:Question", "passages": "column:Retrieved context"}
    said = {**fields, "answer": "systems:", "topic": "number:", "response": "number:"}
    gathering.map_columns(upload=upload, pk=file.pk, said=said)
    assert checked(upload).report["bad"] == 0
    assert upload.files.get().mapping["is_counted"]
