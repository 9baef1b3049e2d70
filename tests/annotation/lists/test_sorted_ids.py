"""A long list, sorted by what its rows share: the same rows, page by page, in few queries."""

from functools import partial

import pytest

from analysis.pages.entities.vote_counts import counted_now
from analysis.pages.entities.votes import votes_of
from annotation.lists.sorted_ids import GroupedIds
from annotation.models import Study, Topic
from tests.cast import small_study, submitted, worker

pytestmark = pytest.mark.django_db
NAMES = ("item__topic__query", "question__position", "rater__pseudonym")


def by_groups(votes, name, *, down=False):
    return GroupedIds(votes, name, down=down, counts=partial(counted_now, votes))


def made():
    study = small_study(topics=3, responses=3, items=3, quota=3, cap=3)
    for name in ("bob", "dora", "bob"):
        submitted(study, worker(name))
    return study.pk


@pytest.fixture(scope="module")
def made_once(for_the_module):
    return for_the_module(made)


@pytest.fixture
def votes(made_once, db):
    return votes_of(Study.objects.get(pk=made_once))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("down", [False, True])
def test_its_pages_have_every_row_once_in_the_order_of_the_field(votes, name, down):
    pks = by_groups(votes, name, down=down)
    assert len(pks) == votes.count() == 9
    pages = [pk for first in range(0, 12, 2) for pk in pks[first : first + 2]]
    assert sorted(pages) == sorted(votes.values_list("pk", flat=True))
    values = dict(votes.values_list("pk", name))
    shown = [values[pk] for pk in pages]
    assert shown == sorted(shown, reverse=down)
    assert pages == pks[:]
    assert (pks[0], pks[-1]) == (pages[0], pages[-1])


def test_rows_of_one_group_stand_together_where_two_have_the_same_name(votes):
    Topic.objects.update(query="Why do cats purr?")
    topics = dict(votes.values_list("pk", "item__topic"))
    shown = [topics[pk] for pk in by_groups(votes, "item__topic__query")]
    assert shown == sorted(topics.values())


def test_a_page_takes_as_many_queries_wherever_it_stands(votes, django_assert_num_queries):
    for first in (0, 4, 8):
        pks = by_groups(votes, "rater__pseudonym")
        with django_assert_num_queries(3):
            assert len(pks[first : first + 3])


def test_nothing_has_no_pages(votes):
    pks = by_groups(votes.none(), "item__topic__query")
    assert (len(pks), pks[:5]) == (0, [])
