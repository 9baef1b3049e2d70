"""One queue for texts and judgments: in order of concern, narrowed, decided on together."""

from datetime import timedelta

import pytest
from django.urls import reverse

from analysis.models import AgreementWithOthers
from analysis.pages.entities.flags import LOW_AGREEMENT
from analysis.pages.review import comparing, queued_work
from analysis.pages.review.panel import median_interval
from analysis.pages.review.queue_order import GROUPS, TITLES, QueuedWork, by_concern
from annotation.fieldwork.work import assigning
from annotation.models import (
    Assignment,
    Membership,
    ReviewAct,
    ReviewDecision,
    Role,
    SavedView,
    Study,
)
from judging import tasks
from judging.answering import recording
from judging.items import drawing
from tests.cast import HOUR, MINUTE, NOW, begun, rita, small_corpus, small_study, submitted, worker
from tests.hooks import element, elements, numbers

pytestmark = pytest.mark.django_db


def place(study, name="review", *more):
    return reverse(name, args=[study.slug, study.version, *more])


def answered(study, name, options):
    """Return a questionnaire whose items are answered by these options in turn, handed in."""
    work = begun(study, worker(name))
    pages = drawing.draw_presentations(assignment=work)
    items = sorted(page.item_id for page in pages)
    for page in pages:
        code = options[items.index(page.item_id) % len(options)]
        if code != "n":  # said of the text, whatever side it stood on
            code = "ab"[page.order.split(",").index(code)]
        recording.record(
            assignment=work, answers=[recording.GivenAnswer(page.position, "better", code)], now=NOW
        )
    return recording.submit(assignment=work, now=NOW + 20 * MINUTE)


SETTINGS = {"items": 6, "quota": 15, "pay": 3, "batch": {"closes_when_full": False}}


def made():
    """Eleven who agree, one who never does."""
    study = small_study(responses=4, **SETTINGS)
    for n in range(11):
        answered(study, f"w{n}", "abn")
    answered(study, "odd", "bna")
    tasks.sweep()
    for task in comparing.uncompared():
        comparing.compare(task=task, now=NOW + HOUR)
    return study.pk


@pytest.fixture(scope="module")
def made_once(for_the_module):
    return for_the_module(made)


@pytest.fixture
def study(made_once, client, db):
    client.force_login(rita())
    return Study.objects.get(pk=made_once)


@pytest.fixture
def works(study):
    return list(study.assignments.order_by("pk"))


def names(client, study, **asked):
    page = client.get(place(study), asked)
    assert page.status_code == 200
    return [row["work"].worker.pseudonym for row in page.context["rows"]]


def send(client, study, works, decision, **form):
    chosen = [f"{work.pk}.0" for work in works]
    return client.post(
        place(study, "review_together"), {"work": chosen, "decision": decision, **form}
    )


def states(study):
    return [assignment.state for assignment in study.assignments.order_by("pk")]


# -- The order ------------------------------------------------------------------------------------


def test_what_has_more_marks_comes_first_then_what_lies_further_out_then_the_oldest():
    def one(pk, marks, far, hours=0):
        at = NOW + timedelta(hours=hours)
        return QueuedWork(pk, "submitted", "w", 1, False, at, tuple(marks), far=far)

    works = [
        one(1, [], None), one(2, [], 0.1), one(3, ["fast"], None), one(4, ["fast", "same"], -1),
        one(5, ["fast"], 0.2), one(6, [], 0.1, hours=-1),
    ]  # fmt: skip
    assert [work.pk for work in sorted(works, key=by_concern)] == [4, 5, 3, 6, 2, 1]


def test_agreement_leaves_the_own_votes_out(works):
    agreement_with_others_by_assignment_id = {
        agreement_with_others.assignment_id: agreement_with_others
        for agreement_with_others in AgreementWithOthers.objects.all()
    }
    assert agreement_with_others_by_assignment_id[works[0].pk].value == pytest.approx(10 / 11)
    assert (
        agreement_with_others_by_assignment_id[works[0].pk].items,
        agreement_with_others_by_assignment_id[works[0].pk].votes,
    ) == (6, 66)
    assert agreement_with_others_by_assignment_id[works[-1].pk].value == 0


def test_who_never_agrees_with_others_comes_first_and_is_in_a_list(client, study, works):
    assert names(client, study)[0] == "odd"
    assert names(client, study, mark="agreement") == ["odd"]
    assert names(client, study, sort="agreement")[0] == "odd"


def test_work_is_compared_again_when_others_were_rejected(study, works):
    assert comparing.uncompared() == []
    send_back = Assignment.objects.filter(pk=works[0].pk)
    send_back.update(state="rejected", ended_at=NOW + 2 * HOUR)
    (task,) = comparing.uncompared()
    comparing.compare(task=task, now=NOW + 3 * HOUR)
    assert AgreementWithOthers.objects.get(assignment=works[1]).votes == 60
    assert comparing.uncompared() == []


def test_who_withdraws_takes_the_agreement_along(works):
    assigning.withdraw(assignment=works[0], now=NOW + HOUR)
    assert not AgreementWithOthers.objects.filter(assignment=works[0]).exists()


def test_the_interval_of_a_median_is_that_of_the_sign_test():
    # Conover 1999, table A3: of n = 15 the 4th smallest and the 4th largest, of n = 6 all.
    assert median_interval(range(1, 16)) == (4, 12)
    assert median_interval(range(1, 7)) == (1, 6)


# -- The list -------------------------------------------------------------------------------------


def test_a_list_is_narrowed_searched_and_counted(client, study, works):
    send(client, study, works[:2], "accept", sure="yes")
    assert len(names(client, study)) == 10
    assert names(client, study, state="accepted", sort="worker") == ["w0", "w1"]
    assert names(client, study, q="ODD") == ["odd"]
    assert names(client, study, state="all", worker="w3") == ["w3"]
    assert names(client, study, batch="2") == []
    views = {
        view["view"].name: view["view"].n for view in client.get(place(study)).context["views"]
    }
    assert (views["Waiting"], views["Decided"], views["All"]) == (10, 2, 12)


def test_the_addresses_of_the_lists_before_lead_to_the_queue(client, study):
    assert client.get(place(study, "judged"))["Location"] == place(study)
    assert client.get(place(study, "judged") + "?list=held")["Location"] == (
        place(study) + "?mark=any"
    )


@pytest.mark.parametrize("query", ["?state=x&sort=y&mark=z", "?at=99999999999999999999", "?at=1"])
def test_odd_addresses_are_answered(client, study, works, query):
    assert client.get(place(study) + query).status_code == 200


def test_a_list_takes_as_many_queries_for_one_row_as_for_many(
    client, study, works, django_assert_max_num_queries
):
    client.get(place(study))  # the first request records the session
    with django_assert_max_num_queries(12):
        client.get(place(study))


def test_a_person_keeps_lists_of_their_own(client, study, works):
    sent = {"name": "  Odd ones ", "query": "mark=low_agreement&sort=oldest"}
    client.post(place(study, "review_view"), sent)
    kept = SavedView.objects.get()
    assert (kept.name, kept.query) == ("Odd ones", "mark=low_agreement&sort=oldest")
    page = client.get(place(study)).content.decode()
    assert 'Odd ones&nbsp;<span class="soft">1</span>' in page
    client.post(place(study, "review_view"), {"forget": kept.pk})
    assert not SavedView.objects.exists()


def test_a_view_without_a_name_is_not_kept(client, study):
    client.post(place(study, "review_view"), {"name": " "})
    assert not SavedView.objects.exists()


# -- The evidence ---------------------------------------------------------------------------------


def test_the_evidence_is_a_fragment_and_a_page(client, study, works):
    address = place(study, "review_panel", works[-1].pk)
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    page = client.get(address).content.decode()
    for html in (part, page):
        evidence = [found.numbers for found in elements(html, "data-evidence")]
        assert any(found[-1:] == [91] for found in evidence)  # the median agreement
        assert [66, 6] in evidence  # votes on items
        assert place(study, "assignment_page", works[-1].pk) in html


def test_evidence_that_cannot_be_computed_says_why(client):
    client.force_login(rita())
    study = small_study(slug="one", corpus=small_corpus(slug="one", responses=4), **SETTINGS)
    work = submitted(study, worker("bob"))
    comparing.compare(task=work.task_id, now=NOW)
    page = client.get(place(study, "review_panel", work.pk)).content.decode()
    assert numbers(element(page, "data-evidence", "too_few_shared_items").text) == [0, 5]


# -- Deciding -------------------------------------------------------------------------------------


def test_a_decision_on_many_is_shown_before_it_is_made(client, study, works):
    page = send(client, study, works[:3], "reject_but_pay").content.decode()
    assert "9.00 USD" in page
    assert "<strong>3</strong> places" in page
    assert states(study) == ["submitted"] * 12
    chosen = " ".join(f"{work.pk}.0" for work in works[:3])
    form = {"work": chosen, "decision": "reject_but_pay", "reason": "No.", "sure": "yes"}
    assert client.post(place(study, "review_together"), form).status_code == 302
    assert states(study)[:4] == ["rejected"] * 3 + ["submitted"]
    assert ReviewDecision.objects.count() == 3


def test_all_of_a_list_is_chosen_without_ticking_it(client, study, works):
    form = {"all": "yes", "query": "mark=low_agreement", "decision": "reject"}
    page = client.post(place(study, "review_together"), form)
    assert page.context["chosen"] == f"{works[-1].pk}.0"


def test_an_act_is_taken_back_from_the_list(client, study, works):
    send(client, study, works[:3], "reject", sure="yes", reason="No.")
    act = ReviewAct.objects.get()
    assert client.get(place(study)).context["newest"] == act
    client.post(place(study, "review_undo", act.pk))
    assert states(study) == ["submitted"] * 12
    assert client.get(place(study)).context["newest"] is None


def test_of_two_reviewers_the_slower_one_is_told_and_changes_nothing(client, study, works):
    send(client, study, works[:1], "accept", sure="yes")
    answer = send(client, study, works[:3], "reject", sure="yes", reason="No.")
    assert answer.status_code == 409
    assert "rita" in element(answer.content.decode(), "data-not-decided").text
    assert answer.context["chosen"] == " ".join(f"{work.pk}.0" for work in works[1:3])
    assert states(study) == ["accepted"] + ["submitted"] * 11


def test_a_viewer_looks_and_decides_nothing(client, study, works, django_user_model):
    viewer = django_user_model.objects.create_user("vera", password="a long password")
    Membership.objects.create(team=study.team, user=viewer, role=Role.VIEWER)
    client.force_login(viewer)
    page = client.get(place(study) + f"?at={works[0].pk}").content.decode()
    assert elements(page, "data-evidence")
    assert "Reject" not in page.partition('id="keyboard"')[0]
    assert send(client, study, works[:1], "accept", sure="yes").status_code == 403


def test_every_state_has_its_work(study, works):
    assert {work.state for work in queued_work.every(study)} == {"submitted"}


def test_who_withdraws_while_a_questionnaire_is_compared_gets_no_number_back(
    study, works, monkeypatch
):
    gone, row = works[0], comparing._row

    def slow(work, *rest, **more):
        if work == works[-1].pk:  # the last: the answers are read, and nothing is written yet
            assigning.withdraw(assignment=gone, now=NOW + HOUR)
        return row(work, *rest, **more)

    monkeypatch.setattr(comparing, "_row", slow)
    comparing.compare(task=gone.task_id, now=NOW + HOUR)
    assert not AgreementWithOthers.objects.filter(assignment=gone).exists()
    assert AgreementWithOthers.objects.filter(assignment=works[1]).exists()


def test_every_list_counts_the_same_marks(study, client):
    """The lists and pages counted the marks of the examination alone: 1 beside two."""
    odd = Assignment.objects.get(study=study, worker__pseudonym="odd")
    (queue_row,) = [work for work in queued_work.every(study) if work.pk == odd.pk]
    assert LOW_AGREEMENT in queue_row.marks
    works = client.get(place(study, "work_list"), {"worker": "odd"})
    (row,) = works.context["rows"]
    assert row.marks == len(queue_row.marks)
    page = client.get(place(study, "assignment_page", odd.pk))
    assert len(page.context["marks"]) == len(queue_row.marks)
    panel = client.get(place(study), {"at": odd.pk})
    assert len(panel.context["marks"]) >= len(queue_row.marks)
    marked = client.get(place(study, "work_list"), {"marked": "yes"})
    pks = {row.work.pk for row in marked.context["rows"]}
    assert pks == {work.pk for work in queued_work.every(study) if work.marks}


def test_no_two_filters_have_one_name(study, client):
    titles = [title for title, _ in GROUPS.values()]
    rules = [title for rule, title in TITLES.items() if rule not in GROUPS]
    names = [str(each) for each in (*titles, *rules)]
    assert len(names) == len(set(names))
    selects = {select.name: select for select in client.get(place(study)).context["selects"]}
    offered = list(selects["mark"].options.values())
    assert len(offered) == len(set(offered))
