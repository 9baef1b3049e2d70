"""Acts on the batches of a study: each has a preview, happens once and is in the audit log."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from django import forms
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from annotation import signals
from annotation.models import Batch, Study
from annotation.people.access.auditing import record
from annotation.studies import act_sentences as sentences
from annotation.studies import batching, extending
from annotation.studies.act_effects import ActEffect, BatchTerms, rehearse
from annotation.studies.batching import NotReady
from annotation.studies.creating import RefusedSetting
from annotation.studies.drafts.kinds import NextRounds, UndecidedItems, kind_of
from annotation.texts.sentences import marked
from annotation.texts.translation import translated_error

State = Batch.State
T = TypeVar("T")
Said = dict[str, Any]
NEXT = "next round"  # of a bank: name of its batch
SOME_ITEMS = 30  # undecided ones that a few experts judge in a sitting


@dataclass(frozen=True)
class BatchAct:
    """`states` are those of a batch in which it can be done; `asks` the fields that say how.

    `at_once`: another act takes it back, so that a click does it. `final`: it cannot be taken
    back, so that the name of the batch is to be typed. `makes`: it makes a further batch and
    leaves this one as it is. `foresees`: what it would come to, where to do it and take it back
    would take seconds of a large study. `is_slow`: that takes about a second for a large study,
    so the page loads first and then requests it. `adds_places`: more people can begin, so the
    person who does it confirms what others object to (signals.confirming). `of_study`: the page
    offers it once. `needs` names what the kind of study must have.
    """

    key: str
    title: str
    done: str  # in the past tense, for the audit log
    states: tuple[str, ...]
    do: Callable[[Batch, datetime, str | None, Said], Batch]
    says: Callable[[ActEffect], list[str]]
    asks: tuple[str, ...] = ()
    at_once: bool = False
    final: bool = False
    makes: bool = False
    foresees: Callable[[Batch, Said], ActEffect] | None = None
    is_slow: bool = False
    adds_places: bool = False
    of_study: bool = False
    needs: str = ""


class ActNotConfirmed(NotReady):
    """An act that somebody has to confirm first; the message says why."""


def _asked(act: BatchAct, batch: Batch) -> tuple[str, ...]:
    """Return why to think before an act that was just done, in its transaction, stays done."""
    if not act.adds_places:
        return ()
    answers: list[tuple[Any, Any]] = signals.confirming.send(sender=Batch, batch=batch)
    return tuple(sentence for _, sentences in answers for sentence in sentences or ())


def _require_closed(batch: Batch) -> None:
    if batch.state != State.CLOSED:
        raise NotReady(
            "not_closed",
            gettext("Batch {batch} is {state}. Extend it instead.").format(
                batch=batch, state=batch.state
            ),
        )


def _repeat(batch: Batch, now: datetime, stamp: str | None, said: Said) -> Batch:
    batching.locked(batch, stamp=stamp)
    _require_closed(batch)
    kind, name = kind_of(batch.study.kind), _free_name(batch.study, f"{batch.name} again")
    return kind.repeat(batch=batch, name=name, **said)


def _repeated(batch: Batch, said: Said) -> ActEffect:
    """Its tasks once more."""
    _require_closed(batch)
    tasks = batch.tasks.count()
    return _further(batch.study, f"{batch.name} again", tasks, tasks * int(said["votes"]))


def _further(study: Study, name: str, tasks: int, places: int) -> ActEffect:
    further = Batch(study=study, name=_free_name(study, name))
    pay, minutes = further.terms_in(study)
    return ActEffect(None, BatchTerms(further, study, tasks, places, 0, 0, pay, minutes))


def _add_topics(batch: Batch, now: datetime, stamp: str | None, said: Said) -> Batch:
    batching.locked(batch, stamp=stamp)
    kind, name = kind_of(batch.study.kind), _free_name(batch.study, "more topics")
    try:
        return kind.add_topics(batch=batch, name=name, **said)
    except kind.refusals as error:
        raise NotReady("cannot_add_topics", translated_error(error)) from error


def _topics_added(batch: Batch, said: Said) -> ActEffect:
    kind = kind_of(batch.study.kind)
    try:
        tasks, places = kind.foreseen_topics(batch=batch, **said)
    except kind.refusals as error:
        raise NotReady("cannot_add_topics", translated_error(error)) from error
    return _further(batch.study, "more topics", tasks, places)


def _ask_unknown(batch: Batch, now: datetime, stamp: str | None, said: Said) -> Batch:
    batching.locked(batch, stamp=stamp)
    name = _free_name(batch.study, NEXT)
    return _next_round(batch, lambda rounds: rounds.ask(batch=batch, name=name))


def _unknown_asked(batch: Batch, said: Said) -> ActEffect:
    size = _next_round(batch, lambda rounds: rounds.foreseen(batch=batch))
    return replace(_further(batch.study, NEXT, size.tasks, size.places), cells=size.cells)


def _next_round(batch: Batch, do: Callable[[NextRounds], T]) -> T:
    kind = kind_of(batch.study.kind)
    if kind.next_rounds is None:
        raise NotReady("no_bank", gettext("This study doesn't use a bank."))
    try:
        return do(kind.next_rounds)
    except kind.refusals as error:
        raise NotReady("nothing_unknown", translated_error(error)) from error


def _ask_undecided(batch: Batch, now: datetime, stamp: str | None, said: Said) -> Batch:
    batching.locked(batch, stamp=stamp)
    _require_closed(batch)
    name = _free_name(batch.study, f"{batch.name} undecided")
    return _of_undecided(batch, lambda kind: kind.ask(batch=batch, name=name, **said))


def _undecided_asked(batch: Batch, said: Said) -> ActEffect:
    _require_closed(batch)
    size = _of_undecided(batch, lambda kind: kind.foreseen(batch=batch, **said))
    name = f"{batch.name} undecided"
    effect = _further(batch.study, name, size.tasks, size.tasks * int(said["votes"]))
    return replace(effect, items=size.items, undecided=size.undecided)


def _of_undecided(batch: Batch, do: Callable[[UndecidedItems], T]) -> T:
    kind = kind_of(batch.study.kind)
    if kind.undecided is None:
        raise NotReady("nothing_judged", gettext("Only judging studies have undecided items."))
    try:
        return do(kind.undecided)
    except kind.refusals as error:
        raise NotReady("none_undecided", translated_error(error)) from error


def _free_name(study: Study, name: str) -> str:
    taken = set(study.batches.values_list("name", flat=True))
    names = (name[: 74 - len(str(n))] + (f" {n}" if n > 1 else "") for n in range(1, 1000))
    return next(name for name in names if name not in taken)


ACTS = {
    act.key: act
    for act in (
        BatchAct(
            "open",
            marked("Open"),
            "opened a batch",
            (State.DRAFT,),
            lambda batch, now, stamp, _: batching.open_batch(batch=batch, now=now, stamp=stamp),
            sentences.opens,
            adds_places=True,
        ),
        BatchAct(
            "terms",
            marked("Pay, minutes, participants"),
            "changed the terms of a batch",
            (State.DRAFT,),
            lambda batch, _, stamp, said: extending.set_terms(batch=batch, stamp=stamp, **said),
            sentences.sets,
            asks=("pay", "minutes", "votes"),
        ),
        BatchAct(
            "pause",
            marked("Pause"),
            "paused a batch",
            (State.OPEN,),
            lambda batch, _, stamp, __: batching.pause_batch(batch=batch, stamp=stamp),
            sentences.pauses,
            at_once=True,
        ),
        BatchAct(
            "resume",
            marked("Continue"),
            "resumed a batch",
            (State.PAUSED,),
            lambda batch, _, stamp, __: batching.resume_batch(batch=batch, stamp=stamp),
            sentences.resumes,
            at_once=True,
        ),
        BatchAct(
            "extend",
            marked("Extend"),
            "extended a batch",
            Batch.RUNNING,
            lambda batch, _, stamp, said: extending.extend_batch(batch=batch, stamp=stamp, **said),
            sentences.extends,
            asks=("votes",),
            adds_places=True,
        ),
        BatchAct(
            "close",
            marked("Close"),
            "closed a batch",
            Batch.RUNNING,
            lambda batch, now, stamp, _: batching.close_batch(batch=batch, now=now, stamp=stamp),
            sentences.closes,
            final=True,
        ),
        BatchAct(
            "repeat",
            marked("More votes"),
            "repeated a batch for more votes",
            (State.CLOSED,),
            _repeat,
            sentences.makes,
            asks=("votes",),
            makes=True,
            foresees=_repeated,
        ),
        BatchAct(
            "topics",
            marked("Add topics"),
            "planned a batch of more topics",
            tuple(State),
            _add_topics,
            sentences.makes,
            asks=("topics",),
            makes=True,
            foresees=_topics_added,
            of_study=True,
        ),
        BatchAct(
            "undecided",
            marked("Ask undecided items again"),
            "planned a batch of undecided items",
            (State.CLOSED,),
            _ask_undecided,
            sentences.asks_undecided,
            asks=("items", "votes"),
            makes=True,
            foresees=_undecided_asked,
            is_slow=True,
            needs="undecided",
        ),
        BatchAct(
            "unknown",
            marked("Ask about ungraded entries"),
            "planned a batch of ungraded entries",
            tuple(State),
            _ask_unknown,
            sentences.asks_cells,
            makes=True,
            foresees=_unknown_asked,
            of_study=True,
            needs="next_rounds",
        ),
    )
}


def acts_for(batch: Batch) -> list[BatchAct]:
    kind = kind_of(batch.study.kind)
    return [
        act
        for act in ACTS.values()
        if batch.state in act.states and (not act.needs or getattr(kind, act.needs) is not None)
    ]


def usual(act: BatchAct, offer: BatchTerms) -> Said:
    """Return the default arguments of an act."""
    votes = 1 if act.key == "extend" else offer.votes
    defaults = {"pay": offer.pay, "minutes": offer.minutes, "votes": votes, "topics": 1}
    defaults |= {"items": SOME_ITEMS}
    return {name: defaults[name] for name in act.asks}


def preview(*, act: BatchAct, batch: Batch, now: datetime, said: Said | None = None) -> ActEffect:
    """Return what an act would do, without doing it. Raises NotReady, RefusedSetting."""
    same = Batch.objects.select_related("study").get(pk=batch.pk)  # `batch` stays as it is
    if act.foresees:
        return act.foresees(same, said or {})
    stamp = None if act.makes else same
    asks: tuple[str, ...] = ()

    def do() -> Batch:
        nonlocal asks
        done = act.do(same, now, None, said or {})
        asks = _asked(act, done)
        return done

    return replace(rehearse(do, batch=stamp), asks=asks)


@transaction.atomic
def perform(
    *,
    act: BatchAct,
    batch: Batch,
    user: User | None,
    now: datetime,
    stamp: str | None = None,
    said: Said | None = None,
    confirmed: bool = False,
) -> Batch:
    """Do an act as it was previewed (`stamp`) and record the user.

    Raises Changed, NotReady, NotConfirmed, RefusedSetting; then nothing is changed.
    """
    study = batch.study
    done = act.do(batch, now, stamp, said or {})
    if not confirmed and (asks := _asked(act, done)):
        raise ActNotConfirmed("not_confirmed", " ".join(asks))
    signals.batch_moved.send(sender=Batch, batch=done)
    how = ", ".join(f"{name} {value}" for name, value in (said or {}).items())
    record(user=user, act=act.done, what=f"{done.name}: {how}" if how else done.name, of=study)
    return done


FIELDS: dict[str, forms.Field] = {
    "pay": forms.DecimalField(min_value=0, max_digits=8, decimal_places=2),
    "minutes": forms.IntegerField(min_value=1, max_value=10_000),
    "votes": forms.IntegerField(min_value=1, max_value=extending.MOST_VOTES),
    "topics": forms.IntegerField(min_value=1, max_value=100_000),
    "items": forms.IntegerField(min_value=1, max_value=1_000_000),
}


def parsed_arguments(act: BatchAct, sent: Mapping[str, Any]) -> Said:
    """Return the parsed arguments of an act. Raises RefusedSetting with the first fault."""
    arguments: Said = {}
    for name in act.asks:
        try:
            arguments[name] = FIELDS[name].clean(sent.get(name))
        except forms.ValidationError as error:
            raise RefusedSetting(name, sent.get(name, ""), " ".join(error.messages)) from error
    return arguments
