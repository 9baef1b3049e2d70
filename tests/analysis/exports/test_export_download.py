"""The export by command and by download."""

import gzip
import hashlib
import io
import json
import tempfile
import zipfile

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from analysis.exports import exporting
from analysis.exports.catalogue import FILES, offered
from analysis.exports.exporting import write_bundle
from analysis.exports.source import CannotExport, ExportSource
from analysis.exports.zip_file import BUNDLE
from analysis.pages.exports import progress
from annotation.models import AuditEntry
from tests.analysis.exports.exported import judged_study
from tests.cast import bob, draft_study, rita, small_corpus, small_study, submitted
from tests.coded_errors import command_ends
from tests.hooks import values

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_analyses")]


def test_the_command_says_what_it_wrote(tmp_path, capsys):
    judged_study("bob")
    call_command("export", "lamps", "--out", str(tmp_path / "new" / "folder"))
    assert "ratings.jsonl.gz: 6 rows" in capsys.readouterr().out
    assert (tmp_path / "new" / "folder" / "manifest.json").exists()


def test_the_command_refuses_with_one_sentence(tmp_path):
    with pytest.raises(CommandError, match="'lamps'"):
        call_command("export", "lamps", "--out", str(tmp_path))
    draft_study()
    with command_ends(CannotExport, "nothing_to_export"):
        call_command("export", "lamps", "--out", str(tmp_path))
    small_study(slug="other", corpus=small_corpus(slug="other"))
    file = tmp_path / "file"
    file.touch()
    with command_ends(CannotExport, "not_a_folder"):
        call_command("export", "other", "--out", str(file))
    with command_ends(OSError):
        call_command("export", "other", "--out", str(file / "below"))


@pytest.fixture
def download(client):
    client.force_login(rita())

    def get(name, slug="lamps", **headers):
        return client.get(reverse("export", args=[slug, 1, name]), headers=headers)

    return get


def test_the_page_shows_how_far_a_download_of_all_files_is(client, download, monkeypatch):
    monkeypatch.setattr(progress, "INTERVAL", 0)
    judged_study("bob")
    pages = [reverse(name, args=["lamps", 1]) for name in ("exports", "export_progress")]
    pieces = iter(download(BUNDLE).streaming_content)
    assert [values(client.get(page).text, "data-work") for page in pages] == [[], []]
    percents = []
    for _ in pieces:
        for page in pages:
            percents += values(client.get(page).text, "data-percent")
    assert percents == sorted(percents, key=int)
    assert 0 <= int(percents[0]) < int(percents[-1]) <= 100
    assert values(client.get(pages[1]).text, "data-work") == []


def test_what_is_compressed_is_not_compressed_again(download, tmp_path):
    write_bundle(study=judged_study("bob"), out=tmp_path)
    headers = {"accept_encoding": "gzip"}
    packed = b"".join(download("votes.jsonl.gz", **headers).streaming_content)
    assert packed == (tmp_path / "votes.jsonl.gz").read_bytes()
    plain = download("votes.csv", **headers)
    assert plain["Content-Encoding"] == "gzip"
    data = gzip.decompress(b"".join(plain.streaming_content))
    assert data == (tmp_path / "votes.csv").read_bytes()


@pytest.mark.parametrize("instrument", ["crowdrag-pairwise", "crowdrag-pointwise"])
def test_the_page_offers_exactly_the_files_that_can_be_had(instrument, download, client):
    study = judged_study("bob", "alice", instrument=instrument)
    page = client.get(reverse("exports", args=[study.slug, study.version])).content.decode()
    for name in FILES:
        link = reverse("export", args=[study.slug, study.version, name]) in page
        assert link == (download(name).status_code == 200), name
    assert ("grades.csv" in page) == (instrument == "crowdrag-pairwise")


def zip_of(response):
    return zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))


def test_one_zip_has_everything_that_the_command_writes(download, tmp_path):
    study = judged_study("bob", "zoë")
    write_bundle(study=study, out=tmp_path)
    written = {
        path.relative_to(tmp_path).as_posix(): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    response = download("export.zip")
    run = study.runs.get().pk
    assert response["Content-Disposition"] == f'attachment; filename="lamps-v1-run{run}-export.zip"'
    assert response["Content-Type"] == "application/zip"
    with zip_of(response) as archive:
        assert archive.testzip() is None
        packed = {name: archive.read(name) for name in archive.namelist()}
    assert list(packed)[-1] == "manifest.json"
    assert {"DATA.md", "votes.csv", "tables/competence-gold.csv"} <= set(packed)
    made = json.loads(packed.pop("manifest.json"))
    same = json.loads(written.pop("manifest.json"))
    assert packed == written
    assert made | {"exported_at": ""} == same | {"exported_at": ""}
    for file in made["files"]:
        assert hashlib.sha256(packed[file["file"]]).hexdigest() == file["sha256"]
    assert AuditEntry.objects.filter(act="downloaded a file", what="export.zip").exists()


def test_the_zip_is_made_while_it_is_sent_and_leaves_nothing(download, monkeypatch, tmp_path):
    judged_study("bob")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    pieces = iter(download("export.zip").streaming_content)
    assert next(pieces)[:4] == b"PK\3\4"
    (folder,) = tmp_path.iterdir()
    assert not (folder / "manifest.json").exists()
    assert all(pieces)
    assert not list(tmp_path.iterdir())


def test_a_zip_that_breaks_off_is_no_zip(download, monkeypatch):
    judged_study("bob")

    def full(source, files):
        raise OSError("no space left on device")

    monkeypatch.setattr(exporting, "describe", full)
    sent = []
    with pytest.raises(OSError, match="no space"):
        sent += iter(download("export.zip").streaming_content)
    with pytest.raises(zipfile.BadZipFile):
        zipfile.ZipFile(io.BytesIO(b"".join(sent)))


def test_the_page_and_the_api_offer_the_zip(client):
    client.force_login(rita())
    study = judged_study("bob")
    page = client.get(reverse("exports", args=[study.slug, 1])).content.decode()
    assert 'data-export="all"' in page
    assert reverse("export", args=[study.slug, 1, "export.zip"]) in page
    names = client.get(reverse("api_exports", args=[study.slug, 1])).json()
    assert names[-1] == "export.zip"
    with zip_of(client.get(reverse("api_export", args=[study.slug, 1, "export.zip"]))) as archive:
        assert "DATA.md" in archive.namelist()


def test_a_study_without_texts_has_no_zip(download, client):
    draft_study()
    page = client.get(reverse("exports", args=["lamps", 1])).content.decode()
    assert 'data-export="all"' not in page
    assert download("export.zip").status_code == 409


def test_a_study_that_judges_nothing_offers_no_file():
    assert offered(ExportSource.of(draft_study())) == ()


def test_the_download_refuses_with_a_sentence(download, client):
    submitted(small_study(), bob())
    unknown = download("secrets.csv")
    assert unknown.status_code == 404
    assert "'secrets.csv'" in str(unknown.text)
    assert "responses.jsonl.gz, responses.csv" in str(unknown.text)
    early = download("ratings.csv")
    assert early.status_code == 409
    assert "has not been analysed yet" in early.text
    assert download("votes.csv", slug="nothing").status_code == 404
    client.logout()
    assert download("votes.csv").status_code == 302
