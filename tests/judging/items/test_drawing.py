"""The order in which one worker sees items and slots."""

import pytest

from annotation.models import Assignment
from judging.items.drawing import draw_presentations
from judging.models import Presentation
from tests.cast import begun, bob, charlie, small_study

pytestmark = pytest.mark.django_db


def orders(assignment):
    return [
        (presentation.item_id, presentation.order)
        for presentation in draw_presentations(assignment=assignment)
    ]


def test_every_item_of_the_task_is_shown_once():
    assignment = begun(small_study(responses=6), bob())
    presentations = draw_presentations(assignment=assignment)
    assert [presentation.position for presentation in presentations] == list(range(1, 16))
    items = assignment.task.task_items.values_list("item", flat=True)
    assert {presentation.item_id for presentation in presentations} == set(items)


def test_left_and_right_are_balanced_within_an_assignment():
    study = small_study(responses=6, quota=2)
    for person in (bob(), charlie()):
        reversed_ = [order for _, order in orders(begun(study, person))].count("b,a")
        assert reversed_ in (7, 8)


def test_a_reload_shows_the_same():
    assignment = begun(small_study(responses=6), bob())
    first = orders(assignment)
    assert orders(Assignment.objects.get(pk=assignment.pk)) == first
    assert Presentation.objects.count() == 15


def test_two_workers_see_different_orders():
    study = small_study(responses=6, quota=2)
    one, other = orders(begun(study, bob())), orders(begun(study, charlie()))
    assert one != other
    assert [item for item, _ in one] != [item for item, _ in other]
    assert {item for item, _ in one} == {item for item, _ in other}


def test_a_drawn_order_can_be_drawn_again():
    assignment = begun(small_study(responses=6), bob())
    first = orders(assignment)
    Presentation.objects.all().delete()
    assert orders(assignment) == first


def test_the_seed_of_the_study_counts():
    one = orders(begun(small_study(responses=6, seed=1), bob()))
    Presentation.objects.all().delete()
    assignment = Assignment.objects.get()
    assignment.study.seed = 2
    assert orders(assignment) != one


def test_a_published_study_can_be_repeated_as_it_was():
    fixed = {"sides": "fixed", "item_order": "fixed"}
    assignment = begun(small_study(responses=6, presentation=fixed), bob())
    nominal = assignment.task.task_items.order_by("position").values_list("item", flat=True)
    assert orders(assignment) == [(item, "a,b") for item in nominal]


def test_a_single_text_has_no_order():
    study = small_study(instrument="crowdrag-pointwise", responses=3)
    assert {order for _, order in orders(begun(study, bob()))} == {""}


def test_showing_what_was_drawn_before_takes_one_query(django_assert_num_queries):
    assignment = begun(small_study(responses=6), bob())
    draw_presentations(assignment=assignment)
    with django_assert_num_queries(1):
        draw_presentations(assignment=assignment)
