"""The files of an export: the same bytes for the same data, all or none, and of any size."""

import tracemalloc
from dataclasses import replace

import pytest

from analysis.exports import encodings, exporting
from analysis.exports.catalogue import TABLES
from analysis.exports.exporting import write_bundle
from analysis.exports.source import ExportSource
from judging.models import Item, Judgment, Presentation
from tests.analysis.coded_errors import cannot_export
from tests.analysis.exports.exported import judged_study
from tests.cast import bob, small_corpus, small_study, submitted, worker

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.storage,
    pytest.mark.usefixtures("few_analyses"),
]


def test_the_same_data_are_the_same_bytes(tmp_path):
    study = judged_study("bob", "alice")
    first, second = (write_bundle(study=study, out=tmp_path / name) for name in "ab")
    assert first.files == second.files
    for file in first.files:
        assert (tmp_path / "a" / file.file).read_bytes() == (
            tmp_path / "b" / file.file
        ).read_bytes()


def test_a_study_without_analysis_exports_what_needs_none(tmp_path):
    study = small_study()
    submitted(study, bob())
    (tmp_path / "ratings.csv").write_text("of an earlier export")
    manifest = write_bundle(study=study, out=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "DATA.md",
        "assignments.csv",
        "assignments.jsonl.gz",
        "manifest.json",
        "participants.csv",
        "participants.jsonl.gz",
        "responses.csv",
        "responses.jsonl.gz",
        "votes.csv",
        "votes.jsonl.gz",
    ]
    assert manifest.run is None
    assert set(manifest.left_out.values()) == {
        "Study lamps has not been analysed yet: close its batch or run analyse first."
    }
    with cannot_export("not_analysed"):
        exporting.stream(source=ExportSource.of(study), name="grades.csv")


def test_a_failed_export_leaves_the_old_file_and_no_manifest(tmp_path, monkeypatch):
    study = judged_study("bob")
    write_bundle(study=study, out=tmp_path)
    before = (tmp_path / "responses.csv").read_bytes()

    def full(self, rows):
        raise OSError("no space left on device")

    monkeypatch.setattr(encodings.CsvEncoder, "rows", full)
    with pytest.raises(OSError, match="no space"):
        write_bundle(study=study, out=tmp_path)
    assert (tmp_path / "responses.csv").read_bytes() == before
    assert not (tmp_path / "manifest.json").exists()
    assert not list(tmp_path.glob(".*"))


def test_memory_does_not_grow_with_the_study():
    small, large = (_peak(study) for study in (_votes_of(400), _votes_of(2000)))
    assert large < 1.3 * small + 500_000


def _votes_of(items):
    """Return a study with so many items and votes, each vote with a comment of 2,000 characters."""
    corpus = small_corpus(slug=f"c{items}")
    study = small_study(slug=f"s{items}", corpus=corpus)
    assignment = submitted(study, worker(f"w{items}"))
    item, judgment = study.items.get(), Judgment.objects.get(assignment=assignment)
    more = Item.objects.bulk_create(
        Item(study=study, kind="pair", key=f"{n}", unit=f"{n}", topic=item.topic)
        for n in range(items)
    )
    for n, each in enumerate(more):
        Presentation.objects.create(
            assignment=assignment,
            item=each,
            instrument=study.instruments.get(),
            position=n + 2,
            order="a,b",
        )
        judgment.pk, judgment.item, judgment.comment = None, each, f"{n:<2000}"
        judgment.save(force_insert=True)
    return study


def _peak(study):
    source = ExportSource.of(study)
    sum(map(len, exporting.stream(source=source, name="responses.csv")))
    tracemalloc.start()
    size = sum(map(len, exporting.stream(source=source, name="votes.csv")))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size > 2000 * (Judgment.objects.filter(assignment__study=study).count() - 1)
    return peak


def test_a_file_without_rows_is_refused_and_left_out(tmp_path, monkeypatch):
    study = judged_study("bob")
    empty = replace(TABLES["grades"], rows=lambda source: iter(()))
    monkeypatch.setitem(TABLES, "grades", empty)
    with cannot_export("no_rows", match=r"grades\.csv"):
        exporting.stream(source=ExportSource.of(study), name="grades.csv")
    manifest = write_bundle(study=study, out=tmp_path)
    assert {"grades.csv", "grades.jsonl.gz"} <= set(manifest.left_out)
    assert not list(tmp_path.glob("grades*"))
    assert not {"grades.csv", "grades.jsonl.gz"} & {file.file for file in manifest.files}
