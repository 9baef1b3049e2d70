"""Nuggets in answers: all entries of an answer on one page, and nuggetizer's assignments."""

import json

import pytest

from analysis.inputs import frames
from analysis.inputs.measures import measures_of
from annotation.models import Assignment
from annotation.studies import batching
from judging.answering import recording
from judging.answering.recording import GivenAnswer
from judging.banks.importing import import_bank
from judging.banks.studies import method_of
from judging.design.designing import create_study, write_plans
from judging.design.plans import plans_of
from judging.items.drawing import draw_presentations
from judging.labels.importing import import_labels
from judging.models import Item, Judgment
from judging.raters.cells import cells_of
from judging.raters.registering import register
from tests.cast import NOW, begun, bob
from tests.judging.banks.bank_files import NUGGETIZER, as_lines
from tests.judging.banks.cast import entry
from tests.judging.queries.cast import passages

pytestmark = pytest.mark.django_db
BY = {"by": None, "now": NOW}
TEXTS = [nugget["text"] for nugget in NUGGETIZER["nuggets"]]


@pytest.fixture
def bank():
    corpus = passages()
    topic = corpus.topics.get(key="t1")
    for name in ("x", "y"):
        system = corpus.systems.create(key=name, name=name)
        corpus.responses.create(
            key=f"t1/{name}", topic=topic, system=system, text=f"{name} says 330 metres.",
            style="free", origin="llm", words=4,
        )  # fmt: skip
    return import_bank(corpus=corpus, name="b", content=as_lines([NUGGETIZER]), **BY).bank


def study_of(bank, slug="support", **how):
    file = method_of(bank, method="nugget-support", **how)
    study = create_study(
        slug=slug, title=slug, corpus=bank.corpus, instruments=[file], seed=1, contact="Rita"
    )
    write_plans(study=study, plans=plans_of(study=study, seed=1))
    return study


def slots(item):
    rows = item.slots.order_by("position")
    return [(slot.name, str(getattr(slot.content, "definition", slot.content))) for slot in rows]


def assignments(tmp_path, **values):
    """Return a file of nuggetizer: assignments of the nuggets to the answers of a run."""
    names = ("support", "partial_support", "not_support")
    nuggets = [
        {"text": text, "importance": nugget["importance"], "assignment": name}
        for text, nugget, name in zip(TEXTS, NUGGETIZER["nuggets"], names, strict=True)
    ]
    row = {"qid": "t1", "query": "q", "run_id": "x", "answer_text": "…", "nuggets": nuggets}
    path = tmp_path / "assignments.jsonl"
    path.write_text(json.dumps(row | values) + "\n")
    return path


def test_an_item_is_an_answer_with_all_entries_of_its_topic(bank):
    study = study_of(bank)
    items = list(Item.objects.filter(study=study).order_by("pk"))
    assert [slots(item) for item in items] == [
        [("response", f"t1/{name}"), *((f"e{n}", text) for n, text in enumerate(TEXTS, start=1))]
        for name in ("x", "y")
    ]


def test_assignments_of_nuggetizer_are_labels_of_a_model(bank, tmp_path):
    study = study_of(bank)
    rater = register(name="nuggetizer", kind="model", model="m", team=study.team)
    report = import_labels(study=study, path=assignments(tmp_path), rater=rater, now=NOW)
    assert (report.added, Item.objects.filter(study=study).count()) == (3, 2)
    scores = {cell.entry: cell.score for cell in cells_of(bank)}
    wanted = dict(zip(TEXTS, (1, 0.5, 0), strict=True))
    assert scores == {entry(bank, text).key: score for text, score in wanted.items()}
    assert {cell.response for cell in cells_of(bank)} == {bank.corpus.responses.first().pk}
    again = import_labels(study=study, path=assignments(tmp_path), rater=rater, now=NOW)
    assert (again.added, again.unchanged) == (0, 3)


def test_the_next_study_shows_an_answer_with_its_unknown_entries(bank, tmp_path):
    study = study_of(bank)
    rater = register(name="Ann", kind="expert", team=study.team)
    import_labels(study=study, path=assignments(tmp_path), rater=rater, now=NOW)
    other = study_of(bank, "other", cells="unknown")
    assert [slots(item)[0] for item in Item.objects.filter(study=other)] == [("response", "t1/y")]


def test_a_worker_answers_all_entries_of_an_answer_on_one_page(bank):
    study = study_of(bank)
    batching.open_batch(batch=study.batches.get(), now=NOW)
    work = begun(study, bob())
    first, *_ = draw_presentations(assignment=work)
    answers = [
        GivenAnswer(first.position, "supported", value, slot=f"e{n}")
        for n, value in enumerate(("support", "not_support", "partial_support"), start=1)
    ]
    recording.record(assignment=work, answers=answers, now=NOW)
    rows = Judgment.objects.filter(assignment=work).order_by("slot")
    assert list(rows.values_list("slot", "score")) == [("e1", 1), ("e2", 0), ("e3", 0.5)]
    Assignment.objects.filter(pk=work.pk).update(state="submitted", submitted_at=NOW)
    (measure,) = measures_of(study)
    frame = frames.votes(study=study, measure=measure)
    assert sorted(frame["score"]) == [0, 0.5, 1]
    assert frame["item"].nunique() == 3
