"""A study made from an instrument, and its design written down."""

import pytest

from annotation.models import Response, Task, TaskExposure
from annotation.studies.drafts.making import document_of_methods
from judging.design import designing, previews
from judging.design.plans import plans_of
from judging.drafts.documents import faults
from judging.instruments.files import load
from judging.models import Item, Question, Scale, TaskItem
from tests.cast import design_batch, draft_study, rita, small_corpus, small_study

pytestmark = pytest.mark.django_db


def plan_of(study, **changes):
    """Return the plan of a study of one instrument."""
    figures = {"seed": 1, "items_per_questionnaire": 4, "quota": 3}
    (plan,) = plans_of(study=study, **(figures | changes))
    return plan


# -- The study --------------------------------------------------------------------------------


def test_a_study_asks_what_its_instrument_asks():
    study = draft_study(instrument="crowdrag-pairwise", created_by=rita())
    instrument = load("crowdrag-pairwise")
    rows = [(question.key, question.scale.key, question.text) for question in study.questions.all()]
    assert rows == [
        (question.key, question.scale, question.text) for question in instrument.questions
    ]
    assert (study.minimum_seconds, study.minutes) == (600, 15)
    assert study.exit_form[0]["key"] == "instructions_clear"
    assert study.created_by.username == "rita"


def test_a_study_can_have_all_methods_of_sgss():
    """Their names take more than 100 characters."""
    names = (
        "overview", "heading-statement", "heading-section", "statement-support",
        "section-coverage", "summary-comprehensiveness", "summary-pair", "summary-preference",
    )  # fmt: skip
    study = draft_study(instruments=[load(name) for name in names])
    study.refresh_from_db()
    assert study.instrument == ", ".join(names)
    assert list(study.instruments.values_list("key", flat=True)) == list(names)
    document = document_of_methods(
        kind="judging", instruments=[load(name) for name in names], title="All", corpus=None
    )
    sentences = [fault.sentence for fault in faults(document) if "long" in fault.sentence]
    assert sentences == []


def test_the_defaults_of_an_instrument_can_be_overridden():
    assert draft_study(minutes=40, completion_code="X").minutes == 40


def test_two_studies_share_no_question():
    corpus = small_corpus()
    draft_study(slug="one", corpus=corpus)
    draft_study(slug="two", corpus=corpus)
    assert Question.objects.count() == Scale.objects.count() == 2


# -- The preview ------------------------------------------------------------------------------


def test_a_preview_counts_and_writes_nothing():
    study = draft_study(responses=4, pay=3, minutes=15)
    plan = plan_of(study, reversed_share=0.5)
    preview = previews.preview(study=study, plans=[plan])
    assert (preview.topics, preview.items, preview.reversed_items) == (1, 9, 3)
    assert (preview.questionnaires, preview.assignments, preview.judgments) == (3, 9, 27)
    assert (preview.cost, preview.expected.wage) == (27, 12)
    assert preview.words_low <= preview.words_mean <= preview.words_high
    assert "9 items (3 reversed), 3 questionnaires x 3 workers" in preview.lines()[0]
    assert not Item.objects.exists()
    assert not Task.objects.exists()


@pytest.mark.parametrize(
    ("rounds", "said"),
    [(7, "balanced: any two texts"), (2, "0 to 2 times")],
)
def test_a_preview_says_how_balanced_blocks_are(rounds, said):
    study = draft_study(instrument="best-worst", responses=8)
    plans = plans_of(study=study, seed=1, rounds=rounds)
    assert said in "\n".join(previews.preview(study=study, plans=plans).lines())


def test_a_preview_of_texts_without_words_does_not_divide_by_zero():
    study = draft_study()
    Response.objects.update(words=0)
    assert previews.preview(study=study, plans=[plan_of(study)]).words_variation == 0


# -- What is written --------------------------------------------------------------------------


def test_a_design_is_written_as_it_was_planned():
    study = draft_study(responses=4)
    plan = plan_of(study, reversed_share=0.5)
    batch, design = designing.write_plans(study=study, plans=[plan]), plan.design
    keys = dict(Response.objects.values_list("pk", "key"))
    for task, planned in zip(batch.tasks.all(), design.questionnaires, strict=True):
        written = task.task_items.order_by("position").values_list("item__key", flat=True)
        wanted = ["|".join(keys[text] for text in design.items[i].contents) for i in planned]
        assert list(written) == wanted
        assert (task.quota, task.places.count()) == (3, 3)
        assert task.words == sum(design.items[i].words for i in planned)
    batch.refresh_from_db()
    assert batch.design["reversed_share"] == 0.5


def test_the_slots_of_a_pair_hold_its_texts_in_nominal_order():
    study = draft_study()
    design_batch(study)
    item = Item.objects.get()
    slots = [slot.response.key for slot in item.slots.all()]
    assert "|".join(slots) == item.key
    assert [slot.name for slot in item.slots.all()] == ["a", "b"]


def test_a_pair_and_its_reverse_are_one_unit():
    design_batch(draft_study(), items=1, reversed_share=1)
    assert Item.objects.count() == 2
    assert Item.objects.values("unit").distinct().count() == 1
    assert TaskExposure.objects.values("unit").distinct().count() == 1


def test_a_task_notes_which_texts_it_shows():
    design_batch(draft_study(topics=2, responses=3), items=2)
    for task in Task.objects.all():
        shown = set(task.shows.values_list("pk", flat=True))
        assert shown == set(
            TaskItem.objects.filter(task=task).values_list("item__slots__response", flat=True)
        )


def test_a_second_batch_uses_the_items_of_the_first():
    study = small_study(topics=2, responses=3, items=2)
    before = set(Item.objects.values_list("pk", flat=True))
    second = design_batch(study, items=3)
    assert second.number == 2
    assert set(Item.objects.values_list("pk", flat=True)) == before
    shown = {task.pk: set(task.shows.values_list("pk", flat=True)) for task in Task.objects.all()}
    for task in second.tasks.all():
        items = task.task_items.values_list("item__slots__response", flat=True)
        assert shown[task.pk] == set(items)


def test_single_texts_are_items_of_their_own_kind():
    design_batch(draft_study(instrument="crowdrag-pointwise", responses=3))
    assert set(Item.objects.values_list("kind", flat=True)) == {"response"}
    assert Item.objects.count() == 3


def test_a_design_is_written_in_few_queries(django_assert_max_num_queries):
    study = draft_study(topics=10, responses=6)
    plan = plan_of(study, reversed_share=0.3333)
    assert len(plan.design.items) == 200
    with django_assert_max_num_queries(30):
        designing.write_plans(study=study, plans=[plan])
