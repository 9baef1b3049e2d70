"""A demo study on our fake Prolific, with submissions in every state.

Running it again changes nothing; the fake stores its state in a file.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

import msgspec
from django.contrib.auth.models import User
from django.db import transaction

from annotation.fieldwork.paying import ordering, orders, sending
from annotation.fieldwork.platforms.completion import PLATFORMS
from annotation.fieldwork.platforms.fake_prolific.pages import participant_id
from annotation.fieldwork.platforms.fake_prolific.running import FakeProlific
from annotation.fieldwork.platforms.fake_prolific.world import RUNNING, Submission
from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.fieldwork.platforms.prolific_client import client_for_settings
from annotation.fieldwork.recruiting import arriving
from annotation.fieldwork.recruiting.arriving import Arrival
from annotation.fieldwork.recruiting.prolific import offers, publishing, reconciling
from annotation.fieldwork.review import reviewing
from annotation.models import Assignment, Corpus, PlatformStudy, ReviewDecision, Study
from annotation.studies import batching
from judging.design.designing import create_study, write_plans
from judging.design.plans import plans_of
from judging.instruments import files as instruments
from judging.simulation.simulating import SimulatedWorker, simulate

SLUG = "demo-prolific"
SEED = 25
LATEST, RETURNING = "latest", "returning"  # who move while the visitor looks
CAREFUL = 55.0  # seconds a page
ENOUGH = 150  # seconds: who needs less for five pages is held for a person to look at
WHY = (
    "You answered all five pages in a few seconds, which is too short to read even one of "
    "the texts. We are sorry that we can't pay for this."
)


@dataclass(frozen=True)
class Person:
    """A simulated participant: arrival `minutes` before the visitor, outcome and decision.

    Participants who submit enter the `code` at Prolific, or have yet to.
    """

    name: str
    minutes: int
    does: str = "hands in"  # or leaves, times out, is at work
    seconds: float = CAREFUL
    decided: str = ""
    code: bool = True


PEOPLE = (
    Person("first", 95, decided="accepted"),
    Person("second", 88, decided="accepted"),
    Person("thorough", 80, seconds=110, decided="bonus"),
    Person("hasty", 71, seconds=3, decided="rejected"),
    Person("gone", 66, does="leaves"),
    Person("careful", 52),
    Person("slow", 45, seconds=150),
    Person("quick", 31, seconds=6),
    Person("lost", 25, does="times out"),
    Person("at work", 6, does="is at work"),
    Person(LATEST, 1, code=False),
    Person(RETURNING, 2, does="is at work"),
)


def study(*, corpus: Corpus, owner: User, fake: FakeProlific, now: datetime) -> Study:
    """Return the demo study with its events, created as a whole or not at all."""
    existing = Study.objects.filter(slug=SLUG).first()
    if existing is not None:
        return existing
    with transaction.atomic(), fake.all_or_nothing():
        made = _made(corpus, owner, now)
        at = _published(made, now)
        theirs = fake.world.study(at.external_id)
        works = {}
        for person in PEOPLE:
            submission = fake.world.reserve(theirs, participant_id(person.name))
            works[person.name] = _come(made, person, submission, fake, now)
        reconciling.poll(at=at, now=now)
        _decide(made, works, owner, now)
        sending.go_on(desk=client_for_settings(), now=now)
        reconciling.poll(at=at, now=now)
    return made


def _made(corpus: Corpus, owner: User, now: datetime) -> Study:
    method = instruments.load("crowdrag-pairwise")
    short = msgspec.structs.replace(method.defaults, minutes=6, minimum_seconds=ENOUGH)
    made = create_study(
        slug=SLUG,
        title="Demo: recruited at a trial Prolific",
        corpus=corpus,
        instruments=[msgspec.structs.replace(method, defaults=short)],
        seed=SEED,
        created_by=owner,
        contact="No one: this demo runs on your computer, and no data leaves it.",
        pay=Decimal("1.50"),
        budget=Decimal("60"),
        recruitment=Study.Recruitment.PROLIFIC,
        signed_links=True,
    )
    plans = plans_of(study=made, seed=SEED, reversed_share=0, items_per_questionnaire=5, quota=1)
    batching.open_batch(batch=write_plans(study=made, plans=plans), now=now)
    return made


def _published(study: Study, now: datetime) -> PlatformStudy:
    """At the fake, as the page of Prolific does it."""
    client = client_for_settings()
    payload = publishing.payload_for(study=study, client=client)
    stamp = offers.stamp_of(payload)
    at = publishing.make_draft(study=study, stamp=stamp, now=now)
    publishing.publish(at=at)
    return at


def _come(
    study: Study, person: Person, submission: Submission, fake: FakeProlific, now: datetime
) -> Assignment:
    """By a signed link, and then what they do."""
    ended = now - timedelta(minutes=person.minutes)
    submission.started_at = (ended - timedelta(minutes=8)).timestamp()
    fake.world.begin(submission)
    arrival = Arrival(
        "prolific", submission.participant, submission.id, browser=person.name, signed=True
    )
    if person.does == "hands in":
        worker = SimulatedWorker(person.name, 0.8, person.seconds, SEED)
        ((_, work),) = simulate(
            study=study, workers=[worker], now=ended, arrival_of=lambda _: arrival
        )
        if person.code:
            fake.world.complete(submission, PLATFORMS["prolific"].code_for(study, Outcome.DONE))
            submission.completed_at = ended.timestamp()
        return work
    work = arriving.take_part(study=study, arrival=arrival, now=ended)
    if person.does == "leaves":
        fake.world.leave(submission)
    elif person.does == "times out":
        fake.world.time_out(submission)
    return work


def _decide(study: Study, works: dict[str, Assignment], owner: User, now: datetime) -> None:
    """Accept, reject and give a bonus, and order what follows from it."""
    decided = {person.name: person.decided for person in PEOPLE if person.decided}
    for name, outcome in decided.items():
        rejected = outcome == "rejected"
        reviewing.decide(
            assignment=works[name],
            decision=ReviewDecision.Decision[("REJECT" if rejected else "ACCEPT")],
            reviewer=owner.get_username(),
            now=now,
            reason=WHY if rejected else "",
        )
        if rejected:
            ordering.reject(
                work=works[name], category="TOO_QUICKLY", message=WHY, user=owner, now=now
            )
        if outcome == "bonus":
            ordering.give_bonus(
                work=works[name],
                amount=Decimal("0.50"),
                reason="Very thorough.",
                number=0,
                user=owner,
                now=now,
            )
    ordering.pay(study=study, stamp=orders.payable(study).stamp, user=owner, now=now)


def point_at(*, study: Study, fake: FakeProlific) -> None:
    """Let what is at the fake lead to the port of today."""
    for theirs in fake.world.studies.values():
        theirs.fields["external_study_url"] = study.worker_link


def news(*, study: Study, fake: FakeProlific) -> None:
    """Trigger events by webhook once the site runs: a code is entered, a place returned."""
    with fake.api.lock:
        for submission in list(fake.world.submissions.values()):
            if submission.status not in RUNNING:
                continue
            if submission.participant == participant_id(LATEST):
                code = PLATFORMS["prolific"].code_for(study, Outcome.DONE)
                fake.world.complete(submission, code)
            elif submission.participant == participant_id(RETURNING):
                fake.world.leave(submission)
    fake.keep()
