"""A crowd of known competence, for trying a study before it is paid for.

A simulated worker knows the truth of an item with the probability of their competence, and else
answers by a habit of their own: the model that MACE inverts (Hovy et al., 2013). The truth comes
from a latent merit of each response, part of it shared by all questions.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from django.db.models import prefetch_related_objects

from annotation.models import Assignment, Study
from annotation.recruiting.arriving import Arrival, arrive
from annotation.work import assigning
from annotation.work.allocation import generator
from annotation.work.refusals import (
    BeingRead,
    CapReached,
    NoTaskLeft,
    NothingNew,
    NothingOpenYet,
    OnboardingOver,
    StudyNotOpen,
)
from judging.answering import recording
from judging.items import drawing
from judging.items.kinds import item_kind
from judging.models import Item, Question, Showing

PLATFORM = "simulation"
SPAMMER = 0.05  # the competence of a simulated spammer
SHARED = 0.7  # share of a response's merit that all questions have in common
LEVEL = 0.5  # merits nearer than this are equal, where the scale has an "equal"


@dataclass(frozen=True)
class SimulatedWorker:
    """`competence` is the probability to know; `seconds` the mean time an item takes."""

    name: str
    competence: float
    seconds: float
    seed: int

    def habit(self, question: Question, options: int) -> np.ndarray:
        """Probabilities of the options when not knowing, shape (options,)."""
        return generator(self.seed, self.name, question.key).dirichlet(np.full(options, 2.0))


def crowd(*, workers: int, spammers: float, seed: int) -> list[SimulatedWorker]:
    """`workers` people, a share of whom answer without reading. Reproducible by the seed."""
    rng = generator("crowd", seed)
    spam = rng.permutation(workers) < round(spammers * workers)
    competence = np.where(spam, SPAMMER, rng.beta(8, 3, size=workers))
    seconds = np.where(spam, rng.uniform(4, 12, workers), rng.gamma(12, 5, workers))
    return [
        SimulatedWorker(f"sim-{seed}-{n}", float(competence[n]), float(seconds[n]), seed)
        for n in range(workers)
    ]


def merit(*, response: str, question: str, seed: int) -> float:
    """The latent merit of a response in a question: standard normal."""
    shared = generator("merit", seed, response).standard_normal()
    own = generator("merit", seed, response, question).standard_normal()
    return float(np.sqrt(SHARED) * shared + np.sqrt(1 - SHARED) * own)


def truth(*, item: Item, question: Question, seed: int) -> str:
    """The true answer to a question about an item: a slot name, or the code of an option."""
    slots = {
        slot.name: merit(response=slot.response.key, question=question.criterion.key, seed=seed)
        for slot in item.slots.all()
        if slot.response is not None
    }
    options = question.scale.spec["options"]
    choices = {option["slot"] for option in options if option["role"] == "slot"}
    if choices:
        ties = [option["code"] for option in options if option["role"] == "tie"]
        best, second, *_ = sorted((slots[name] for name in choices), reverse=True)
        if ties and best - second < LEVEL:
            return str(ties[0])
        return str(max(choices, key=lambda name: slots[name]))
    (value,) = slots.values()
    scored = sorted((o for o in options if o["role"] == "score"), key=lambda o: o["score"])
    place = int(np.clip((value + 1.5) / 3 * len(scored), 0, len(scored) - 1))
    return str(scored[place]["code"])


def raw_answer(*, worker: SimulatedWorker, showing: Showing, question: Question, seed: int) -> str:
    """What the worker clicks: the code of an option in the order shown to them."""
    options = question.scale.spec["options"]
    rng = generator(worker.seed, worker.name, showing.item.key, question.key)
    if rng.random() >= worker.competence:
        index = rng.choice(len(options), p=worker.habit(question, len(options)))
        return str(options[index]["code"])
    true = truth(item=showing.item, question=question, seed=seed)
    places = item_kind(showing.item.kind).drawn(showing.order.split(","))
    if true in places:
        true_place = places[showing.order.split(",").index(true)]
        return next(str(o["code"]) for o in options if o.get("slot") == true_place)
    return true


def answers(
    *, worker: SimulatedWorker, showing: Showing, questions: dict[str, Question], seed: int
) -> list[recording.Given]:
    """All answers of a worker to one item."""
    rng = generator(worker.seed, worker.name, showing.item.key, "time")
    times = np.sort(rng.gamma(4, worker.seconds / 4, size=len(questions)) * 1000).astype(int)
    return [
        recording.Given(
            showing.position,
            question.key,
            raw_answer(worker=worker, showing=showing, question=question, seed=seed),
            milliseconds=int(time),
        )
        for question, time in zip(questions.values(), times, strict=True)
    ]


def simulate(
    *, study: Study, workers: list[SimulatedWorker], now: datetime
) -> Iterator[tuple[SimulatedWorker, Assignment]]:
    """Send a crowd through claiming, saving and submitting, one after the other.

    Yields each worker with the submitted assignment; ends when nothing is left for anybody.
    """
    questions = recording.questions_of(study.pk)
    for worker in workers:
        try:
            assignment = arrive(
                study=study, arrival=Arrival(PLATFORM, worker.name, pseudonym=worker.name), now=now
            )
        except (NoTaskLeft, StudyNotOpen):
            return
        except (CapReached, NothingNew, BeingRead, OnboardingOver, NothingOpenYet):
            continue
        yield worker, _work(worker, assignment, questions, study.seed, now)


def _work(
    worker: SimulatedWorker,
    assignment: Assignment,
    questions: dict[str, Question],
    seed: int,
    now: datetime,
) -> Assignment:
    showings = drawing.draw_showings(assignment=assignment)
    prefetch_related_objects(showings, "item__slots__response")
    # The clock of a simulation runs backwards from now, so that nothing lies in the future.
    begun = now - timedelta(seconds=worker.seconds * len(showings))
    assigning.begin(assignment=assignment, now=begun)
    for number, showing in enumerate(showings, start=1):
        given = answers(worker=worker, showing=showing, questions=questions, seed=seed)
        at = begun + timedelta(seconds=worker.seconds * number)
        recording.record(assignment=assignment, answers=given, now=at, questions=questions)
    return recording.submit(assignment=assignment, now=now)
