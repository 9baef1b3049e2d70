"""Rubric's files through the browser: a corpus, a draft whose points can be changed, a study."""

import gzip
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from annotation.corpora.formats import rubric
from annotation.models import Corpus, Draft, Ranking
from annotation.studies.drafts import document_files as draft_files
from annotation.studies.drafts.kinds import decoded
from annotation.studies.drafts.launching import launch
from annotation.studies.drafts.plain_data import BadDocument, plain
from judging.labels import importing_files
from judging.labels.importing_files import LabelFile, bring_grades
from judging.models import Criterion, Judgment, Rater
from tests.annotation.corpora.uploads.cast import checked, imported, uploaded
from tests.annotation.corpora.uploads.conftest import uploads_dir  # noqa: F401 - a fixture
from tests.cast import NOW, rita
from tests.coded_errors import raises
from tests.judging.labels.test_rubric_importing import IDS, TEXTS, VECTOR, bank, exam, passage

pytestmark = pytest.mark.django_db
GRADED = [passage(key, exam(row)) for key, row in VECTOR.items()]
BANK = b"".join(rubric.written([bank()]))
PASSAGES = gzip.compress(b"".join(rubric.written([("q1", GRADED)])))
FILES = {"bank.jsonl": BANK, "passages.jsonl.gz": PASSAGES}


def test_bank_and_passages_become_a_corpus_a_draft_and_grades(client, tmp_path, uploads_dir):  # noqa: F811
    user = rita()
    client.force_login(user)
    upload = imported(uploaded(FILES, name="dl20"))
    assert [row[:2] for row in upload.report["counts"]] == [
        ["passages", 3], ["rankings", 3], ["systems", 2], ["topics", 1],
    ]  # fmt: skip
    assert Corpus.objects.get().topics.get().query == "why?"
    assert Ranking.objects.filter(system__key="x").count() == 2

    answer = client.post(
        reverse("bring_draft"), {"file": SimpleUploadedFile("bank.jsonl.gz", gzip.compress(BANK))}
    )
    draft = Draft.objects.get()
    assert answer.url == reverse("draft", args=[draft.pk])
    page = client.get(reverse("draft_section", args=[draft.pk, "texts"])).content.decode()
    assert all(text in page for text in TEXTS)
    document = decoded(draft.document)
    assert plain(draft_files.read(draft_files.file_of(document))) == plain(document)

    draft.document |= {"corpus": "dl20", "slug": "points", "contact": "Rita, rita@example.org"}
    draft.corpus = Corpus.objects.get()
    draft.save()
    study = launch(draft=draft, revision=draft.revision, user=user, now=timezone.now())
    points = Criterion.objects.filter(instrument__study=study, questions=None)
    assert set(points.values_list("key", "topic__key")) == {(key, "q1") for key in IDS}

    path = tmp_path / "passages.jsonl.gz"
    path.write_bytes(PASSAGES)
    file = LabelFile(path, bounds=importing_files.BOUNDS)
    bring_grades(study=study, file=file, by=user, now=NOW)
    assert Judgment.objects.filter(rater=Rater.objects.get(kind="model")).count() == 12


def test_every_bad_line_of_rubric_is_named(uploads_dir):  # noqa: F811
    files = {"bank.jsonl": BANK + b'{"query_id": 1}\n{"no": 1}\n', "passages.jsonl.gz": PASSAGES}
    upload = checked(uploaded(files, owner=rita()))
    assert upload.report["bad"] == 2
    assert [line[:2] for line in upload.report["lines"]] == [["bank.jsonl", 2], ["bank.jsonl", 3]]
    assert not Corpus.objects.exists()


def test_a_backslash_before_what_looks_like_nul_is_no_nul():
    written = BANK.replace(b"why?", rb"why\\u0000")
    assert draft_files.read(written, name="b.jsonl")


@pytest.mark.parametrize(
    ("content", "name", "fault"),
    [
        (b"no gzip", "b.jsonl.gz", "damaged"),
        (b'{"no": 1}\n', "b.jsonl", "Rubric"),
        (b"\n", "b.jsonl", "no entries"),
        (b"\xff\n", "b.jsonl", "UTF-8"),
        (BANK.replace(b"why?", b"why\\u0000"), "b.jsonl", "NUL"),
        (BANK.replace(IDS[1].encode(), IDS[0].encode()), "b.jsonl", IDS[0]),
        (gzip.compress(b" " * 70_000_000), "b.jsonl.gz", "MB"),
    ],
)
def test_a_bank_that_cannot_be_read_is_refused_by_its_name(content, name, fault):
    with raises(BadDocument, "unreadable", match=rf"^{name}.*\b{fault}\b"):
        draft_files.read(content, name=Path(name).name)
