"""A study of several instruments: each asks its questions of its items, in one questionnaire."""

import json
from io import StringIO

import msgspec
import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from analysis.exports import votes_and_labels as export_rows
from analysis.exports.export_column import header
from analysis.exports.source import ExportSource
from annotation.fieldwork.work.placeholders import filled
from annotation.fieldwork.work.refusals import Incomplete
from annotation.models import Study
from judging.answering import recording
from judging.design.plans import plans_of
from judging.designers.questionnaires import CannotDesign
from judging.instruments import files
from judging.instruments.files import BadInstrument, load
from judging.instruments.schema import InstrumentFile
from judging.items.drawing import draw_presentations
from judging.models import Criterion, Instrument, Judgment, Presentation, TaskItem
from judging.simulation.simulating import crowd, simulate
from tests.cast import (
    NOW,
    answer_all,
    begun,
    bob,
    draft_study,
    open_study,
    rita,
    small_corpus,
    small_study,
    submitted,
)
from tests.coded_errors import raises
from tests.hooks import element
from tests.refusals import not_an_answer

pytestmark = pytest.mark.django_db


def named(name: str, of: str = "best-worst", **changes: object) -> InstrumentFile:
    """Return a bundled instrument under another name."""
    return msgspec.structs.replace(load(of), name=name, title=f"Part {name}", **changes)


def two_of_blocks(**settings: object) -> Study:
    """Quality and clarity of the same blocks, with questions of the same keys."""
    study = draft_study(instruments=[named("quality"), named("clarity")], responses=5, **settings)
    return open_study(study)


def pairs_and_texts(**settings: object) -> Study:
    instruments = [load("crowdrag-pairwise"), load("crowdrag-pointwise")]
    return open_study(draft_study(instruments=instruments, responses=4, **settings))


def asked(assignment):
    """Return the questions by place: (key of the instrument, key of the item)."""
    return [
        (presentation.instrument.key, presentation.item.key)
        for presentation in draw_presentations(assignment=assignment)
    ]


def choose_all(assignment):
    """Choose the first text of each block as the best, the second as the worst."""
    given = [
        recording.GivenAnswer(presentation.position, question, raw)
        for presentation in draw_presentations(assignment=assignment)
        for question, raw in (("quality_best", "a"), ("quality_worst", "b"))
    ]
    recording.record(assignment=assignment, answers=given, now=NOW)


# -- How it is made ---------------------------------------------------------------------------


def test_it_is_made_from_several_files(tmp_path):
    small_corpus(topics=2, responses=5)
    path = tmp_path / "clarity.json"
    path.write_text(json.dumps(files.as_json(named("clarity"))))
    output = StringIO()
    call_command(
        "create_study",
        *["lamps", "--corpus", "lamps", "--instrument", "best-worst", "--instrument", str(path)],
        "--write",
        stdout=output,
    )
    study = Study.objects.get()
    assert [instrument.key for instrument in study.instruments.all()] == ["best-worst", "clarity"]
    assert study.instrument == "best-worst, clarity"
    assert (study.minutes, study.minimum_seconds) == (40, 640)
    assert [question.position for question in study.questions.all()] == [1, 2, 3, 4]
    items = study.items.count()
    assert f"Part clarity: {items} items" in output.getvalue()
    assert f"{items * 5 * 4} judgments" in output.getvalue()
    assert TaskItem.objects.count() == 2 * items
    assert {"best-worst", "clarity"} == set(study.batches.get().design["instruments"])
    assert len(study.exit_form) == len(load("best-worst").exit_form)
    assert "# Part 2 of 2: Part clarity" in study.instructions


def test_the_same_instrument_is_not_asked_twice():
    with raises(BadInstrument, "repeated_instrument", match="quality"):
        draft_study(instruments=[named("quality"), named("quality")])


def test_each_instrument_makes_items_of_its_own_kind_by_its_own_designer():
    study = pairs_and_texts()
    by_kind = {
        instrument.key: set(instrument.task_items.values_list("item__kind", flat=True))
        for instrument in study.instruments.all()
    }
    assert by_kind == {"crowdrag-pairwise": {"pair"}, "crowdrag-pointwise": {"response"}}
    designs = study.batches.get().design["instruments"]
    assert [design["designer"] for design in designs.values()] == ["all_pairs", "pool"]


def test_parts_are_dealt_into_as_many_questionnaires_each():
    study = draft_study(
        instruments=[load("crowdrag-pairwise"), load("crowdrag-pointwise")], topics=2, responses=4
    )
    pairs, texts = plans_of(study=study, seed=1, items_per_questionnaire=4, reversed_share=0)
    assert [len(questionnaire) for questionnaire in pairs.design.questionnaires] == [4, 4, 4]
    assert sorted(len(questionnaire) for questionnaire in texts.design.questionnaires) == [2, 3, 3]
    assert sorted(
        i for questionnaire in texts.design.questionnaires for i in questionnaire
    ) == list(range(8))


def test_different_quotas_are_one_sentence():
    study = draft_study(instruments=[load("crowdrag-pairwise"), load("retrieval-relevance")])
    with raises(CannotDesign, "different_quotas", match="3 and 5"):
        plans_of(study=study, seed=1)


def test_too_few_items_for_all_questionnaires_are_one_sentence():
    study = draft_study(
        instruments=[load("crowdrag-pairwise"), load("crowdrag-pointwise")], responses=5
    )
    with raises(CannotDesign, "too_few_items", match=r"5 .* 'response' .* 10"):
        plans_of(study=study, seed=1, items_per_questionnaire=1, reversed_share=0)


def test_criteria_of_one_key_in_two_instruments_make_no_items_of_one_key():
    corpus = small_corpus()
    corpus.topics.get().passages.create(key="p1", rank=1, text="Lamps shine.")
    points = [named(name, "nuggets") for name in ("facts", "views")]
    study = open_study(draft_study(instruments=points, corpus=corpus))
    criteria = Criterion.objects.filter(questions=None).count()
    assert study.items.count() == criteria > 0
    pages = draw_presentations(assignment=begun(study, bob()))
    assert len(pages) == len({page.item_id for page in pages})


@pytest.mark.parametrize(
    ("model", "constraint"),
    [
        (Instrument, "instrument_key_once_per_study"),
        (Criterion, "criterion_key_once_per_instrument"),
        (TaskItem, "item_asked_once_per_task"),
    ],
)
def test_what_is_named_once_is_held_by_the_database(model, constraint):
    two_of_blocks()
    row = model.objects.first()
    row.pk = None
    if hasattr(row, "position"):
        row.position = 99
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)
    assert constraint in {constraint.name for constraint in model._meta.constraints}


# -- How it is answered -----------------------------------------------------------------------


def test_what_is_asked_of_a_block_stands_together_with_its_texts_where_they_were():
    assignment = begun(two_of_blocks(), bob())
    pages = draw_presentations(assignment=assignment)
    assert [page.position for page in pages] == list(range(1, len(pages) + 1))
    for first, second in zip(pages[::2], pages[1::2], strict=True):
        assert (first.item_id, first.order) == (second.item_id, second.order)
        assert (first.instrument.key, second.instrument.key) == ("quality", "clarity")
    assert (
        len({page.item_id for page in pages}) == len(pages) // 2 == assignment.study.items.count()
    )


def test_parts_follow_one_another():
    keys = [key for key, _ in asked(begun(pairs_and_texts(), bob()))]
    assert keys == ["crowdrag-pairwise"] * 6 + ["crowdrag-pointwise"] * 4


def test_an_instrument_may_keep_the_order_of_its_items():
    fixed = [named("quality", item_order="fixed"), load("crowdrag-pointwise")]
    study = open_study(draft_study(instruments=fixed, responses=6))
    assignment = begun(study, bob())
    designed = TaskItem.objects.filter(instrument__key="quality").order_by("position")
    wanted = list(designed.values_list("item__key", flat=True))
    assert [item for key, item in asked(assignment) if key == "quality"] == wanted


def test_a_page_takes_answers_to_the_questions_of_its_instrument_alone():
    instruments = [load("best-worst"), load("crowdrag-pointwise")]
    assignment = begun(open_study(draft_study(instruments=instruments, responses=4)), bob())
    draw_presentations(assignment=assignment)
    given = recording.GivenAnswer(2, "quality_best", "a")
    with not_an_answer("unknown_question"):
        recording.record(assignment=assignment, answers=[given], now=NOW)
    assert not Judgment.objects.exists()


def test_questions_of_one_key_are_told_by_their_page():
    assignment = begun(two_of_blocks(), bob())
    draw_presentations(assignment=assignment)
    given = [
        recording.GivenAnswer(position, "quality_best", raw)
        for position, raw in ((1, "a"), (2, "b"))
    ]
    recording.record(assignment=assignment, answers=given, now=NOW)
    rows = Judgment.objects.order_by("question__position")
    assert list(rows.values_list("question__instrument__key", "raw")) == [
        ("quality", "a"),
        ("clarity", "b"),
    ]
    # The best for one criterion may be the worst for the other.
    recording.record(
        assignment=assignment, answers=[recording.GivenAnswer(1, "quality_worst", "b")], now=NOW
    )
    with not_an_answer("chosen_twice"):
        recording.record(
            assignment=assignment, answers=[recording.GivenAnswer(2, "quality_worst", "b")], now=NOW
        )


def test_it_is_complete_when_each_page_has_the_answers_to_its_own_questions():
    assignment = begun(pairs_and_texts(), bob())
    pages = draw_presentations(assignment=assignment)
    answer_all(assignment)
    last = pages[-1]
    Judgment.objects.filter(item=last.item_id, question__key="correctness_topical").delete()
    with pytest.raises(Incomplete) as refusal:
        recording.submit(assignment=assignment, now=NOW)
    assert refusal.value.positions == [last.position]
    answer_all(assignment)
    assert recording.submit(assignment=assignment, now=NOW).state == "submitted"


def test_a_page_says_which_part_it_is_and_counts_all_pages():
    assignment = begun(pairs_and_texts(), bob())
    answer_all(assignment)
    client = Client()
    first = client.get(f"/w/{assignment.token}/judging/1/").content.decode()
    last = client.get(f"/w/{assignment.token}/judging/10/")
    assert element(first, "data-part-number").numbers == [1, 2]
    assert "1 of 10" in first
    assert last.context["wanted"] == len(last.context["questions"]) == 7
    assert [instrument.key for instrument in last.context["part"].instruments] == [
        "crowdrag-pointwise"
    ]
    assert {dot.state for dot in last.context["dots"]} == {"done"}


def test_the_figures_of_a_part_are_its_own():
    assignment = begun(pairs_and_texts(), bob())
    told = filled("{items}, {items:pair}, {items:response}, {items:block}", assignment)
    assert told == "10, 6, 4, 0"
    assert "{items" not in filled(assignment.study.instructions, assignment)
    untasked = draft_study(slug="untasked", corpus=assignment.study.corpus)
    assert filled("{items:pair}", untasked) == "some"


def test_pages_and_answers_take_as_many_queries_as_with_one_instrument():
    one = draft_study(instrument="best-worst", slug="one", corpus=small_corpus(responses=5))
    two = draft_study(
        instruments=[named("quality"), named("clarity")],
        slug="two",
        corpus=small_corpus(slug="more", responses=5),
    )
    counts = []
    for study in (one, two):
        assignment = begun(open_study(study), bob())
        choose_all(assignment)
        page = f"/w/{assignment.token}/judging/1/"
        Client().get(page)  # from here on the questions are known
        with CaptureQueriesContext(connection) as of_page:
            Client().get(page)
        with CaptureQueriesContext(connection) as of_answer:
            given = [recording.GivenAnswer(2, "quality_best", "c")]
            recording.record(assignment=assignment, answers=given, now=NOW)
        counts.append((len(of_page), len(of_answer)))
        recording.submit(assignment=assignment, now=NOW)
    assert counts[0] == counts[1]


def test_a_study_of_one_instrument_names_no_part():
    assignment = begun(small_study(instrument="best-worst", responses=5), bob())
    page = Client().get(f"/w/{assignment.token}/judging/1/")
    assert page.context["part"] is None
    assert "panel-part" not in page.content.decode()


def test_the_page_of_the_study_lists_its_instruments(client):
    client.force_login(rita())
    study = pairs_and_texts()
    page = strip_tags(client.get(study.get_absolute_url()).content.decode())
    assert "6 items, 7 questions" in page
    assert "4 items, 7 questions" in page


# -- What becomes of it -----------------------------------------------------------------------


def test_a_crowd_answers_it_and_the_votes_name_their_instrument():
    study = open_study(
        draft_study(instruments=[named("quality"), named("clarity")], responses=5), quota=3
    )
    done = list(simulate(study=study, workers=crowd(workers=5, spammers=0, seed=1), now=NOW))
    assert len(done) == 3
    source = ExportSource.of(study)
    rows = list(export_rows.votes(source))
    assert len(rows) == Judgment.objects.count() == 2 * Presentation.objects.count()
    assert {row["instrument"] for row in rows} == {"quality", "clarity"}
    assert set(rows[0]) == set(header(export_rows.VOTES, source))
    described = {key for column in export_rows.VOTES for key, _ in column.described(source)}
    assert set(rows[0]) <= described  # in DATA.md
    for row in rows:
        page = Presentation.objects.get(
            assignment__worker__pseudonym=row["worker"], position=row["position"]
        )
        assert page.instrument.key == row["instrument"]


def test_the_votes_of_a_study_of_one_instrument_have_the_columns_that_they_had():
    study = small_study()
    submitted(study, bob())
    columns = header(export_rows.VOTES, ExportSource.of(study))
    assert "instrument" not in columns
    assert "instrument" not in next(iter(export_rows.votes(ExportSource.of(study))))
