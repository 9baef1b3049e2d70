"""Simulating a crowd of known competence, to try a study before paying for it.

A simulated worker knows the truth of an item with the probability of their competence, and else
answers by a habit: the model that MACE inverts (Hovy et al., 2013). The truth comes from a latent
merit of each response, part of it shared by all questions; a part of a response, and a passage
together with a point, share a part of theirs with the response or the passage.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db.models import prefetch_related_objects

from annotation.fieldwork.recruiting.arriving import Arrival, arrive
from annotation.fieldwork.screening.scoring import take
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.admission import is_due
from annotation.fieldwork.work.item_order import generator
from annotation.fieldwork.work.refusals import (
    BeingRead,
    CapReached,
    NoTaskLeft,
    NothingNew,
    NothingOpenYet,
    OnboardingOver,
    StudyNotOpen,
)
from annotation.models import Assignment, Study
from annotation.studies.drafts.kinds import Crowd
from judging.answering import recording
from judging.answering.unanswered import Questions
from judging.items import drawing
from judging.items.contents import slots_asked
from judging.items.kinds import Holds, item_kind
from judging.models import Item, ItemRole, ItemSlot, Presentation, Question, Scale

PLATFORM = "simulation"
SPAMMER = 0.05  # the competence of a simulated spammer
MEAN_SECONDS = 60  # of an item, of workers who are no spammers
SHARED = 0.7  # share of a merit that all questions, or all parts of a text, have in common
WORDS = "This is what a simulated worker writes."
MOST_STEPS = 100  # of a range
CONTENTS = [
    f"item__slots__{held}" for held in ("response", "passage", "segment__response", "criterion")
]
LEFT = "a"  # the place on the left
LEVEL = 0.5  # merits nearer than this are equal, where the scale has an "equal"


@dataclass(frozen=True)
class SimulatedWorker:
    """`competence` is the probability to know; `seconds` the mean time of an item.

    `difference` is the standard deviation between systems of the merits that they see. `left` is
    the probability that they choose the left side when not knowing, whatever their habit.
    """

    name: str
    competence: float
    seconds: float
    seed: int
    difference: float = 0
    left: float = 0

    def habit(self, question: Question, options: int) -> np.ndarray:
        """Return the probabilities of the options when not knowing, shape (options,)."""
        return generator(self.seed, self.name, question.key).dirichlet(np.full(options, 2.0))


def crowd(*, workers: int, spammers: float, seed: int) -> list[SimulatedWorker]:
    """Return `workers` people, a share of them spammers. Reproducible by the seed."""
    rng = generator("crowd", seed)
    spam = rng.permutation(workers) < round(spammers * workers)
    competence = np.where(spam, SPAMMER, rng.beta(8, 3, size=workers))
    seconds = np.where(spam, rng.uniform(4, 12, workers), rng.gamma(12, MEAN_SECONDS / 12, workers))
    return [
        SimulatedWorker(f"sim-{seed}-{n}", float(competence[n]), float(seconds[n]), seed)
        for n in range(workers)
    ]


def crowd_of(made_up: Crowd) -> list[SimulatedWorker]:
    """Return the people of a simulated copy, without spammers to keep the wanted competence."""
    middle = min(max(made_up.competence, SPAMMER), 1 - SPAMMER)
    rng = generator("crowd", made_up.seed)
    competences = rng.beta(11 * middle, 11 * (1 - middle), size=len(made_up.names))
    seconds = rng.gamma(12, MEAN_SECONDS / 12, size=len(made_up.names))
    return [
        SimulatedWorker(name, float(knows), float(takes), made_up.seed, made_up.difference)
        for name, knows, takes in zip(made_up.names, competences, seconds, strict=True)
    ]


def merit(*, response: str, question: str, seed: int) -> float:
    """Return the latent merit of a text in a criterion: standard normal."""
    shared = generator("merit", seed, response).standard_normal()
    own_part = generator("merit", seed, response, question).standard_normal()
    return float(np.sqrt(SHARED) * shared + np.sqrt(1 - SHARED) * own_part)


def choices_of(question: Question) -> list[dict[str, Any]]:
    """Return the answers as options; the steps of a range are scores. None for a text."""
    spec = question.scale.spec
    if question.scale.kind == Scale.Kind.OPTIONS:
        return list(spec["options"])
    if question.scale.kind == Scale.Kind.TEXT:
        return []
    step = spec.get("step", 1)
    steps = min(round((spec["max"] - spec["min"]) / step), MOST_STEPS)
    values = [spec["min"] + n * step for n in range(steps + 1)]
    return [{"code": f"{value:.15g}", "role": "score", "score": value} for value in values]


def truth(
    *, item: Item, question: Question, seed: int, slot: str = "", difference: float = 0
) -> str:
    """Return the true answer to a question on an item or slot: a slot name, or a code.

    Merits of systems have the standard deviation `difference`.
    """
    criterion = question.criterion.key
    slots = {
        slot.name: merit(response=_text_of(slot), question=criterion, seed=seed)
        + (difference * _of_system(slot, seed) if difference else 0)
        for slot in item.slots.all()
    }
    options = choices_of(question)
    chosen = {
        option["slot"]: option.get("score", 1) for option in options if option["role"] == "slot"
    }
    if chosen:
        ties = [option["code"] for option in options if option["role"] == "tie"]
        best, second, *_ = sorted((slots[name] for name in chosen), reverse=True)
        if ties and best - second < LEVEL:
            return str(ties[0])
        return str(max(chosen, key=lambda name: slots[name] * (-1 if chosen[name] < 0 else 1)))
    subject = item_kind(item.kind).subject
    value = slots[slot or subject.name]
    if slot and item_kind(item.kind).about:  # the text decides, and how it deals with the entry
        own = merit(response=f"{item.key}/{slot}", question=criterion, seed=seed)
        value = float(np.sqrt(SHARED) * slots[subject.name] + np.sqrt(1 - SHARED) * own)
    if not slot and (len(slots) > 1 or subject.holds == Holds.SEGMENT):
        own = merit(response=item.key, question=criterion, seed=seed)
        value = float(np.sqrt(SHARED) * value + np.sqrt(1 - SHARED) * own)
    scored = sorted((o for o in options if o["role"] == "score"), key=lambda o: o["score"])
    if not scored:
        return str(options[0]["code"])
    place = int(np.clip((value + 1.5) / 3 * len(scored), 0, len(scored) - 1))
    return str(scored[place]["code"])


def _of_system(slot: ItemSlot, seed: int) -> float:
    """Return the merit of the slot's system: standard normal; 0 without one."""
    text = slot.segment.response if slot.segment else slot.response
    if text is None or text.system_id is None:
        return 0
    return float(generator("system", seed, text.system_id).standard_normal())


def _text_of(slot: ItemSlot) -> str:
    """Return the key of the slot's content; of a part of a text that of the text."""
    content: Any = slot.segment.response if slot.segment else slot.content
    return str(content.key)


def raw_answer(
    *,
    worker: SimulatedWorker,
    presentation: Presentation,
    question: Question,
    seed: int,
    slot: str = "",
    taken: Collection[str] = (),
) -> str:
    """Return the worker's raw answer in the shown order, which chooses no `taken` place."""
    options = choices_of(question)
    if not options:
        return WORDS
    check = presentation.item.check_of
    if check and check.role == ItemRole.ATTENTION and question.key in check.expected:
        return str(check.expected[question.key])
    rng = generator(
        worker.seed, worker.name, presentation.item.key, question.key, *filter(None, [slot])
    )
    if rng.random() >= worker.competence:
        lefts = [str(o["code"]) for o in options if o.get("slot") == LEFT and LEFT not in taken]
        if worker.left and lefts and rng.random() < worker.left:
            return lefts[0]
        weights = worker.habit(question, len(options))
        free = np.array([option.get("slot") not in taken for option in options])
        weights = weights * free / (weights * free).sum() if not free.all() else weights
        return str(options[rng.choice(len(options), p=weights)]["code"])
    true = truth(
        item=presentation.item,
        question=question,
        seed=seed,
        slot=slot,
        difference=worker.difference,
    )
    order = presentation.order.split(",")
    places = item_kind(presentation.item.kind).drawn(order)
    place = places[order.index(true)] if true in order else true
    if place in taken:
        return next(str(o["code"]) for o in options if o.get("slot") not in taken)
    return next((str(o["code"]) for o in options if o.get("slot") == place), true)


def answers(
    *,
    worker: SimulatedWorker,
    presentation: Presentation,
    questions: Questions,
    seed: int,
    kept: Mapping[tuple[str, str], str] | None = None,
) -> list[recording.GivenAnswer]:
    """Return the worker's answers on a page, except those that are `kept`."""
    kept = kept or {}
    kind = item_kind(presentation.item.kind)
    names = [slot.name for slot in presentation.item.slots.all()]
    fields = [
        (question, slot)
        for question in questions[presentation.instrument_id].values()
        for slot in slots_asked(question, kind, names)
    ]
    rng = generator(worker.seed, worker.name, presentation.item.key, "time")
    times = np.sort(rng.gamma(4, worker.seconds / 4, size=len(fields)) * 1000).astype(int)
    taken: dict[int, set[str]] = defaultdict(set)
    for question, slot in fields:
        taken[question.criterion_id] |= _places(question, kept.get((question.key, slot), ""))
    new_answers = []
    for (question, slot), time in zip(fields, times, strict=True):
        if (question.key, slot) in kept:
            continue
        apart = kind.distinct_choices and question.arity == Question.Arity.CHOOSE
        places = taken[question.criterion_id] if apart else set()
        raw = raw_answer(
            worker=worker,
            presentation=presentation,
            question=question,
            seed=seed,
            slot=slot,
            taken=places,
        )
        places |= _places(question, raw)
        new_answers.append(
            recording.GivenAnswer(
                presentation.position, question.key, raw, slot, milliseconds=int(time)
            )
        )
    return new_answers


def _places(question: Question, raw: str) -> set[str]:
    """Return the chosen places: one or none."""
    return {o["slot"] for o in choices_of(question) if o["code"] == raw and o.get("slot")}


def _by_name(worker: SimulatedWorker) -> Arrival:
    return Arrival(PLATFORM, worker.name, pseudonym=worker.name)


def simulate(
    *,
    study: Study,
    workers: list[SimulatedWorker],
    now: datetime,
    arrival_of: Callable[[SimulatedWorker], Arrival] = _by_name,
) -> Iterator[tuple[SimulatedWorker, Assignment]]:
    """Send a crowd through claiming, saving and submitting, one after the other.

    Yields each worker with the submitted assignment; ends when no task is left.
    """
    questions = recording.questions_of(study.pk)
    for worker in workers:
        try:
            assignment = arrive(study=study, arrival=arrival_of(worker), now=now)
        except (NoTaskLeft, StudyNotOpen):
            return
        except (CapReached, NothingNew, BeingRead, OnboardingOver, NothingOpenYet):
            continue
        yield worker, _work(worker, assignment, questions, study.seed, now)


def simulate_crowd(*, study: Study, crowd: Crowd, now: datetime) -> Iterator[Assignment]:
    """Send each person of a crowd as often as a worker may take part."""
    people = crowd_of(crowd)
    for _ in range(study.tasks_per_worker):
        for _worker, assignment in simulate(study=study, workers=people, now=now):
            yield assignment


def _work(
    worker: SimulatedWorker,
    assignment: Assignment,
    questions: Questions,
    seed: int,
    now: datetime,
) -> Assignment:
    presentations = drawing.draw_presentations(assignment=assignment)
    prefetch_related_objects(presentations, *CONTENTS)
    # The clock of a simulation runs backwards from now, so that nothing lies in the future.
    begun = now - timedelta(seconds=worker.seconds * len(presentations))
    assignment.arrived_at = begun
    assignment.save(update_fields=["arrived_at"])
    assigning.begin(assignment=assignment, now=begun)
    if is_due(assignment):
        right = {
            question["key"]: question["right"]
            for question in assignment.study.screening["questions"]
        }
        take(assignment=assignment, answers=right, now=begun)
    for number, presentation in enumerate(presentations, start=1):
        given = answers(worker=worker, presentation=presentation, questions=questions, seed=seed)
        at = begun + timedelta(seconds=worker.seconds * number)
        recording.record(assignment=assignment, answers=given, now=at, questions=questions)
    return recording.submit(assignment=assignment, now=now)
