"""Every address × every kind of study × every state of the work × who asks, as a table.

The addresses come from the URL configuration: a new one fails here until the table has it.
"""

import json
from collections.abc import Callable, Mapping

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.test import Client
from django.urls import reverse

from annotation.fieldwork.pages.worker_views import COOKIE
from annotation.fieldwork.review.reviewing import decide
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.ownership import proof_of
from annotation.models import Assignment, Draft, Membership, ReviewDecision, Role, Study
from annotation.people.access import inviting
from annotation.people.access.roles import RIGHTS, Act
from annotation.studies.drafts import making
from judging.models import Item
from tests.cast import (
    HOUR,
    NOW,
    answer_all,
    begun,
    bob,
    charlie,
    handed_in,
    prolific_id,
    prolific_link,
    rita,
    small_study,
    writing_study,
)
from tests.config.access import (
    ANY_KIND,
    ARRIVALS,
    CONSOLE,
    JUDGING,
    PUBLIC,
    WRITING,
)
from tests.config.addresses import addresses, granted, programs, rights_of, rows_of
from tests.config.askers import METHODS, ROLES, Undo, ask, client_of, person, same_again
from tests.writing.editor.typing_hands import answers_to
from writing.editor import drafting
from writing.log.eventlog import Start, encode

pytestmark = pytest.mark.django_db
KINDS = {"judging": small_study, "writing": writing_study}
TABLES = {"any": rows_of(ANY_KIND), "judging": rows_of(JUDGING), "writing": rows_of(WRITING)}
STATES = list(TABLES["any"][0].cells)
WORKER = "w/<str:token>/"


# -- The work, in every state -------------------------------------------------------------------


def complete(study: Study) -> Assignment:
    work = begun(study, bob())
    if study.kind == Study.Kind.JUDGING:
        answer_all(work)
    else:
        drafting.acknowledge(assignment=work, now=NOW, answers={})
    return work


def decided(study: Study, decision: ReviewDecision.Decision) -> Assignment:
    work = handed_in(begun(study, bob()))
    decide(assignment=work, decision=decision, reviewer="rita", reason="So.", now=NOW)
    return work


def expired(study: Study) -> Assignment:
    work = begun(study, bob())
    assigning.expire_due(now=NOW + 1000 * HOUR)
    return work


def late(study: Study) -> Assignment:
    work = expired(study)
    begun(study, charlie())
    return work


WORK: dict[str, Callable[[Study], Assignment]] = {
    "arrived": lambda study: assigning.claim(study=study, worker=bob(), now=NOW),
    "active": lambda study: begun(study, bob()),
    "complete": complete,
    "submitted": lambda study: handed_in(begun(study, bob())),
    "accepted": lambda study: decided(study, ReviewDecision.Decision.ACCEPT),
    "rejected": lambda study: decided(study, ReviewDecision.Decision.REJECT),
    "returned": lambda study: assigning.return_task(assignment=begun(study, bob()), now=NOW),
    "expired": expired,
    "late": late,
    "withdrawn": lambda study: assigning.withdraw(assignment=begun(study, bob()), now=NOW),
}


# -- What an honest page sends ------------------------------------------------------------------


IN_JSON = {
    "judging:here",
    "judging:answers",
    "writing:here",
    "writing:turn",
    "writing:log",
    "writing:rest",
}


def sent(name: str, study: Study) -> dict[str, object]:
    """Return the form data of this address's page, for Django's test client."""
    if name in IN_JSON:
        events = json.loads(encode([Start(seq=1, ms=1, length=0, version=1, agent="test")]))
        body = {"tab": "t", "answers": [], "number": 1, "events": events, "words": 1}
        return {"data": json.dumps(body), "content_type": "application/json"}
    forms: dict[str, dict[str, str]] = {
        "consent": {"agree": "yes"},
        "judging:finish": answers_to(study.exit_form),
        "writing:entry": answers_to(study.entry_form) | {"acknowledged": "on"},
        "writing:finish": answers_to(study.exit_form) | {"text": "Lamps shine.", "lost": "on"},
    }
    return {"data": forms.get(name, {})}


def worker_address(name: str, token: str) -> str:
    paged = name in ("judging:item", "judging:following", "judging:feedback")
    if name == "image":
        return reverse(name, args=[token, "0" * 64])
    return reverse(name, args=[token, 1] if paged else [token])


def worker_names() -> list[str]:
    return [name for path, name in addresses() if path.startswith(WORKER)]


def answers(names: list[str], token: str, study: Study) -> dict[str, str]:
    client = Client(enforce_csrf_checks=True)  # a worker's pages want no cookie
    undo = Undo()
    return {
        f"{method} {name}": ask(
            client, undo, method, worker_address(name, token), **sent(name, study)
        )
        for name in names
        for method in METHODS
    }


NOT_THERE = {"403", "405"}  # a method without a row; where it posts, without a CSRF token


def differing(
    found: dict[str, str], wanted: dict[str, str], other: set[str] = NOT_THERE
) -> dict[str, str]:
    """Return the answers that differ from the expected ones, or from `other` without a row."""
    return {
        key: f"{said}, not {wanted.get(key, 405)}"
        for key, said in found.items()
        if said not in ({wanted[key]} if key in wanted else other)
    }


def test_every_worker_address_is_in_the_table():
    assert set(worker_names()) == {row.name for table in TABLES.values() for row in table}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_gets_what_the_table_says(kind, state):
    """Also that a token opens no page of the other kind, whatever state its work is in."""
    study = KINDS[kind]()
    work = WORK[state](study)
    mine = [*TABLES["any"], *TABLES[kind]]
    wanted = {f"{row.method} {row.name}": row.cells[state].replace("kind", kind) for row in mine}
    (other,) = set(KINDS) - {kind}
    wanted |= {f"{row.method} {row.name}": "404" for row in TABLES[other]}
    assert differing(answers(worker_names(), work.token, study), wanted) == {}


@pytest.mark.parametrize("token", ["nobody", "\x00", "é" * 60, "%27--"])
def test_a_token_that_nobody_has_opens_nothing(token):
    study = small_study()
    wanted = {f"{row.method} {row.name}": "404" for table in TABLES.values() for row in table}
    statuses = answers(worker_names(), token, study)
    if "\x00" in token:  # refused before any view says which methods it takes
        assert set(statuses.values()) == {"404"}
    else:
        assert differing(statuses, wanted) == {}


# -- Arrivals -----------------------------------------------------------------------------------

ARRIVAL_ROWS = rows_of(ARRIVALS)


@pytest.mark.parametrize("state", ARRIVAL_ROWS[0].cells)
def test_an_arrival_leads_to_what_the_table_says(state):
    study = small_study(responses=3, items=1, quota=2, cap=2, recruitment="prolific")
    work = WORK[state](study)
    shown = proof_of(platform="prolific", submission=prolific_id("first of bob"), browser="of bob")
    Assignment.objects.update(session_hash=shown.session, browser_hash=shown.browser)
    places = {f"/w/{work.token}/{page}": "→bobs" for page in ("", "instructions/")}
    found = {}
    for row in ARRIVAL_ROWS:
        client = Client(enforce_csrf_checks=True)
        if row.name == "browser":
            client.cookies[COOKIE] = signing.dumps("of bob", salt=COOKIE)
        link = prolific_link("bob", submission="first" if row.name == "submission" else "other")
        with transaction.atomic():
            said = getattr(client, row.method.lower())(
                link, {"agree": "yes"} if row.method == "POST" else {}
            )
            transaction.set_rollback(True)
        place = getattr(said, "url", "")
        key = f"{row.method} {row.name}"
        found[key] = places.get(place, "→new") if place else str(said.status_code)
    wanted = {f"{row.method} {row.name}": row.cells[state] for row in ARRIVAL_ROWS}
    assert differing(found, wanted) == {}


# -- Researchers --------------------------------------------------------------------------------

PLACES = {
    "path": "tutorial/",
    "file": 1,
    "number": 1,
    "part": "agreement",
    "name": "assignments.csv",
    "kind": "jsonl",
    "pk": 0,
    "entry": 0,
    "round": 0,
    "pseudonym": "bob",
    "key": "t1",
    "token": "of-nobody",
    "study_kind": "judging",
    "method": "best-worst",
    "section": "design",
    "screen": "page",
    "act": "close",
    "order": "pay",
    "uidb64": "MQ",
    "digest": "0" * 64,
}


def console_names() -> list[str]:
    paths = [(path, name) for path, name in addresses() if not path.startswith("admin/")]
    return [name for path, name in paths if not path.startswith(WORKER)]


def console_address(name: str, study: Study | None, pk: int) -> str:
    (path,) = [path for path, address in addresses() if address == name]
    at = {"slug": study.slug if study else "nowhere", "version": study.version if study else 1}
    values = {**at, **PLACES, "pk": pk}
    if name == "item_page":
        values["pk"] = Item.objects.filter(study=study).values_list("pk", flat=True).first() or 0
    if name == "response_page":
        values["key"] = "t1a"
    if name.startswith("person"):
        values["pk"] = User.objects.get(username="member").pk
    if "corpus" in name and study:
        first = {"corpus_topic": study.corpus.topics, "corpus_response": study.corpus.responses}
        row = first[name].first() if name in first else None
        values |= {"slug": study.corpus.slug, "part": "topics", "pk": row.pk if row else 0}
    if name in ("team", "audit") or name.startswith("team_"):
        values["pk"] = study.team.pk if study else 0
    if "draft" in name:
        values["pk"] = Draft.objects.order_by("pk").values_list("pk", flat=True).first() or 0
    return reverse(name, kwargs={key: values[key] for key in values if f":{key}>" in path})


STUDIES: dict[str, Callable[[], Study | None]] = {
    "judging": lambda: small_study(quota=2),
    "writing": lambda: writing_study(topics=2, slug="unlisted-letters"),
    "unknown": lambda: None,
}
EVERYBODY = [*ROLES, "administrator", "stranger", "anonymous"]
CONSOLE_ROWS, PUBLIC_ROWS = rows_of(CONSOLE), rows_of(PUBLIC)
SENT = {
    "decision": "accept",
    "batch": "1",
    "name": "More lamps",
    "role": "viewer",
    "session": "others",
}


def posted(name: str, sent: Mapping[str, object] = SENT) -> dict[str, object]:
    """Return the data sent to an address of the console, or by a program."""
    if name in programs():
        return {"data": "{}", "content_type": "application/json"}
    return {"data": sent}


def test_every_address_of_the_console_is_in_the_table():
    assert set(console_names()) == {row.name for row in [*CONSOLE_ROWS, *PUBLIC_ROWS]}


def test_the_table_of_rights_is_that_of_the_roles():
    for role in Role:
        may = {act for act, said in rights_of(role).items() if said == "yes"}
        assert may == RIGHTS[role], role
    assert set(rights_of(Role.OWNER)) == set(Act)


@pytest.mark.parametrize("kind", STUDIES)
@pytest.mark.parametrize("who", EVERYBODY)
def test_everybody_gets_what_the_table_says(who, kind):
    study = STUDIES[kind]()
    pk = handed_in(begun(study, bob())).pk if study else 1
    if study:
        making.make_version(study=study, user=None, now=NOW)
    user = person(who, study)
    member = User.objects.create_user("member")
    sent = SENT | {"user": member.pk}
    if study:
        for thing in (study, study.corpus):
            Membership.objects.create(team=thing.team, user=member, role=Role.OWNER)
        invited = inviting.invite(team=study.team, role=Role.VIEWER, by=member, now=NOW)
        sent["invitation"] = invited[0].pk
    client, undo = client_of(user), Undo()
    found = {
        f"{method} {name}": ask(
            same_again(client), undo, method, console_address(name, study, pk), **posted(name, sent)
        )
        for name in console_names()
        for method in METHODS
    }
    said = {f"{row.method} {row.name}": granted(row, who=who, kind=kind) for row in CONSOLE_ROWS}
    said |= {f"{row.method} {row.name}": row.cells[kind] for row in PUBLIC_ROWS}
    other = {"→login", "401", "403", "405"} if who == "anonymous" else {"405"}
    assert differing(found, said, other) == {}


@pytest.mark.parametrize("kind", ["judging", "writing"])
def test_a_stranger_never_reads_that_a_study_is_there(kind):
    study = STUDIES[kind]()
    pk = handed_in(begun(study, bob())).pk
    User.objects.create_user("member")
    client = client_of(person("stranger"))
    for name in console_names():
        if name != "arrive":
            response = client.get(console_address(name, study, pk))
            assert study.title not in response.text, name
            assert study.slug not in response.text, name


def test_nothing_is_changed_for_a_researcher_by_a_page_of_others():
    """Without a CSRF token, that is. Who arrives is no researcher and has none."""
    study = writing_study(topics=2)
    pk = handed_in(begun(study, bob())).pk
    User.objects.create_user("member")
    posting = [row.name for row in CONSOLE_ROWS if row.method == "POST"]
    posting += ["login", "login_code", "logout"]
    client, undo = client_of(rita(), enforce_csrf_checks=True), Undo()
    found = {
        name: ask(client, undo, "POST", console_address(name, study, pk), **posted(name))
        for name in posting
    }
    # Which upload or study it is, and whose, is looked at before any file of the request is read.
    earlier = dict.fromkeys(("upload_files", "bring_labels"), "404")
    assert found == dict.fromkeys(posting, "403") | earlier
