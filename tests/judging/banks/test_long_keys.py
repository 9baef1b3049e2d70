"""Entries whose keys have more than 100 characters are asked, graded, exported and read again."""

import gzip
import io

import pytest

from analysis.exports.exporting import stream
from analysis.exports.source import ExportSource
from analysis.models import AnalysisRun
from annotation.corpora.formats import rubric
from annotation.models import Corpus
from judging.banks import adding
from judging.banks.adding import NewEntry
from judging.labels.files import LabelLine
from judging.labels.importing import import_lines
from judging.labels.saving import LabelReport
from judging.models import Criterion, Item
from judging.raters.cells import cells_of
from judging.raters.registering import register
from tests.cast import NOW
from tests.judging.banks.cast import bank_of, entry
from tests.judging.banks.test_bank_studies import study_of

pytestmark = pytest.mark.django_db
TOPIC, FACET = "t" * 190, "f" * 200  # the longest that a corpus and a bank have


@pytest.fixture
def bank():
    corpus = Corpus.objects.create(slug="long", name="long")
    topic = corpus.topics.create(key=TOPIC, query="why?")
    topic.passages.create(key="p1", rank=1, text="Because.")
    made = bank_of([], corpus=corpus)
    new = [NewEntry(topic, "A reason", facet=FACET), NewEntry(topic, "A cause")]
    adding.add_all(bank=made, entries=new, state="confirmed", by=None, now=NOW)
    return made


def test_long_keys_are_asked_graded_and_exported(bank):
    study = study_of(bank)
    keys = {entry(bank, text).key for text in ("A reason", "A cause")}
    assert max(map(len, keys)) > 400
    assert keys <= set(Criterion.objects.values_list("key", flat=True))
    assert Item.objects.filter(study=study).count() == 2
    for line in Item.objects.filter(study=study).values_list("key", flat=True):
        assert len(line) <= 500
    graded_by_key(study, bank)
    assert {(cell.entry, cell.score) for cell in cells_of(bank)} == {(key, 4) for key in keys}
    run = AnalysisRun(study=study, parameters={"pool": "experts"}, seed=1)
    source = ExportSource.of(study, run=run)
    content = gzip.decompress(b"".join(stream(source=source, name="rubric_bank.jsonl.gz")))
    ((_, read),) = rubric.banks(io.StringIO(content.decode()))
    assert {item.text for item in read.items} == {"A reason", "A cause"}
    assert entry(bank, "A cause").key in {item.key for item in read.items}


def graded_by_key(study, bank):
    rater = register(name="Ann", kind="expert", team=study.team)
    lines = [
        LabelLine(
            number=n, value="4", topic=TOPIC, comment="",
            contents={"criterion": entry(bank, text).key, "passage": "p1"},
        )
        for n, text in enumerate(("A reason", "A cause"), start=1)
    ]  # fmt: skip
    import_lines(
        study=study, lines=lines, rater=rater, now=NOW, report=LabelReport("f"),
        question=study.questions.get().key,
    )  # fmt: skip
