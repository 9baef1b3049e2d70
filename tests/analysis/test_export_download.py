"""The export by command and by download."""

import gzip

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from analysis.exports.catalogue import FILES, offered
from analysis.exports.exporting import write_bundle
from analysis.exports.sources import Source
from tests.analysis.exported import judged_study
from tests.cast import bob, draft_study, rita, small_corpus, small_study, submitted

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_analyses")]


def test_the_command_says_what_it_wrote(tmp_path, capsys):
    judged_study("bob")
    call_command("export", "lamps", "--out", str(tmp_path / "new" / "folder"))
    assert "ratings.jsonl.gz: 6 rows" in capsys.readouterr().out
    assert (tmp_path / "new" / "folder" / "manifest.json").exists()


def test_the_command_refuses_with_one_sentence(tmp_path):
    with pytest.raises(CommandError, match="There is no study 'lamps'; known are: none yet"):
        call_command("export", "lamps", "--out", str(tmp_path))
    draft_study()
    with pytest.raises(CommandError, match="Study lamps has no items to judge"):
        call_command("export", "lamps", "--out", str(tmp_path))
    small_study(slug="other", corpus=small_corpus(slug="other"))
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(CommandError, match="is a file; give a folder"):
        call_command("export", "other", "--out", str(file))
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export", "other", "--out", str(file / "below"))


@pytest.fixture
def download(client):
    client.force_login(rita())

    def get(name, slug="lamps", **headers):
        return client.get(reverse("export", args=[slug, 1, name]), headers=headers)

    return get


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


def test_a_study_that_judges_nothing_offers_no_file():
    assert offered(Source.of(draft_study())) == ()


def test_the_download_refuses_with_a_sentence(download, client):
    submitted(small_study(), bob())
    unknown = download("secrets.csv")
    assert unknown.status_code == 404
    assert "There is no export 'secrets.csv'; there are responses.jsonl.gz" in str(unknown.text)
    early = download("ratings.csv")
    assert early.status_code == 409
    assert "has not been analysed yet" in early.text
    assert download("votes.csv", slug="nothing").status_code == 404
    client.logout()
    assert download("votes.csv").status_code == 302
