"""Votes of a large export are written by a second process: same files, and errors arrive."""

import os
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from django.core.management import call_command

from analysis.exports import exporting, second_process
from analysis.exports.exporting import Bundle, write_bundle
from judging.models import Judgment
from tests.analysis.exports.exported import jsonl, judged_study
from tests.coded_errors import command_ends

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.storage,
    pytest.mark.usefixtures("few_analyses"),
]


@pytest.fixture
def large(monkeypatch):
    """Return an analysed study that counts as large."""
    monkeypatch.setattr(exporting, "LARGE", 1)
    monkeypatch.setattr(exporting, "can_fork", lambda: True)
    return judged_study("bob", "alice")


def test_two_processes_write_the_files_of_one(large, tmp_path, monkeypatch):
    two = write_bundle(study=large, out=tmp_path / "two")
    monkeypatch.setattr(exporting, "can_fork", lambda: False)
    one = write_bundle(study=large, out=tmp_path / "one")
    assert two.files == one.files
    assert two.left_out == one.left_out
    for file in one.files:
        assert (tmp_path / "two" / file.file).read_bytes() == (
            tmp_path / "one" / file.file
        ).read_bytes()
    assert "votes.csv" in {file.file for file in one.files}
    assert (tmp_path / "two" / "manifest.json").exists()


def test_a_full_disk_in_the_second_process_is_an_error_here(large, tmp_path, monkeypatch):
    def full(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(Bundle, "_tables_alone", full)
    with pytest.raises(OSError, match="no space"):
        write_bundle(study=large, out=tmp_path)
    assert not (tmp_path / "manifest.json").exists()


def test_a_second_process_that_dies_is_an_error_here(large, tmp_path, monkeypatch):
    monkeypatch.setattr(Bundle, "_tables_alone", lambda *_: os._exit(1))
    with command_ends(ChildProcessError):
        call_command("export", large.slug, out=tmp_path)
    assert not (tmp_path / "manifest.json").exists()


def test_a_second_process_ends_without_the_first_and_leaves_no_partial_file(
    large, tmp_path, monkeypatch
):
    killed = SimpleNamespace(is_alive=lambda: False)
    monkeypatch.setattr(second_process.multiprocessing, "parent_process", lambda: killed)
    with pytest.raises(ProcessLookupError):
        write_bundle(study=large, out=tmp_path)
    assert not list(tmp_path.glob("votes.*"))
    assert not list(tmp_path.glob(".*.partial"))


def test_moments_of_votes_have_milliseconds_cut_off(large, tmp_path):
    Judgment.objects.update(
        first_at=datetime(2026, 3, 2, 9, 5, 7, 123987, tzinfo=UTC),
        answered_at=datetime(2026, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    )
    write_bundle(study=large, out=tmp_path)
    for row in jsonl(tmp_path / "votes.jsonl.gz"):
        assert row["first_at"] == "2026-03-02T09:05:07.123+00:00"
        assert row["answered_at"] == "2026-12-31T23:59:59.999+00:00"
