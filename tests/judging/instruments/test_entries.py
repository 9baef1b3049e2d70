"""The key of a nugget is the md5 of its own text; an edited nugget is a new one."""

import gzip
import json
from importlib import import_module

import msgspec
import pytest
from django.apps import apps
from django.core.management import call_command
from django.utils import timezone

from analysis.exports.exporting import stream
from analysis.exports.source import ExportSource
from annotation.corpora.formats import rubric
from annotation.models import Study
from annotation.studies.drafts.making import document_of_methods
from judging.design.designing import create_study
from judging.drafts.documents import faults
from judging.drafts.warnings import remarks
from judging.instruments.entries import with_own_keys
from judging.instruments.files import load
from judging.instruments.schema import CriterionSpec
from judging.labels import importing_files
from judging.labels.importing_files import LabelFile, bring_grades
from judging.labels.rubric import read
from judging.labels.rubric_importing import CannotImport
from judging.models import Criterion, Item, Judgment
from tests.coded_errors import command_ends
from tests.hooks import numbers
from tests.judging.labels.test_rubric_importing import IDS, TEXTS, VECTOR, bank, exam, passage

pytestmark = pytest.mark.django_db
NEW = "What it really is."
EDITED = rubric.entry_id("q1", NEW)


@pytest.fixture
def files(tmp_path):
    """Return a bank and grades on it, as files."""
    (tmp_path / "bank.jsonl").write_bytes(b"".join(rubric.written([bank()])))
    graded = [passage(key, exam(row)) for key, row in VECTOR.items()]
    packed = gzip.compress(b"".join(rubric.written([("q1", graded)])))
    (tmp_path / "passages.jsonl.gz").write_bytes(packed)
    return tmp_path


@pytest.fixture
def imported(files):
    paths = [str(files / name) for name in ("bank.jsonl", "passages.jsonl.gz")]
    call_command("import_rubric", "points", *paths)
    return Study.objects.get(slug="points")


def edited_instrument(imported):
    """Return the nuggets of the bank, the first in other words, under the key that it had."""
    entries = Criterion.objects.filter(instrument__study=imported, questions=None).order_by("pk")
    ready = load("nuggets")
    chosen_criterions = [criterion for criterion in ready.criteria if criterion.key == "addressed"]
    points = [CriterionSpec(entry.key, entry.name, entry.definition, "q1") for entry in entries]
    points[0] = msgspec.structs.replace(points[0], name=NEW, definition=NEW)
    return msgspec.structs.replace(ready, criteria=[*chosen_criterions, *points])


def test_grades_of_the_old_wording_do_not_come_to_the_new_one(imported, files):
    study = create_study(
        slug="edited", title="Edited", corpus=imported.corpus,
        instruments=[edited_instrument(imported)], seed=1,
    )  # fmt: skip
    entries = Criterion.objects.filter(instrument__study=study, questions=None)
    assert {entry.key: entry.definition for entry in entries} == {
        EDITED: NEW, **dict(zip(IDS[1:], TEXTS[1:], strict=True)),
    }  # fmt: skip
    file = LabelFile(files / "passages.jsonl.gz", bounds=importing_files.BOUNDS)
    brought = bring_grades(study=study, file=file, by=None, now=timezone.now(), unknown="make")
    grades = Judgment.objects.filter(item__study=study)
    assert grades.count() == 9
    assert not grades.filter(item__slots__criterion__key=EDITED).exists()
    assert 3 in dict(brought.left_out).values()


def test_a_draft_says_that_an_edited_entry_is_new(imported):
    document = document_of_methods(
        kind="judging", instruments=[edited_instrument(imported)], corpus=imported.corpus
    )
    sentences = [remark.sentence for remark in remarks(document, None)]
    assert any(1 in numbers(sentence) for sentence in sentences)
    file = edited_instrument(imported)
    points = [
        msgspec.structs.replace(criterion, name=TEXTS[1], definition=TEXTS[1])
        if criterion.key == IDS[0]
        else criterion
        for criterion in file.criteria
    ]
    same = document_of_methods(
        kind="judging", instruments=[msgspec.structs.replace(file, criteria=points)],
        corpus=imported.corpus,
    )  # fmt: skip
    assert any("same text" in fault.sentence for fault in faults(same))


def test_names_and_unchanged_entries_keep_their_keys():
    assert with_own_keys(load("nuggets")) == load("nuggets")
    spec = CriterionSpec(IDS[0], TEXTS[0], TEXTS[0], "q1")
    file = msgspec.structs.replace(load("nuggets"), criteria=[*load("nuggets").criteria, spec])
    assert with_own_keys(file) == file


def test_a_bank_with_the_id_of_another_text_brings_a_new_entry(files):
    changed = bank()
    changed.items[0] = rubric.RubricEntry(query_id="q1", nugget_id=IDS[0], nugget_text=NEW)
    path = files / "changed.jsonl"
    path.write_bytes(b"".join(rubric.written([changed])))
    found = read(bank=path, passages=files / "passages.jsonl.gz")
    assert {entry.key for entry in found.entries} == {EDITED, *IDS[1:]}
    graded = [line.contents["criterion"] for lines in found.grades.values() for line in lines]
    assert len(graded) == 9
    assert EDITED not in graded
    assert 1 in found.left_out.values()


def test_the_same_bank_in_other_words_is_another_study(imported, files):
    named = bank()
    named.items[0] = rubric.RubricEntry(query_id="q1", nugget_id="q1/what", nugget_text=TEXTS[0])
    path = files / "named.jsonl"
    path.write_bytes(b"".join(rubric.written([named])))
    call_command("import_rubric", "named", str(path), corpus="dl20")
    named.items[0] = rubric.RubricEntry(query_id="q1", nugget_id="q1/what", nugget_text=NEW)
    path.write_bytes(b"".join(rubric.written([named])))
    with command_ends(CannotImport, match="named"):
        call_command("import_rubric", "named", str(path), corpus="dl20")


def test_the_migration_separates_imported_grades_from_the_new_wording(imported):
    """Models that the platform asked read the new text; what was imported named the old one."""
    entry = Criterion.objects.get(instrument__study=imported, key=IDS[0])
    Criterion.objects.filter(pk=entry.pk).update(name=NEW, definition=NEW)
    items = Item.objects.filter(study=imported, slots__criterion=entry)
    keys = set(items.values_list("key", flat=True))
    migration = import_module("judging.migrations.0025_edited_entries_are_new_entries")
    migration.separate_wordings(apps, None)
    entry.refresh_from_db()
    assert entry.key == EDITED
    assert not Judgment.objects.filter(item__slots__criterion=entry).exists()
    earlier = Criterion.objects.get(instrument__study=imported, key=IDS[0])
    assert earlier.name == f"Earlier wording of: {NEW}"
    moved = Judgment.objects.filter(item__slots__criterion=earlier)
    assert sorted(moved.values_list("score", flat=True)) == [0, 4, 5]
    assert set(moved.values_list("item__key", flat=True)) == keys
    assert Judgment.objects.count() == 12
    assert all(EDITED in key for key in items.values_list("key", flat=True))
    migration.separate_wordings(apps, None)  # again: nothing is left to do for the new wording
    entry.refresh_from_db()
    assert entry.key == EDITED


def test_the_migration_leaves_what_was_not_edited(imported):
    before = set(Item.objects.values_list("key", flat=True))
    migration = import_module("judging.migrations.0025_edited_entries_are_new_entries")
    migration.separate_wordings(apps, None)
    assert set(Item.objects.values_list("key", flat=True)) == before
    assert set(Criterion.objects.filter(questions=None).values_list("key", flat=True)) == set(IDS)


def test_an_exported_nugget_is_called_by_its_own_text(imported):
    entry = Criterion.objects.get(instrument__study=imported, key=IDS[0])
    Criterion.objects.filter(pk=entry.pk).update(name=NEW, definition=NEW)
    written = stream(source=ExportSource.of(imported), name="rubric_bank.jsonl.gz")
    (row,) = map(json.loads, gzip.decompress(b"".join(written)).splitlines())
    ids = {item_row["nugget_text"]: item_row["nugget_id"] for item_row in row["items"]}
    assert ids == {NEW: EDITED, **dict(zip(TEXTS[1:], IDS[1:], strict=True))}
