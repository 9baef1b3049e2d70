"""A corpus by program alone: files sent, explained, checked, imported; and who may not."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from annotation.corpora.uploads import checking
from annotation.models import Corpus, CorpusUpload
from annotation.people.access import making_keys
from tests.annotation.console.api.test_studies_by_program import Program
from tests.annotation.corpora.small_corpora import TOPIC, as_csv
from tests.annotation.corpora.uploads.cast import GOOD
from tests.annotation.corpora.uploads.conftest import uploads_dir as uploads_dir
from tests.hooks import numbers

pytestmark = pytest.mark.django_db


def sent(program: Program, pk: int, files: dict[str, bytes], said: int = 200) -> dict[str, Any]:
    arriving = [SimpleUploadedFile(*file) for file in files.items()]
    answer = program.client.post(f"/api/uploads/{pk}/files/", {"files": arriving})
    assert answer.status_code == said, answer.text
    body: dict[str, Any] = answer.json()
    return body


def test_a_corpus_is_brought_by_program_alone() -> None:
    program = Program()
    begun = program.post("uploads/", {"name": "Lamps", "licence": "CC0"}, 201)
    at = f"uploads/{begun['id']}/"
    files = sent(program, begun["id"], GOOD | {"ratings.jsonl": b"{}"})
    assert {file["name"]: file["kind"] for file in files["files"]} == {
        f"{kind}.{ending}": kind
        for kind, ending in (
            ("topics", "jsonl"), ("passages", "csv"), ("systems", "jsonl"), ("responses", "jsonl"),
        )
    }  # fmt: skip
    assert files["left_out"] == ["ratings.jsonl"]
    assert program.post(f"{at}check/", {}, 202)["state"] == "checking"
    assert program.post(f"{at}check/", {}, 202)["state"] == "checking"  # asked twice
    program.post(f"{at}import/", {}, 409)
    checking.work_on(pk=begun["id"])
    assert not Corpus.objects.exists()
    seen = program.get(at)
    assert (seen["state"], seen["report"]["bad"]) == ("checked", 0)
    assert ["topics", 1, 0, 0] in seen["report"]["counts"]
    assert program.post(f"{at}import/", {}, 202)["state"] == "importing"
    checking.work_on(pk=begun["id"])
    assert program.get(at)["corpus"] == "lamps"
    assert program.get("corpora/lamps/")["licence"] == "CC0"
    assert [upload["id"] for upload in program.get("uploads/")] == [begun["id"]]
    program.client.post(f"/api/{at}discard/")
    program.get(at, 404)
    assert Corpus.objects.get().slug == "lamps"


def test_bad_lines_and_unknown_columns_are_said_and_nothing_is_written() -> None:
    program = Program()
    at = f"uploads/{program.post('uploads/', {'name': 'Lamps'}, 201)['id']}/"
    pk = CorpusUpload.objects.get().pk
    program.post(f"{at}check/", {}, 409)  # no files yet
    foreign = as_csv([{"nr": "t1", "words": TOPIC["query"]}, {"nr": "", "words": "x"}])
    (file,) = sent(program, pk, {"fragen.csv": foreign})["files"]
    assert file["questions"]
    assert file["columns"] == ["nr", "words"]
    read = {"kind": "topics", "columns": {"topic": "nr", "query": "words"}}
    (file,) = program.post(f"{at}files/{file['id']}/", read)["files"]
    assert file["questions"] == []
    twice = {"columns": {"topic": "nr", "query": "nr"}}
    assert program.post(f"{at}files/{file['id']}/", twice, 400)["detail"]
    assert program.get(at)["files"][0]["questions"] == []
    program.post(f"{at}check/", {}, 202)
    checking.work_on(pk=pk)
    report = program.get(at)["report"]
    assert (report["bad"], report["lines"][0]["file"], report["lines"][0]["line"]) == (
        1, "fragen.csv", 3,
    )  # fmt: skip
    program.post(f"{at}import/", {}, 409)
    assert program.post(f"{at}files/{file['id']}/remove/")["files"] == []
    assert not Corpus.objects.exists()


def test_what_is_too_large_is_refused_and_so_is_nothing(settings: Any) -> None:
    program = Program()
    pk = program.post("uploads/", {"name": "Lamps"}, 201)["id"]
    sent(program, pk, {}, 400)
    large = b'{"topic": "t", "query": "lamps"}' + b" " * settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    sent(program, pk, {"topics.jsonl": large})  # other requests may not have as much
    settings.UPLOAD_MOST_BYTES = 10
    for size in (200_000, 200):
        detail = sent(program, pk, {"topics.jsonl": b"x" * size}, 413)["detail"]
        assert numbers(detail) == [0]  # MB


def test_an_upload_is_its_owners_and_a_key_needs_the_scope_to_edit() -> None:
    program = Program()
    pk = program.post("uploads/", {"name": "Lamps"}, 201)["id"]
    other = User.objects.create_user("rob")
    _, secret = making_keys.make_key(user=other, name="n", scopes=["edit"], now=timezone.now())
    program.client = Client(headers={"authorization": f"Bearer {secret}"})
    program.get(f"uploads/{pk}/", 404)
    program.post(f"uploads/{pk}/discard/", {}, 404)
    _, secret = making_keys.make_key(user=other, name="n", scopes=[], now=timezone.now())
    program.client = Client(headers={"authorization": f"Bearer {secret}"})
    program.post("uploads/", {"name": "Lights"}, 403)
    program.client = Client()
    sent(program, pk, GOOD, 401)
    assert program.client.get("/uploads/may-send/").status_code == 401


def test_a_program_chooses_how_a_file_is_opened() -> None:
    program = Program()
    pk = program.post("uploads/", {"name": "Lamps"}, 201)["id"]
    content = "topic;query\n1;Wer läßt Öl ab, und warum?\n".encode("cp1252")
    (file,) = sent(program, pk, {"topics.csv": content})["files"]
    assert file["opening"]["is_encoding_guessed"]
    at = f"uploads/{pk}/files/{file['id']}/"
    (file,) = program.post(at, {"encoding": "cp1252", "separator": ";"})["files"]
    assert (file["opening"]["encoding"], file["opening"]["is_encoding_guessed"]) == (
        "cp1252",
        False,
    )
    assert (file["columns"], file["questions"]) == (["topic", "query"], [])
    (file,) = program.post(at, {"separator": "|"})["files"]
    assert file["columns"] == ["topic;query"]
    program.post(at, {"separator": "x"}, 400)
    program.post(at, {"encoding": "utf-8"}, 400)  # its bytes are not


def test_a_program_chooses_remedies() -> None:
    program = Program()
    at = f"uploads/{program.post('uploads/', {'name': 'Lamps'}, 201)['id']}/"
    pk = CorpusUpload.objects.get().pk
    sent(program, pk, {"a.csv": b"question,system,answer\nWhy?,Alpha,Rivers.\nWhy?,Beta,\n"})
    chosen: dict[str, Any] = {"origin": "llm", "remedies": {"empty_answer": {"remedy": "rename"}}}
    assert "keep_empty" in program.post(f"{at}check/", chosen, 400)["detail"]
    chosen["remedies"] = {"empty_answer": {"remedy": "skip"}}
    program.post(f"{at}check/", chosen, 202)
    checking.work_on(pk=pk)
    (problem,) = program.get(at)["report"]["problems"]
    assert (problem["chosen"], problem["default"]) == ("skip", "keep_empty")
    assert (problem["samples"][0]["row"], problem["samples"][0]["line"]) == (3, 3)
    program.post(f"{at}import/", {}, 202)
    checking.work_on(pk=pk)
    assert program.get("corpora/lamps/")["responses"] == 1


def test_a_program_chooses_the_header_and_the_rows_above_a_broken_rest() -> None:
    program = Program()
    pk = program.post("uploads/", {"name": "Lamps"}, 201)["id"]
    rows = "Study,Lamps\ntopic,query\n" + "t1,Why?\n" + 't2,"How?\n' + "t3,Who?\n" * 1_100
    (file,) = sent(program, pk, {"topics.csv": rows.encode()})["files"]
    at = f"uploads/{pk}/files/{file['id']}/"
    (file,) = program.post(at, {"header": "2"})["files"]
    assert (file["columns"], file["opening"]["header"]) == (["topic", "query"], 2)
    assert file["opening"]["notes"]
    program.post(at, {"header": "99"}, 400)
    for remedies, bad in (({}, 1), ({"broken_rest": {"remedy": "cut"}}, 0)):
        program.post(f"uploads/{pk}/check/", {"remedies": remedies}, 202)
        checking.work_on(pk=pk)
        report = program.get(f"uploads/{pk}/")["report"]
        assert (report["bad"], report["counts"]) == (bad, [["topics", 1, 0, 0]])
