"""Somebody invents people to take all places of a study, at real web server processes.

All requests come from this machine; the servers believe one proxy, which says from where.
"""

import http.client
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode, urlsplit

import pytest
from django.utils import timezone

from annotation.fieldwork.work import assigning
from annotation.models import Assignment, Place, Worker
from tests.cast import prolific_id, prolific_link, small_study

pytestmark = pytest.mark.storage
ATTACKER, HONEST = "198.51.100.7", "203.0.113.9"
LIMIT = 30  # the default of ARRIVALS_PER_ADDRESS
REQUESTS = 120  # twice as many as there are places


@pytest.fixture
def study(transactional_db):
    """15 tasks of one pair each, four places a task: 60 in all."""
    return small_study(responses=6, items=1, quota=4, recruitment="prolific")


@pytest.fixture
def hosts(web_processes):
    """Two servers with the limit that they have if nobody sets one."""
    return [
        process.url
        for process in web_processes(2, BEHIND_PROXY="1", ARRIVALS_PER_ADDRESS=str(LIMIT))
    ]


def send(host, path, *, form=None, address=ATTACKER, forged=""):
    """One request, through a proxy that appends who asked it to whatever they claim."""
    forwarded = f"{forged}, {address}" if forged else address
    headers = {"X-Forwarded-For": forwarded, "Content-Type": "application/x-www-form-urlencoded"}
    link = http.client.HTTPConnection(urlsplit(host).netloc, timeout=300)
    try:
        link.request("POST" if form else "GET", path, urlencode(form or {}), headers)
        response = link.getresponse()
        response.read()
        return response.status
    finally:
        link.close()


def attack(hosts, request):
    """`request(host, number)` many times from many threads; how many answers of each status."""
    with ThreadPoolExecutor(20) as pool:
        calls = [pool.submit(request, hosts[n % len(hosts)], n) for n in range(REQUESTS)]
        return Counter(call.result() for call in calls)


def taken():
    return Place.objects.exclude(assignment=None).count()


def test_invented_people_cannot_take_the_places_of_a_study(hosts, study):
    # 1. Previews look at links, thousands of times.
    assert attack(hosts, lambda host, n: send(host, prolific_link(f"bot {n}"))) == {200: REQUESTS}
    assert (taken(), Worker.objects.count()) == (0, 0)

    # 2. Ids that Prolific does not give.
    def invent(host, number):
        ids = urlencode({"PROLIFIC_PID": f"bot-{number}", "SESSION_ID": f"session-{number}"})
        return send(host, f"/s/lamps/?{ids}", form={"agree": "yes"})

    assert attack(hosts, invent) == {400: REQUESTS}
    assert taken() == 0

    # 3. Ids that it might give, with forged addresses in the header.
    def agree(host, number):
        forged = f"192.0.2.{number}"
        link = prolific_link(f"bot {number}")
        return send(host, link, form={"agree": "yes"}, forged=forged)

    began = time.monotonic()
    answers = attack(hosts, agree)
    more = int((time.monotonic() - began) / (600 / LIMIT)) + 1  # whom the pace lets in meanwhile
    assert set(answers) == {302, 429}
    assert LIMIT <= taken() <= LIMIT + more
    assert answers[302] == taken()

    # 4. People from elsewhere find a place meanwhile.
    honest = prolific_link("charlie")
    assert send(hosts[0], honest, form={"agree": "yes"}, address=HONEST) == 302

    # 5. Places on which nobody works are soon free again.
    assigning.expire_due(now=timezone.now() + assigning.HOLD)
    assert taken() == 0


def test_knowing_who_takes_part_is_not_enough_to_withdraw_them(hosts, study):
    people = [f"person {n}" for n in range(10)]
    for name in people:
        send(hosts[0], prolific_link(name), form={"agree": "yes"}, address=HONEST)
    tokens = set(Assignment.objects.values_list("token_hash", flat=True))

    def steal(host, number):
        ids = {"PROLIFIC_PID": prolific_id(people[number % 10]), "SESSION_ID": f"{number:024x}"}
        form = {"agree": "yes"} if number % 2 else None
        return send(host, f"/s/lamps/?{urlencode(ids)}", form=form)

    assert attack(hosts, steal) == {409: REQUESTS}
    assert set(Assignment.objects.values_list("token_hash", flat=True)) == tokens
    assert set(Assignment.objects.values_list("state", flat=True)) == {"active"}
