"""The pages of one thing: what a reviewer finds there."""

import html
import re

import pytest
from django.urls import reverse

from analysis.pages.entities.catalogue import LISTS
from analysis.pages.entities.names import item_name, slots_of, work_name
from analysis.urls import urlpatterns
from annotation.models import Assignment, Corpus, Membership, Role
from judging.answering import recording
from judging.items import drawing
from tests.cast import (
    MINUTE,
    NOW,
    begun,
    handed_in,
    prolific_id,
    rita,
    small_study,
    submitted,
    worker,
    writing_study,
)
from tests.hooks import element, elements

pytestmark = pytest.mark.django_db


def address(name, study, *more):
    return reverse(name, args=[study.slug, study.version, *more])


def said(client, name, study, *more, **asked):
    answer = client.get(address(name, study, *more), asked)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def study(client):
    client.force_login(rita())
    return small_study(responses=3, quota=2, recruitment="prolific")


def test_an_assignment_shows_each_answer_and_leads_to_what_its_worker_saw(client, study):
    work = submitted(study, worker("bob"))
    page = said(client, "assignment_page", study, work.pk)
    for presentation in work.presentations.all():
        assert f"{address('item_page', study, presentation.item_id)}?work={work.pk}" in page
    for moment in ("Arrived", "Agreed", "Submitted"):
        assert moment in page
    assert page.count(">Left</td>") == work.judgments.count() == 3


def test_work_that_waits_is_called_so_on_every_page(client, study):
    """The queue says `waiting`: its lists and pages say the same, and so does what narrows them."""
    work = submitted(study, worker("bob"))
    begun(study, worker("dora"))
    pages = [
        said(client, "assignment_page", study, work.pk),
        said(client, "worker_page", study, "bob"),
        said(client, "work_list", study),
    ]
    assert all('<span class="badge badge-warn">waiting</span>' in page for page in pages)
    assert f'data-row="{work.pk}"' in said(client, "review", study)  # its list: waiting
    assert not any(">submitted<" in page for page in pages)
    assert ">in progress</span>" in pages[2]
    assert '<option value="submitted">waiting</option>' in pages[2]
    assert ">State: waiting<" in said(client, "work_list", study, state="submitted")


def test_texts_are_named_where_they_are_listed(client, study):
    """A name that has no room is there in full for whoever points at it."""
    submitted(study, worker("bob"))
    for name in ("item_list", "response_list"):
        assert re.search('class="half( half-more)?" dir="auto" title="', said(client, name, study))


def test_names_that_tell_rows_apart_are_never_cut(client, study):
    """A pair whose second text is cut is like each other pair of the first one."""
    for system in study.corpus.systems.all():
        system.name = f"{system.name} with a name of more than sixty signs, as some systems have"
        system.save()
    work = submitted(study, worker("bob"))
    votes = html.unescape(said(client, "vote_list", study))
    for presentation in work.presentations.select_related("item"):
        assert item_name(slots_of([presentation.item], study)[presentation.item_id]) in votes
    assert work_name(work) in html.unescape(said(client, "work_list", study))


def test_who_never_come_from_prolific_are_not_waited_for(client):
    client.force_login(rita())
    shown = said(client, "submission_list", small_study(recruitment="link"))
    assert element(shown, "data-empty", "submissions").text


def test_an_item_shows_its_texts_on_the_side_where_a_worker_saw_them(client, study):
    works = [submitted(study, worker(name)) for name in ("bob", "dora")]
    for work in works:
        for presentation in work.presentations.select_related("item"):
            item, order = presentation.item, presentation.order.split(",")
            shown = client.get(address("item_page", study, item.pk), {"work": work.pk})
            assert [text.letter for text in shown.context["texts"]] == [x.upper() for x in order]
            labels = [text.view.label for text in shown.context["texts"]]
            assert labels == ["Left", "Right"]


def test_an_item_takes_as_many_queries_however_many_vote(client, study, django_assert_num_queries):
    item = submitted(study, worker("bob")).presentations.first().item
    said(client, "item_page", study, item.pk)
    with django_assert_num_queries(11):
        said(client, "item_page", study, item.pk)
    submitted(study, worker("dora"))
    with django_assert_num_queries(11):
        assert said(client, "item_page", study, item.pk).count("<tr>") > 2


def test_votes_on_an_item_say_the_text_that_was_preferred_and_not_the_side(client, study):
    item = study.items.first()
    wanted = set()
    for name in ("bob", "dora"):
        work = begun(study, worker(name))
        for page in drawing.draw_presentations(assignment=work):
            side = "ab"[page.order.split(",").index("b")]
            given = [recording.GivenAnswer(page.position, "better", side)]
            recording.record(assignment=work, answers=given, now=NOW)
            if page.item_id == item.pk:
                wanted.add((name, page.order.replace(",", " ").upper(), "B"))
        recording.submit(assignment=work, now=NOW + MINUTE)
    shown = client.get(address("item_page", study, item.pk))
    rows = {(str(v.rater.pseudonym), v.shown, *v.answers) for v in shown.context["votes"]}
    assert rows == wanted
    (agreement,) = shown.context["agreement"]
    assert (agreement.most, agreement.agreeing, agreement.votes) == ("B", 2, 2)


def test_the_review_leads_to_the_answers_of_a_worker(client, study):
    work = submitted(study, worker("bob"))
    page = said(client, "review", study, list="all")
    assert address("review_panel", study, work.pk) in page
    assert address("worker_page", study, "bob") in page


def test_a_decision_on_the_page_of_the_work_comes_back_to_it(client, study):
    work = submitted(study, worker("bob"))
    form = {"work": f"{work.pk}.0", "sure": "yes", "page_of": work.pk, "decision": "accept"}
    sent = client.post(address("review_together", study), form)
    assert sent["Location"] == address("assignment_page", study, work.pk)
    assert Assignment.objects.get(pk=work.pk).state == "accepted"


def test_no_page_shows_the_id_of_a_person_on_their_platform(client, study, django_user_model):
    work = submitted(study, worker("bob"))
    viewer = django_user_model.objects.create_user("vera", password="a long password")
    Membership.objects.create(team=study.team, user=viewer, role=Role.VIEWER)
    client.force_login(viewer)
    pages = [
        said(client, "worker_list", study),
        said(client, "work_list", study),
        said(client, "worker_page", study, "bob"),
        said(client, "assignment_page", study, work.pk),
    ]
    assert not any(prolific_id("bob") in page for page in pages)
    assert "bob" in pages[0]
    assert "Reject" not in pages[3]  # a viewer decides nothing


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("work_list", {"batch": "x"}),
        ("work_list", {"batch": "9" * 40}),
        ("work_list", {"state": "lost"}),
        ("item_list", {"topic": "no topic"}),
        ("vote_list", {"item": "12345678901234567890123"}),
        ("vote_list", {"question": "no question", "sort": "password", "page": "-1"}),
        ("vote_list", {"pool": "nobody", "rater": "ab"}),
        ("worker_list", {"competence": "known", "sort": "-competence"}),
    ],
)
def test_a_list_of_nothing_says_so(client, study, name, asked):
    submitted(study, worker("bob"))
    shown = said(client, name, study, **asked)
    assert 'data-total="0"' in shown
    place = reverse(name, args=[study.slug, study.version])
    assert place in [link.attributes["href"] for link in elements(shown, "href")]


def test_a_list_refuses_an_address_with_nul(client, study):
    place = reverse("vote_list", args=[study.slug, study.version])
    assert client.get(place, {"rater": "a\x00b"}).status_code == 400


def test_what_is_of_another_study_is_not_there(client, study):
    work = submitted(study, worker("bob"))
    Corpus.objects.update(slug="others")
    other = writing_study()
    written = handed_in(begun(other, worker("alice")))
    for name, more in [
        ("assignment_page", written.pk),
        ("worker_page", "alice"),
        ("topic_page", "none"),
        ("response_page", "none"),
        ("item_page", 0),
    ]:
        assert client.get(address(name, study, more)).status_code == 404
    assert client.get(address("assignment_page", other, work.pk)).status_code == 404
    item = study.items.first().pk
    assert client.get(address("item_page", study, item), {"work": "x"}).status_code == 404
    assert client.get(address("item_page", study, item), {"work": written.pk}).status_code == 404


def test_a_passage_beside_a_text_leads_to_what_else_cites_it(client, study):
    text = study.corpus.responses.first()
    passage = text.topic.passages.create(key="p1", rank=1, text="A lamp gives light.")
    text.citations.create(passage=passage, position=1)
    cites = reverse("corpus_part", args=[study.corpus.slug, "responses"])
    shown = said(client, "response_page", study, text.key)
    assert f'href="{cites}?passage={passage.pk}"' in shown


def test_a_digit_that_is_no_decimal_is_found_nowhere(client, study):
    lists = [
        urlpattern for urlpattern in urlpatterns if urlpattern.default_args.get("what") in LISTS
    ]
    assert len(lists) == len(LISTS)
    for each in lists:
        for one in LISTS[each.default_args["what"]].filters:
            answer = client.get(address(each.name, study), {one.name: "²"})
            assert answer.status_code == 200, (each.name, one.name)
