"""What pages of results say of what could not be computed, is not counted, and of heads."""

import re
from collections import Counter

import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.analyses.catalogue import CATALOGUE
from analysis.inputs.columns import COLUMNS, ENDS
from analysis.pages.results.missing_results import _for_how_much, needed
from analysis.pages.results.sections import PARTS
from analysis.stats.effects.sweeps import LEAST_SWEPT, Sweep
from analysis.templatetags.explained import MEANINGS
from annotation.fieldwork.review import reviewing
from annotation.models import Assignment, ReviewDecision
from judging.models import Judgment
from judging.simulation.simulating import crowd, simulate
from tests.analysis.runs.polls import analysed
from tests.cast import rita, small_study
from tests.hooks import element, elements, numbers, values

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def study(for_the_module):
    """One worker judged three pairs of one topic; a second one began."""

    def make():
        made = small_study(
            instrument="crowdrag-pairwise",
            responses=3,
            quota=3,
            created_by=rita(),
            analysis={"draws": 20},
            batch={"closes_when_full": False},
        )
        workers = crowd(workers=2, spammers=0, seed=2)
        list(simulate(study=made, workers=workers[:1], now=timezone.now()))
        analysed(made)
        return made

    return for_the_module(make)


@pytest.fixture
def page(client, study):
    client.force_login(study.created_by)

    def shown(part=""):
        name, also = ("results_part", [part]) if part else ("results", [])
        answer = client.get(reverse(name, args=[study.slug, study.version, *also]))
        assert answer.status_code == 200
        return answer

    return shown


def test_a_number_with_a_condition_is_no_number_of_the_study():
    conditional = "The test needs at least 3 people (you have 0) with 30 items each."
    assert needed([conditional]) == ""
    both = needed([conditional, "Tau needs at least 10 topics (you have 9)."])
    assert numbers(both) == [10, 9]


def test_topics_are_not_counted_as_participants():
    few = Sweep(winner="A", loser="B", votes=24, topics=3, workers=4)
    assert numbers(needed([few.sentence()])) == [LEAST_SWEPT, 3, LEAST_SWEPT, 4]
    # As runs of before have stored it: with all counts at the end.
    stored = "needs at least 6 topics and 6 participants (you have 3 topics and 4 participants)."
    assert needed([stored]) == ""


def test_empty_analyses_are_listed_once_by_reason(page):
    for part in PARTS:
        answer = page(part)
        lacks = answer.context.get("lacks", [])
        reasons = [lack.reason for lack in lacks]
        assert len(reasons) == len(set(reasons))
        text = answer.content.decode()
        empty = {name for lack in lacks for _, name in lack.about if name}
        for name in empty:
            assert text.count(f'id="{name}"') == 1  # the address of its card still leads there
        assert not empty & {section.name for section in answer.context["sections"]}


@pytest.mark.parametrize("part", ["", *PARTS])
def test_why_there_is_no_interval_stands_once_on_a_page(page, part):
    text = re.sub(r"\s+", " ", page(part).content.decode())
    counts = Counter(re.findall(r"An interval for [^.<]*", text))
    assert set(counts.values()) <= {1}, counts
    assert counts or part not in ("", "systems")


def test_agreement_of_one_worker_is_one_line_and_no_table_of_reasons(page):
    answer = page("agreement")
    [lack] = [lack for lack in answer.context["lacks"] if "two votes" in lack.reason]
    titles = [title for title, _ in lack.about]
    assert "Agreement" in titles
    assert answer.content.decode().count(lack.reason) == 1


@pytest.mark.parametrize("part", ["", "systems", "agreement"])
def test_a_sentence_near_the_top_says_what_it_would_take(page, part):
    text = page(part).content.decode()
    needs = element(text, "data-needed")
    assert numbers(needs.text)[:2] == [10, 1] or "two votes" in needs.text


def test_stated_needs_are_the_largest_of_all_reasons():
    reasons = [
        "No interval of merits is offered because it takes 5 workers and there is 1.",
        "No interval of means is offered because it takes 10 workers and there is 1, and 10 items "
        "or topics and there are 2.",  # as runs of before have stored it
        "No interval of alpha is offered because it takes 10 workers and there is 1, and 10 items "
        "with two votes or more and there are 2.",
        "The mixed model needs at least 10 topics (you have 2).",
        "Alpha cannot be computed because no item has at least two votes.",
    ]
    # Workers, items with two votes and topics: how many it takes and how many there are.
    assert numbers(needed(reasons)) == [10, 1, 10, 2, 10, 2]
    assert len(needed(reasons)) > len(needed(reasons[:-1]))  # two votes on an item
    unpaid = "Costs cannot be computed because the study is unpaid."
    assert needed([unpaid]) == ""
    # More workers mend what workers lack, and nothing else.
    openings = set()
    for cured, asked in ((5, reasons), (5, [*reasons, unpaid]), (1, [reasons[0], unpaid])):
        begin, _ = _for_how_much(cured, len(asked)).split("{takes}")
        assert needed(asked).startswith(begin)
        openings.add(begin)
    assert len(openings) == 3  # for all, for most, for some
    assert numbers(needed([reasons[0], unpaid])) == [5, 1]


def test_summary_says_what_is_held_back_and_not_counted_and_leads_there(page, study, client):
    work = Assignment.objects.get(study=study)  # a crowd answers too fast: it is marked
    answer = page()
    [held] = answer.context["uncounted"].parts
    assert values(answer.content.decode(), "data-uncounted") == ["submitted "]
    given = Judgment.objects.filter(assignment=work).count()
    assert (held.works, held.answers, held.state) == (1, given, "submitted")
    reviewing.decide(
        assignment=work,
        decision=ReviewDecision.Decision.REJECT,
        reviewer="rita",
        reason="Not read.",
        now=timezone.now(),
    )
    answer = page()
    [left] = answer.context["uncounted"].parts
    assert (left.works, left.answers, left.state) == (1, given, "rejected")
    assert values(answer.content.decode(), "data-uncounted") == ["rejected "]
    [address] = re.findall(r'href="([^"]*state=rejected[^"]*)"', answer.content.decode())
    assert client.get(address.replace("&amp;", "&")).context["page"].paginator.count == 1


def test_heads_are_explained_where_they_stand(page):
    text = page("systems").content.decode()
    assert elements(text, "data-score-said")
    crowd, groups = (CATALOGUE[name].columns_of("means")["mean"] for name in ("crowd", "groups"))
    assert crowd.meaning != groups.meaning
    columns = [column for analysis in CATALOGUE.values() for column in analysis.columns.values()]
    meanings = [column.meaning for column in (ENDS, *COLUMNS.values(), *columns)]
    meanings = [meaning for meaning in (*meanings, *MEANINGS.values()) if meaning]
    assert len({*meanings}) > 70
    assert not any(meaning.endswith(".") for meaning in meanings)
