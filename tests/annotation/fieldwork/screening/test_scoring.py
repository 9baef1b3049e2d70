"""Questions before the work: scored here, asked once, kind to who does not pass; qualifications."""

from decimal import Decimal

import pytest
from django.urls import reverse

from analysis.exports.exporting import write_bundle
from annotation.fieldwork.consenting import erasing_participants
from annotation.fieldwork.paying import accounting
from annotation.fieldwork.screening import connecting_qualifications
from annotation.fieldwork.screening.qualifying import qualify, take_back
from annotation.fieldwork.screening.scoring import take
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import (
    BegunInOtherSession,
    Incomplete,
    ScreenedOut,
)
from annotation.models import (
    Assignment,
    Consent,
    LedgerEntry,
    Place,
    Qualified,
    ScreeningResult,
    Study,
)
from annotation.studies.drafts.plain_data import typed
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.setting_faults import screening_faults
from tests.analysis.exports.exported import jsonl
from tests.annotation.people.access.people import join, somebody
from tests.cast import (
    NOW,
    answer_all,
    begun,
    bob,
    charlie,
    draft_study,
    open_study,
    prolific_link,
    proof,
    rita,
    small_study,
    worker,
)
from tests.hooks import element
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def questions(n=25):
    options = [{"code": "y", "label": "Yes"}, {"code": "n", "label": "No"}]
    return [
        {"key": f"q{i}", "label": f"Is {i} odd?", "options": options, "right": "yn"[i % 2 == 0]}
        for i in range(1, n + 1)
    ]


def screening(n=25, pass_mark=18, **more):
    said = {"introduction": "Look *closely*.", "told": "", "reward": "0.50", "gives": ""}
    return said | {"requires": "", "questions": questions(n), "pass_mark": pass_mark} | more


def answers(right, of=25):
    """So many right ones."""
    asked = questions(of)
    return {
        each["key"]: each["right"] if n < right else "ny"[each["right"] == "n"]
        for n, each in enumerate(asked)
    }


def screened_study(**more):
    figures = {"quota": 3, "recruitment": "prolific", "completion_code": "DONE"}
    said = more.pop("screening", None) or screening()
    return small_study(screening=said, **(figures | more))


# -- The score -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("right", "passed"), [(25, True), (18, True), (17, False), (0, False)])
def test_eighteen_of_twenty_five_pass(right, passed):
    assignment = begun(screened_study(), bob())
    result = take(assignment=assignment, answers=answers(right), now=NOW)
    assert (result.right, result.asked, result.is_passed) == (right, 25, passed)
    assert assignment.is_live == passed


def test_who_does_not_pass_ends_there_and_the_place_is_free():
    assignment = begun(screened_study(), bob())
    take(assignment=assignment, answers=answers(3), now=NOW)
    assert (assignment.state, assignment.outcome) == ("returned", "screened_out")
    assert not Place.objects.filter(assignment=assignment).exists()
    rows = LedgerEntry.objects.filter(assignment=assignment).values_list("kind", "amount")
    assert sorted(rows) == [("approved", 50), ("owed", 50)]
    accounting.settle(works=Assignment.objects.filter(pk=assignment.pk), now=NOW)
    assert LedgerEntry.objects.filter(assignment=assignment).count() == 2


def test_answers_sent_twice_are_scored_once():
    assignment = begun(screened_study(), bob())
    first = take(assignment=assignment, answers=answers(3), now=NOW)
    second = take(assignment=assignment, answers=answers(25), now=NOW)
    assert (first.pk, second.right) == (second.pk, 3)
    assert ScreeningResult.objects.count() == 1


def test_nothing_is_handed_in_before_the_questions():
    assignment = begun(screened_study(), bob())
    answer_all(assignment)
    with pytest.raises(Incomplete):
        assigning.submit(assignment=assignment, now=NOW)
    take(assignment=assignment, answers=answers(25), now=NOW)
    assigning.submit(assignment=assignment, now=NOW)


# -- Never asked twice ---------------------------------------------------------------------------


def test_who_was_screened_out_gets_no_place_in_any_version_or_browser():
    study = screened_study()
    take(assignment=begun(study, bob()), answers=answers(3), now=NOW)
    with pytest.raises(ScreenedOut):
        assigning.claim(study=study, worker=bob(), now=NOW)
    with pytest.raises(BegunInOtherSession):  # somebody who shows nothing but the same id
        assigning.claim(study=study, worker=bob(), now=NOW, proof=proof("bob", submission="new"))
    later = open_study(
        draft_study(corpus=study.corpus, screening=screening(), recruitment="prolific"), quota=3
    )
    assert later.version == 2
    with pytest.raises(ScreenedOut):
        assigning.claim(study=later, worker=bob(), now=NOW)


def test_who_passed_is_not_asked_in_another_task_or_version(client):
    study = screened_study(cap=2, responses=3, items=1)
    take(assignment=begun(study, bob()), answers=answers(20), now=NOW)
    first = Assignment.objects.get()
    answer_all(first)
    assigning.submit(assignment=first, now=NOW)
    second = begun(study, bob())
    assert client.get(f"/w/{second.token}/judging/").url.endswith("/judging/1/")
    assert client.get(f"/w/{second.token}/screening/").url.endswith(f"/w/{second.token}/")


def test_a_withdrawal_erases_the_answers_and_nobody_is_asked_again():
    assignment = begun(screened_study(), bob())
    take(assignment=assignment, answers=answers(20), now=NOW)
    assigning.withdraw(assignment=assignment, now=NOW)
    result = ScreeningResult.objects.get()
    assert (result.answers, result.right) == ({}, 20)


# -- The pages -----------------------------------------------------------------------------------


def token_of(client, name="bob"):
    client.post(prolific_link(name), {"agree": "yes"})
    return Assignment.objects.latest("pk").token


def test_the_questions_come_after_the_consent_and_before_everything_else(client):
    screened_study()
    token = token_of(client)
    for path in ("instructions/", "judging/", "judging/1/", "judging/finish/"):
        assert client.get(f"/w/{token}/{path}", follow=True).request["PATH_INFO"] == (
            f"/w/{token}/screening/"
        )
    assert Consent.objects.count() == 1


def test_the_page_does_not_know_what_is_right(client):
    study = screened_study()
    token = token_of(client)
    one = client.get(f"/w/{token}/screening/").content.decode()
    assert "Look <em>closely</em>." in one
    for question in study.screening["questions"]:
        question["right"] = "yn"[question["right"] == "y"]
    type(study).objects.filter(pk=study.pk).update(screening=study.screening)
    assert client.get(f"/w/{token}/screening/").content.decode() == one
    assert "18" not in one.split("<form")[0].split("<h1")[1]


def test_an_open_question_is_said_and_nothing_is_scored(client):
    screened_study()
    token = token_of(client)
    page = client.post(f"/w/{token}/screening/", answers(25) | {"q7": ""})
    assert page.status_code == 422
    assert 'id="id_q7-error"' in page.content.decode()
    assert not ScreeningResult.objects.exists()


def test_who_passes_goes_on_to_the_instructions(client):
    screened_study()
    token = token_of(client)
    page = client.post(f"/w/{token}/screening/", answers(18))
    assert page.url == f"/w/{token}/instructions/"
    assert client.get(page.url).status_code == 200


def test_who_does_not_reads_kind_words_and_the_code_each_time(client):
    screened_study(screening=screening(told="You looked *carefully*."))
    token = token_of(client)
    page = client.post(f"/w/{token}/screening/", answers(2), follow=True)
    assert page.request["PATH_INFO"] == f"/w/{token}/done/"
    html = page.content.decode()
    assert "You looked <em>carefully</em>." in html
    assert 'data-end="screened_out"' in html
    assert "submissions/complete?cc=" in html
    again = client.get(prolific_link("bob"), follow=True)
    assert again.request["PATH_INFO"] == f"/w/{token}/done/"
    other = client.post(prolific_link("bob", submission="new"), {"agree": "yes"})
    assert other.status_code == 409  # another browser: whoever it is, they write to a person
    assert 'data-refusal="BegunInOtherSession"' in other.content.decode()


def test_a_plain_link_leads_back_to_the_end(client):
    screened_study(recruitment="link", completion_code="")
    client.get("/s/lamps/")
    token = client.post("/s/lamps/", {"agree": "yes"}).url.split("/")[2]
    client.post(f"/w/{token}/screening/", answers(2))
    assert client.get("/s/lamps/").url == f"/w/{token}/"


# -- Qualifications ------------------------------------------------------------------------------


def test_passing_gives_what_a_later_study_asks_for():
    first = screened_study(screening=screening(gives="Reads closely"))
    for person, right in ((bob(), 20), (charlie(), 3)):
        take(assignment=begun(first, person), answers=answers(right), now=NOW)
    later = small_study(
        slug="later", corpus=first.corpus, screening={"requires": "Reads closely"}, quota=2
    )
    olga = somebody("olga")
    for study in (first, later):
        join(olga, study, "owner")
    connecting_qualifications.connect(study=later, user=olga, now=NOW)
    assert assigning.claim(study=later, worker=bob(), now=NOW).is_live
    with refused("NotQualified"):
        assigning.claim(study=later, worker=charlie(), now=NOW)
    (held,) = Qualified.objects.all()
    assert (held.worker, held.study, held.given_by) == (bob(), first, "rule: screening")


def test_who_has_none_is_refused_kindly(client):
    small_study(screening={"requires": "Reads closely"}, recruitment="link")
    page = client.get("/s/lamps/")
    assert page.status_code == 403
    assert 'data-refusal="NotQualified"' in page.content.decode()
    assert not Assignment.objects.exists()


def test_a_qualification_is_given_once_and_taken_back():
    people, study = [bob(), charlie()], small_study()
    assert qualify(workers=people[:1], name="Reads", by="rita", now=NOW, study=study) == 1
    assert qualify(workers=people, name="  Reads ", by="rita", now=NOW, study=study) == 1
    assert take_back(workers=people, name=" Reads", study=study) == 2
    with refused("QualificationName"):
        qualify(workers=people, name="  ", by="rita", now=NOW, study=study)


def test_a_researcher_gives_one_by_a_click(client):
    study = small_study(quota=2)
    for person in (bob(), charlie()):
        begun(study, person)
    stranger = worker("stranger")
    client.force_login(rita())
    address = reverse("give_qualification", args=[study.slug, study.version])
    sent = {"name": "Reads", "worker": [bob().pk, stranger.pk, "x"], "do": "give"}
    page = client.post(address, sent, follow=True)
    assert element(page.content.decode(), "data-message", "success").numbers == [1]
    assert list(Qualified.objects.values_list("worker__pseudonym", flat=True)) == ["bob"]
    page = client.post(address, {"name": "Reads", "do": "give"}, follow=True)
    assert 'data-message="error"' in page.content.decode()


def test_the_page_says_who_passed(client):
    study = screened_study(screening=screening(gives="Reads"))
    take(assignment=begun(study, bob()), answers=answers(20), now=NOW)
    client.force_login(rita())
    html = client.get(reverse("qualifications", args=[study.slug, study.version])).content.decode()
    assert "20 of 25" in html
    assert "passed" in html


# -- The document --------------------------------------------------------------------------------


def faults(**changes):
    said = {"kind": "judging", "screening": screening() | changes}
    return {fault.path for fault in screening_faults(typed(said, Document))}


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"pass_mark": 26}, "screening/pass_mark"),
        ({"pass_mark": 0}, "screening/pass_mark"),
        ({"reward": Decimal(-1)}, "screening/reward"),
        ({"gives": "x" * 81}, "screening/gives"),
        ({"questions": [], "gives": "Reads", "pass_mark": 0}, "screening/gives"),
    ],
)
def test_what_cannot_be_passed_is_a_fault(changes, path):
    assert path in faults(**changes)


def test_a_question_without_a_right_answer_is_a_fault():
    odd = questions(2)
    odd[0] = odd[0] | {"right": "maybe"}
    odd[1] = odd[1] | {"options": odd[1]["options"][:1], "label": " "}
    assert faults(questions=odd, pass_mark=1) == {
        "screening/questions/q1/right",
        "screening/questions/q2/options",
        "screening/questions/q2/label",
    }
    assert faults() == set()


def test_withdrawing_one_session_keeps_the_screening_answers_of_another():
    """Nothing shows that both are the same person's: they came under one id."""
    study = small_study(screening=screening(), responses=3, items=1, cap=2)
    other = begun(study, bob(), proof=proof("bob", submission="second"))
    take(assignment=other, answers=answers(20), now=NOW)
    assigning.return_task(assignment=other, now=NOW)
    mine = begun(study, bob(), proof=proof("bob"))
    assigning.withdraw(assignment=mine, now=NOW)
    assert ScreeningResult.objects.get().answers == answers(20)
    assigning.withdraw(assignment=other, now=NOW)
    assert ScreeningResult.objects.get().answers == {}


# -- Comprehension checks: a second attempt --------------------------------------------------------


def comprehension(**more):
    return screened_study(screening=screening(n=2, pass_mark=2, attempts=2, **more))


def test_a_comprehension_check_allows_a_second_attempt():
    study = comprehension(gives="read it")
    assignment = begun(study, bob())
    first = take(assignment=assignment, answers=answers(1, of=2), now=NOW)
    assert (first.is_passed, first.attempts, assignment.state) == (False, 1, "active")
    assert not LedgerEntry.objects.exists()
    second = take(assignment=assignment, answers=answers(2, of=2), now=NOW)
    assert (second.pk, second.is_passed, second.attempts) == (first.pk, True, 2)
    assert second.answers == answers(2, of=2)
    (before,) = second.earlier
    assert (before["answers"], before["right"]) == (answers(1, of=2), 1)
    assert Qualified.objects.filter(worker=bob(), qualification__name="read it").exists()


def test_who_fails_both_attempts_ends_there():
    assignment = begun(comprehension(), bob())
    for _ in range(2):
        take(assignment=assignment, answers=answers(0, of=2), now=NOW)
    assert (assignment.state, assignment.outcome) == ("returned", "screened_out")
    assert LedgerEntry.objects.filter(assignment=assignment).exists()
    with pytest.raises(ScreenedOut):
        begun(assignment.study, bob())


def test_a_repeated_request_uses_no_second_attempt():
    assignment = begun(comprehension(), bob())
    for _ in range(3):
        result = take(assignment=assignment, answers=answers(0, of=2), now=NOW, attempt=1)
    assert (result.attempts, assignment.state) == (1, "active")


def test_leaving_between_the_attempts_gives_no_further_one():
    page = screening(n=2, pass_mark=2, attempts=2)
    study = screened_study(screening=page, topics=2, items=1)
    assignment = begun(study, bob())
    take(assignment=assignment, answers=answers(0, of=2), now=NOW)
    assigning.return_task(assignment=assignment, now=NOW)
    again = begun(study, bob())
    assert take(assignment=again, answers=answers(0, of=2), now=NOW).attempts == 2
    assert again.outcome == "screened_out"


def test_a_screener_has_one_attempt_whatever_the_document_lacks():
    page = screening(n=2, pass_mark=2)
    assert "attempts" not in page  # of a study that was launched before the setting
    assignment = begun(screened_study(screening=page), bob())
    take(assignment=assignment, answers=answers(0, of=2), now=NOW)
    assert assignment.outcome == "screened_out"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_second_page_shows_the_instructions_again(client, language):
    study = comprehension()
    Study.objects.filter(pk=study.pk).update(language=language, instructions="Read **both**.")
    assignment = begun(study, bob())
    address = reverse("screening", args=[assignment.token])
    page = client.get(address).text
    assert "<strong>both</strong>" in page
    assert "data-attempt" not in page
    sent = answers(0, of=2) | {"attempt": "1"}
    for _ in range(2):  # a double click
        assert client.post(address, sent).url == address
    page = client.get(address).text
    assert "<strong>both</strong>" in page
    assert 'data-attempt="2"' in page
    assert 'name="attempt" value="2"' in page
    assert client.post(address, answers(2, of=2) | {"attempt": "2"}).url == reverse(
        "instructions", args=[assignment.token]
    )


def test_a_withdrawal_erases_the_answers_of_both_attempts():
    assignment = begun(comprehension(), bob())
    for right in (0, 2):
        take(assignment=assignment, answers=answers(right, of=2), now=NOW)
    counts = dict(erasing_participants.preview(study=assignment.study, worker=bob()).counts)
    assert counts[str(erasing_participants.NAMES["screening"])] == 4
    assigning.withdraw(assignment=assignment, now=NOW)
    result = ScreeningResult.objects.get()
    assert (result.answers, result.earlier) == ({}, [])


@pytest.mark.parametrize("attempts", [0, 3, -1])
def test_a_draft_has_one_or_two_attempts(attempts):
    document = typed({"kind": "judging", "screening": screening(2, 1) | {"attempts": attempts}},
                     Document)  # fmt: skip
    faults = {fault.path for fault in screening_faults(document)}
    assert "screening/attempts" in faults


def test_both_attempts_are_exported(tmp_path):
    study = comprehension()
    assignment = begun(study, bob())
    for right in (1, 2):
        take(assignment=assignment, answers=answers(right, of=2), now=NOW)
    write_bundle(study=study, out=tmp_path)
    (row,) = jsonl(tmp_path / "participants.jsonl.gz")
    assert (row["screening_attempts"], row["screening_passed"]) == (2, True)
    assert (row["screening_first_right"], row["screening_right"]) == (1, 2)
    assert row["screening_first_q2"] != row["screening_q2"]
