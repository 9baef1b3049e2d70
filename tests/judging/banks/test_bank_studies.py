"""A study from a bank keeps its revision; cells of all studies of a bank are read together."""

import gzip
import json

import pytest
from django.core.management import CommandError, call_command

from analysis.exports.exporting import stream
from analysis.exports.source import ExportSource
from analysis.models import AnalysisRun
from annotation.corpora.shown_texts import ShownTexts
from annotation.models import Study
from annotation.refusals import Refusal
from judging.answering.pages import slots_of
from judging.banks import deciding
from judging.banks.appending import Change
from judging.banks.entries_at import confirmed_at
from judging.banks.studies import method_of, retired_since
from judging.design.designing import create_study, write_plans
from judging.design.plans import plans_of
from judging.drafts.documents import made_from
from judging.instruments.files import BadInstrument
from judging.labels.files import LabelLine
from judging.labels.importing import import_lines
from judging.labels.saving import LabelReport
from judging.models import Bank, Item, Judgment, Presentation
from judging.raters.cells import cells_of, known_texts
from judging.raters.registering import register
from tests.cast import NOW
from tests.judging.banks.bank_files import RUBRIC_CODE, RUBRIC_PAPER, as_lines
from tests.judging.banks.cast import TEXTS, bank_of, entry
from tests.judging.queries.cast import passages

pytestmark = pytest.mark.django_db
BY = {"by": None, "now": NOW}


def study_of(bank, slug="first", **how):
    study = create_study(
        slug=slug, title=slug, corpus=bank.corpus, instruments=[method_of(bank, **how)], seed=1,
        contact="Rita",
    )  # fmt: skip
    write_plans(study=study, plans=plans_of(study=study, seed=1))
    return study


def graded(study, bank, text, passage, grade, *, topic="t1", kind="expert", name="Ann"):
    more = {"model": "m"} if kind == "model" else {}
    rater = register(name=name, kind=kind, team=study.team, **more)
    contents = {"criterion": entry(bank, text).key, "passage": passage}
    line = LabelLine(number=1, value=str(grade), topic=topic, comment="", contents=contents)
    import_lines(
        study=study, lines=[line], rater=rater, now=NOW, report=LabelReport("f"),
        question=study.questions.get().key,
    )  # fmt: skip


@pytest.fixture
def bank():
    return bank_of(state="confirmed")


def asked(study):
    """Return the cells that a study asks: text of the entry, key of the passage."""
    rows = Item.objects.filter(study=study).values_list(
        "slots__criterion__definition", "slots__passage__key", "pk"
    )
    texts = {pk: text for text, _, pk in rows if text}
    return {(texts[pk], key) for _, key, pk in rows if key}


def test_the_page_of_an_entry_shows_its_text_once(bank):
    item = Item.objects.filter(study=study_of(bank), slots__criterion__definition=TEXTS[0])[0]
    names = ",".join(item.slots.order_by("name").values_list("name", flat=True))
    shown = slots_of(
        Presentation(item=item, order=names), texts=ShownTexts(item.study, lambda key: key)
    )
    [words] = [slot for slot in shown if TEXTS[0] in f"{slot.title}{slot.html}"]
    assert (words.title, words.html.count(TEXTS[0])) == ("", 1)


def test_a_study_asks_the_confirmed_entries_and_keeps_the_revision(bank):
    study = study_of(bank)
    instrument = study.instruments.get()
    assert (instrument.bank, instrument.bank_revision) == (bank, 3)
    assert retired_since(study) == []
    assert asked(study) == {(text, f"p{n}") for text in TEXTS for n in (1, 2, 3)}
    old = entry(bank, TEXTS[0])
    deciding.edit(bank=bank, entry=old.pk, shown=old.revision, text="Reworded", **BY)
    assert method_of(bank).bank_revision == 5
    assert retired_since(study) == [(bank, 1)]
    assert "Reworded" not in {text for text, _ in asked(study)}
    assert [c.definition for c in method_of(bank, revision=3).criteria[1:]] == TEXTS
    (again,) = made_from(study)
    assert (again.bank, again.bank_revision) == ("towers", 3)


def test_a_bank_without_confirmed_entries_or_of_another_corpus_is_refused(bank):
    with pytest.raises(Refusal) as refused:
        method_of(bank_of([], corpus=bank_of([], corpus=other_corpus()).corpus, name="b"))
    assert refused.value.code == "EmptyBank"
    with pytest.raises(BadInstrument):
        create_study(
            slug="x", title="x", corpus=other_corpus("else"), instruments=[method_of(bank)], seed=1
        )


def other_corpus(slug="other"):
    return passages(slug)


def test_cells_of_all_studies_are_read_and_an_edit_has_none(bank):
    first, second = study_of(bank), study_of(bank, "second")
    graded(first, bank, TEXTS[0], "p1", 5)
    graded(second, bank, TEXTS[0], "p2", 3, kind="model", name="judge")
    graded(second, bank, TEXTS[1], "p2", 0)
    cells = list(cells_of(bank))
    keys = [entry(bank, text).key for text in (TEXTS[0], TEXTS[0], TEXTS[1])]
    assert sorted((cell.entry, cell.score) for cell in cells) == sorted(
        zip(keys, (5, 3, 0), strict=True)
    )
    assert {cell.study for cell in cells} == {first.pk, second.pk}
    assert [cell.kind for cell in cells_of(bank, raters=["model"])] == ["model"]
    old = entry(bank, TEXTS[0])
    deciding.edit(bank=bank, entry=old.pk, shown=old.revision, text="Reworded", **BY)
    assert entry(bank, "Reworded").key not in known_texts(bank)


def test_the_next_study_asks_only_unknown_cells(bank):
    first = study_of(bank)
    for text in TEXTS:
        for passage in ("p1", "p2", "p3"):
            graded(first, bank, text, passage, 1)
    old = entry(bank, TEXTS[0])
    deciding.edit(bank=bank, entry=old.pk, shown=old.revision, text="Reworded", **BY)
    second = study_of(bank, "second", cells="unknown")
    assert asked(second) == {("Reworded", f"p{n}") for n in (1, 2, 3)}
    assert len(asked(study_of(bank, "third"))) == 9


def test_a_models_grade_leaves_a_cell_unknown_to_people(bank):
    first = study_of(bank)
    graded(first, bank, TEXTS[0], "p1", 1, kind="model", name="judge")
    graded(first, bank, TEXTS[0], "p2", 1)
    second = study_of(bank, "second", cells="unknown")
    assert len(asked(second)) == 8
    assert (TEXTS[0], "p1") in asked(second)


def test_trials_have_no_cells(bank):
    first = study_of(bank)
    graded(first, bank, TEXTS[0], "p1", 1)
    Study.every.filter(pk=first.pk).update(purpose="trial")
    assert list(cells_of(bank)) == []


def test_taken_back_grades_are_no_cells(bank):
    first = study_of(bank)
    graded(first, bank, TEXTS[0], "p1", 1)
    Judgment.objects.update(raw="", value="")
    assert known_texts(bank) == {}


def test_a_secret_entry_is_not_in_the_bank_file_of_a_study(bank):
    study = study_of(bank)
    row = entry(bank, TEXTS[0])
    deciding.decide(bank=bank, shown={row.pk: row.revision}, change=Change(secret=True), **BY)
    run = AnalysisRun(study=study, parameters={"pool": "people"}, seed=1)
    source = ExportSource.of(study, run=run)
    content = gzip.decompress(b"".join(stream(source=source, name="rubric_bank.jsonl.gz")))
    assert TEXTS[0].encode() not in content
    assert TEXTS[1].encode() in content


# -- The command line --------------------------------------------------------------------------
def test_a_bank_is_imported_decided_and_exported_by_command(tmp_path, capsys):
    corpus = other_corpus("towers")
    path, out = tmp_path / "bank.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(as_lines([RUBRIC_CODE]))
    call_command("bank", corpus.slug, "import", "exam", str(path))
    call_command("bank", corpus.slug, "export", "exam", "--format=rubric", f"--out={out}")
    assert json.loads(out.read_bytes()) == RUBRIC_CODE
    bank = Bank.objects.get()
    key = entry(bank, "How high is it?").key
    call_command("bank", corpus.slug, "decide", "exam", key, "--state=retired", "--secret=yes")
    assert entry(bank, "How high is it?").secret
    capsys.readouterr()
    call_command("bank", corpus.slug, "entries", "exam", "--state=confirmed")
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["text"] == "Who built it?"
    call_command("bank", corpus.slug, "method", "exam")
    method = tmp_path / "method.json"
    method.write_text(capsys.readouterr().out)
    call_command(
        "create_study",
        "made",
        corpus=corpus.slug,
        instrument=[str(method)],
        contact="Rita",
        write=True,
    )
    assert Study.objects.get().instruments.get().bank == bank
    with pytest.raises(CommandError):
        call_command("bank", corpus.slug, "decide", "exam", "unknown", "--state=retired")


def test_import_rubric_makes_the_bank_of_its_study(tmp_path):
    paper = tmp_path / "bank.jsonl"
    paper.write_bytes(as_lines([RUBRIC_PAPER]))
    with pytest.raises(CommandError):
        call_command("import_rubric", "exam", str(paper))
    call_command("import_rubric", "exam", str(paper), corpus="towers")
    instrument = Study.objects.get().instruments.get()
    assert (instrument.bank.name, instrument.bank_revision) == ("exam", 2)
    texts = {row.text for row in confirmed_at(instrument.bank)}
    assert texts == {"How high is it?", "Who built it?"}
