"""Many people at once, over real connections, on several web server processes.

A barrier lets all requests of a test go at the same moment.
"""

import http.client
import json
import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode, urlsplit

import pytest
from django.db import connection
from django.utils import timezone

from annotation.fieldwork.review.reviewing import decide
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import BegunInOtherSession, NoTaskLeft
from annotation.models import Assignment, Consent, Place, ReviewDecision, Worker
from judging.models import Judgment, Presentation, Rater
from tests import cast
from tests.annotation.fieldwork.work import invariants
from tests.cast import (
    HOUR,
    answer_all,
    begun,
    bob,
    onboarding_study,
    prolific_link,
    proof,
    small_study,
    worker,
)

pytestmark = pytest.mark.storage
EXIT = {"comment": "None."}  # an exit form that was filled in


@pytest.fixture
def hosts(web_processes):
    return [process.url for process in web_processes(2)]


@pytest.fixture
def prolific(transactional_db):
    """Return a study with 15 tasks of one pair each, four places a task: 60 in all."""
    return small_study(responses=6, items=1, quota=4, recruitment="prolific")


class Answer:
    """What came back: `status`, `place` (where it leads) and `body`."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.place = response.headers.get("Location", "")
        self.body = response.read()

    @property
    def token(self) -> str:
        return self.place.split("/")[2]

    @property
    def sentence(self) -> str:
        return json.loads(self.body)["sentence"]


def send(host, path, *, form=None, data=None):
    """One request on a connection of its own; GET, or POST with a form or JSON data."""
    body, headers = None, {"Accept": "application/json"}
    if form is not None:
        body, headers["Content-Type"] = urlencode(form), "application/x-www-form-urlencoded"
    if data is not None:
        body, headers["Content-Type"] = json.dumps(data), "application/json"
    link = http.client.HTTPConnection(urlsplit(host).netloc, timeout=300)
    try:
        link.request("GET" if body is None else "POST", path, body, headers)
        return Answer(link.getresponse())
    finally:
        link.close()


def arrive(host, name):
    """They read the consent page and agree."""
    return send(host, prolific_link(name), form={"agree": "yes"})


def at_once(calls):
    """Make all calls at the same moment; what they return, in their order."""
    barrier = threading.Barrier(len(calls))

    def wait_and_call(call):
        barrier.wait()
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(wait_and_call, calls))


def at_hosts(hosts, n, call):
    """N calls of `call(host, number)` at once, in turn at each host."""
    return at_once([lambda i=i: call(hosts[i % len(hosts)], i) for i in range(n)])


def statuses(answers):
    return Counter(answer.status for answer in answers)


# -- Arrivals ---------------------------------------------------------------------------------


def test_a_hundred_arrivals_at_once_get_exactly_the_sixty_places(hosts, prolific):
    answers = at_hosts(hosts, 100, lambda host, i: arrive(host, f"person-{i}"))
    assert statuses(answers) == {302: 60, 409: 40}
    sentences = {answer.sentence for answer in answers if answer.status == 409}
    assert sentences == {NoTaskLeft.sentence}
    tokens = {answer.token for answer in answers if answer.status == 302}
    assert tokens == {assignment.token for assignment in Assignment.objects.all()}
    assert (len(tokens), Place.objects.exclude(assignment=None).count()) == (60, 60)
    invariants.check(prolific)


def test_one_worker_arriving_ten_times_at_once_gets_one_assignment(hosts, prolific):
    answers = at_hosts(hosts, 10, lambda host, _: arrive(host, "impatient"))
    assert statuses(answers) == {302: 10}
    assert len({answer.token for answer in answers}) == 1
    assert (Assignment.objects.count(), Worker.objects.count()) == (1, 1)
    invariants.check(prolific)


def test_the_last_place_goes_to_exactly_one(hosts, transactional_db):
    study = small_study(quota=1, recruitment="prolific")
    answers = at_hosts(hosts, 20, lambda host, i: arrive(host, f"person-{i}"))
    assert statuses(answers) == {302: 1, 409: 19}
    invariants.check(study)


def test_places_that_come_back_during_arrivals_are_given_again_and_no_more(hosts, prolific):
    first = [begun(prolific, worker(f"first-{i}"), now=timezone.now()) for i in range(60)]
    returning, withdrawing, late = first[:15], first[15:25], first[25:40]
    Assignment.objects.filter(pk__in=[each.pk for each in late]).update(
        expires_at=timezone.now() - HOUR
    )
    leave = [
        *[lambda a=a: send(hosts[0], f"/w/{a.token}/return/", form={}) for a in returning],
        *[lambda a=a: send(hosts[1], f"/w/{a.token}/withdraw/", form={}) for a in withdrawing],
    ]
    come = [lambda i=i: arrive(hosts[i % 2], f"second-{i}") for i in range(60)]
    sweep = [lambda: assigning.expire_due(now=timezone.now()) for _ in range(2)]
    answers = at_once([*leave, *come, *sweep])
    assert sum(answers[-2:]) == len(late)  # two sweeps expire nothing twice
    assert set(statuses(answers[:-2])) <= {302, 409}
    invariants.check(prolific)
    at_hosts(hosts, 60, lambda host, i: arrive(host, f"second-{i}"))
    assert Place.objects.filter(assignment=None).count() == 0
    assert Assignment.objects.filter(state__in=Assignment.HOLDING).count() == 60
    invariants.check(prolific)


def test_a_killed_server_takes_no_place_with_it(hosts, web_processes, prolific):
    (doomed,) = web_processes(1)
    killer = threading.Timer(0.15, doomed.kill)

    def arrive_somewhere(number):
        try:
            return arrive(doomed.url if number % 2 else hosts[0], f"person-{number}")
        except (OSError, http.client.HTTPException):
            return None  # this server is gone

    killer.start()
    at_once([lambda i=i: arrive_somewhere(i) for i in range(60)])
    killer.join()
    invariants.check(prolific)
    again = at_hosts(hosts, 60, lambda host, i: arrive(host, f"person-{i}"))
    assert statuses(again) == {302: 60}
    assert Place.objects.filter(assignment=None).count() == 0
    invariants.check(prolific)


# -- At work ----------------------------------------------------------------------------------


def test_two_submissions_at_once_are_one(hosts, transactional_db):
    study = small_study()
    assignment = begun(study, bob(), now=timezone.now())
    answer_all(assignment)
    path = f"/w/{assignment.token}/judging/finish/"
    answers = at_hosts(hosts, 8, lambda host, _: send(host, path, form=EXIT))
    assert statuses(answers) == {302: 8}
    assignment.refresh_from_db()
    assert assignment.state == Assignment.State.SUBMITTED
    assert study.batches.get().state == "closed"  # the last submission closed it
    invariants.check(study)


def test_an_answer_is_saved_before_the_submission_or_refused(hosts, prolific):
    work = [begun(prolific, worker(f"w{i}"), now=timezone.now()) for i in range(20)]
    for assignment in work:
        answer_all(assignment)  # with option a
    change = {"tab": "", "answers": [{"position": 1, "question": "better", "raw": "b"}]}
    saves = [
        lambda a=a: send(hosts[0], f"/w/{a.token}/judging/answers/", data=change) for a in work
    ]
    submits = [lambda a=a: send(hosts[1], f"/w/{a.token}/judging/finish/", form=EXIT) for a in work]
    answers = at_once([*saves, *submits])
    assert statuses(answers[20:]) == {302: 20}
    assert set(statuses(answers[:20])) <= {200, 410}
    for assignment, saved in zip(work, answers[:20], strict=True):
        wanted = "b" if saved.status == 200 else "a"
        assert Judgment.objects.get(assignment=assignment).raw == wanted
    invariants.check(prolific)


def test_the_first_answers_of_ten_tabs_at_once_make_one_rater_and_one_row(hosts, prolific):
    assignment = begun(prolific, bob(), now=timezone.now())
    save = {"tab": "", "answers": [{"position": 1, "question": "better", "raw": "n"}]}
    send(hosts[0], f"/w/{assignment.token}/judging/")  # draws the items
    path = f"/w/{assignment.token}/judging/answers/"
    answers = at_hosts(hosts, 10, lambda host, _: send(host, path, data=save))
    assert statuses(answers) == {200: 10}
    assert (Rater.objects.count(), Judgment.objects.get().changes) == (1, 0)


def test_looking_ten_times_at_once_draws_once(hosts, transactional_db):
    assignment = begun(small_study(responses=6), bob(), now=timezone.now())
    path = f"/w/{assignment.token}/judging/"
    answers = at_hosts(hosts, 10, lambda host, _: send(host, path))
    assert {answer.place for answer in answers} == {f"{path}1/"}
    assert Presentation.objects.count() == 15


def test_consenting_ten_times_at_once_is_one_consent(hosts, prolific):
    assignment = assigning.claim(study=prolific, worker=bob(), now=timezone.now())
    path = f"/w/{assignment.token}/consent/"
    answers = at_hosts(hosts, 10, lambda host, _: send(host, path, form={"agree": "yes"}))
    assert statuses(answers) == {302: 10}
    assert Consent.objects.count() == 1


def test_late_worker_in_twelve_tabs_continues_once(hosts, prolific):
    assignment = begun(prolific, bob(), now=timezone.now() - 5 * HOUR, proof=proof("bob"))
    assigning.expire_due(now=timezone.now())
    here = f"/w/{assignment.token}/judging/here/"
    arrivals = [lambda host=host: arrive(host, "bob") for host in hosts]
    tabs = [lambda host=host: send(host, here, data={"tab": "t"}) for host in hosts]
    answers = at_once([*arrivals, *tabs] * 3)
    assert statuses(answers) == {200: 6, 302: 6}
    assert Assignment.objects.get().state == Assignment.State.ACTIVE
    invariants.check(prolific)


# -- Onboarding -------------------------------------------------------------------------------


def handed_in(study, person):
    return cast.handed_in(begun(study, person, now=timezone.now()), now=timezone.now())


def accept(assignment):
    accepting = ReviewDecision.Decision.ACCEPT
    decide(assignment=assignment, decision=accepting, reviewer="rita", now=timezone.now())


def test_one_newcomer_arriving_ten_times_at_once_gets_the_second_task_once(hosts, transactional_db):
    study = onboarding_study(slug="lamps", recruitment="prolific")
    handed_in(study, bob())
    answers = at_hosts(hosts, 10, lambda host, _: arrive(host, "bob"))
    assert statuses(answers) == {302: 10}
    assert len({answer.token for answer in answers}) == 1
    assert Assignment.objects.filter(task__batch__onboarding=True).count() == 2
    invariants.check(study)


def test_concurrent_newcomers_begin_only_as_many_as_can_finish(hosts, transactional_db):
    onboarding_study(slug="lamps", onboarding=3, writers=2, recruitment="prolific")
    answers = at_hosts(hosts, 12, lambda host, i: arrive(host, f"person-{i}"))
    assert statuses(answers) == {302: 2, 409: 10}
    assert set(Assignment.objects.values_list("task__number", flat=True)) == {1}


def test_the_last_acceptance_and_an_arrival_at_once_lead_to_waiting_or_to_the_rest(
    hosts, transactional_db
):
    study = onboarding_study(
        slug="lamps", onboarding=1, offered=2, writers=6, quota=6, recruitment="prolific"
    )
    people = [f"person-{n}" for n in range(6)]
    works = [handed_in(study, worker(name)) for name in people]
    arrivals = [lambda name=name, i=i: arrive(hosts[i % 2], name) for i, name in enumerate(people)]
    decisions = [lambda work=work: accept(work) for work in works]
    answers = at_once([call for pair in zip(arrivals, decisions, strict=True) for call in pair])
    refused = [answer for answer in answers[::2] if answer.status != 302]
    # They handed in before they had a session.
    told = {(409, BegunInOtherSession.sentence)}
    assert {(each.status, each.sentence) for each in refused} <= told
    again = at_hosts(hosts, 6, lambda host, i: arrive(host, people[i]))
    assert statuses(again) == {302: 6}
    reached = Assignment.objects.values_list("task__batch__name", "state")
    assert Counter(reached) == {("onboarding", "accepted"): 6, ("main", "active"): 6}
    invariants.check(study)


# -- Everything -------------------------------------------------------------------------------


def test_a_crowd_that_does_everything_at_once_meets_no_error(hosts, transactional_db):
    study = small_study(
        responses=5, items=1, reversed_share=1, quota=2, cap=8, recruitment="prolific"
    )
    stop = threading.Event()

    def wander(number):
        """One browser: the same six people are in all of them."""
        rng = random.Random(number)
        seen, token = Counter(), {}
        for _ in range(40):
            name, host = f"person-{rng.randrange(6)}", rng.choice(hosts)
            if name not in token or rng.random() < 0.3:
                answer = arrive(host, name)
                if answer.status == 302:
                    token[name] = answer.token
            else:
                answer = _step(host, token[name], rng)
            seen[answer.status] += 1
        return seen

    def sweep():
        while not stop.wait(0.05):
            live = Assignment.objects.live().order_by("?").values_list("pk", flat=True)[:1]
            Assignment.objects.filter(pk__in=list(live)).update(expires_at=timezone.now())
            assigning.expire_due(now=timezone.now())
        connection.close()

    sweeper = threading.Thread(target=sweep)
    sweeper.start()
    try:
        seen = sum(at_once([lambda n=n: wander(n) for n in range(12)]), Counter())
    finally:
        stop.set()
        sweeper.join()
    assert set(seen) <= {200, 302, 404, 409, 410, 422}, seen
    assert seen[302] > 20
    invariants.check(study)


def _step(host, token, rng):
    save = {"tab": "", "answers": [{"position": 1, "question": "better", "raw": rng.choice("anb")}]}
    steps = [
        ("consent/", {"form": {"agree": "yes"}}),
        ("judging/", {}),
        ("judging/answers/", {"data": save}),
        ("judging/finish/", {"form": EXIT}),
        ("return/", {"form": {}}),
        ("withdraw/", {"form": {}}),
    ]
    path, sent = rng.choices(steps, weights=[6, 6, 8, 4, 2, 0.1])[0]
    return send(host, f"/w/{token}/{path}", **sent)
