"""Sending calls, several at a time; each answer is saved at once.

One process holds an asker while it sends its calls, and renews the hold regularly. A call is marked
as sent before it is sent, so that a killed process leaves a trace: the next process finds marked
calls without an answer. Each call has its own key. If the endpoint charges a key once (`repeats`),
such a call is sent again; otherwise it is `unknown` until a person decides, because it may have
been paid for.

An answer is saved to a call that has none yet, from any process and however late.
"""

import time
import uuid
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet

from annotation.clock import database_now
from annotation.texts.sentences import marked
from judging.calls import claiming, costs
from judging.calls.askers import AskerKind, ReplyReader, kind_of
from judging.calls.client import BusyServer, CallError, Endpoint, RefusedCall, ServerReply
from judging.calls.keys import key_of
from judging.calls.locked_database import patiently
from judging.calls.protocols import Protocol
from judging.calls.replies import CallOutcome
from judging.models import MachineJudge
from judging.models.calls import HOLD, Asker, Call

log = structlog.get_logger(__name__)

State = Call.State
BEAT = 3.0  # seconds between signs of life
MOST_TOKENS = 10**9  # that one call can have taken
SLICE = 20.0  # seconds, after which other jobs have their turn
LONGEST_PAUSE = 60.0  # seconds, however long we are asked to wait; then it is tried
TIMEOUT = 120.0  # seconds for an answer
OTHERS = 0.5  # seconds between two looks at what others have out
MOST_COPIES = 200  # calls that are answered together from earlier ones
STRIKES = 10  # failures in a row after which the asker pauses
ABOUT_ALL = {"key", "model", "money", "address"}  # refusals that the next call would get as well
TERMS = ("base_url", "budget", "price_in", "price_out", "sealed_key")  # of a shift
LATER = {"timeout", "cut", "server"}  # failures after which nobody knows whether it was done


@dataclass
class _Shift:
    """State of a process that sends the calls of an asker."""

    kind: AskerKind
    asker: Asker
    me: str
    reader: ReplyReader
    flying: dict[Future[ServerReply], Call] = field(default_factory=dict)
    spent: int | None = None  # in millionths, at most, all that was sent included
    reach: int = 0
    strikes: int = 0
    pauses: int = 0
    quiet_until: float = 0.0  # by the monotonic clock
    beaten: float = 0.0
    stopping: bool = False
    paused: bool = False


def work_on(
    *,
    pk: int,
    askers: type[Asker] = MachineJudge,
    seconds: float = SLICE,
    timeout: float = TIMEOUT,
) -> bool:
    """Send the calls of an asker for a while; return whether more are left to send now.

    Does nothing while another process sends them.
    """
    kind, me = kind_of(askers), uuid.uuid4().hex
    now = database_now()
    rows = askers._default_manager.filter(pk=pk)
    if not rows.filter(**kind.exists).exists():
        return False
    # Without a join: PostgreSQL would look at that as it was before another process had it.
    free = rows.filter(Q(held_until=None) | Q(held_until__lt=now), state=Asker.State.RUNNING)
    if not free.update(held_by=me, held_until=now + HOLD):
        return False
    asker = kind.asker(pk)
    shift = _Shift(kind, asker, me, kind.reader(asker), strikes=asker.strikes)
    try:
        claiming.look_after(asker)
        claiming.hash_anew(asker)
        kind.prepare(asker, lambda: patiently(_beat, shift))
        _send_all(shift, until=time.monotonic() + seconds, timeout=timeout)
        kind.take(asker)
        return _end(shift)
    finally:
        rest = shift.quiet_until - time.monotonic()  # others wait as long as we were asked to
        until = database_now() + timedelta(seconds=rest) if rest > 0 else None
        # What still fails behind a pause does not count against the person who resumes it.
        strikes = 0 if shift.paused else shift.strikes
        rows.filter(held_by=me).update(held_by="", held_until=until, strikes=strikes)


def _send_all(shift: _Shift, *, until: float, timeout: float) -> None:
    asker = shift.asker
    money = costs.spent(asker)
    shift.spent = money.at_most if money else None
    try:
        endpoint = Endpoint(
            asker.base_url,
            key=key_of(asker),
            protocol=Protocol(asker.protocol),
            timeout=timeout,
            inside=settings.MACHINE_ENDPOINTS_INSIDE,
            refused=settings.REFUSED_NETWORKS,
            at_most=asker.at_most,
        )
    except RefusedCall as error:
        _pause(shift, said=error.said)
        return
    with endpoint, ThreadPoolExecutor(asker.at_most) as pool:
        while True:
            patiently(_beat, shift)
            moment = time.monotonic()
            shift.stopping |= moment > until
            room = asker.at_most - len(shift.flying)
            if room and not shift.stopping and moment >= shift.quiet_until:
                for call in patiently(_take, shift, room):
                    key = str(call.key)
                    shift.flying[pool.submit(endpoint.send, call.request, once=key)] = call
            if not shift.flying:
                if shift.stopping:
                    return
                if (rest := shift.quiet_until - moment) > 0:
                    time.sleep(min(rest, BEAT))
                elif claiming.waits_for_others(shift.kind, asker):
                    time.sleep(OTHERS)
                else:
                    return
                continue
            patience = min(BEAT, max(shift.quiet_until - moment, 0.05)) if room else BEAT
            done, _ = wait(shift.flying, timeout=patience, return_when=FIRST_COMPLETED)
            back = [(shift.flying.pop(future), future) for future in done]
            patiently(_write, shift, back)


def _beat(shift: _Shift) -> bool:
    """Renew the hold on the asker; return whether to go on."""
    if (now := time.monotonic()) - shift.beaten >= BEAT:
        asker = shift.asker
        mine = _row(asker).filter(held_by=shift.me)
        is_mine = mine.update(held_until=database_now() + HOLD)
        shift.beaten = now
        running = mine.filter(state=Asker.State.RUNNING)
        # With other terms another shift begins.
        as_it_was = {name: getattr(asker, name) for name in TERMS}
        if not is_mine or not running.filter(**as_it_was).exists():
            shift.stopping = True
            shift.paused = not running.exists()
    return not shift.stopping


# -- Out ---------------------------------------------------------------------------------------


def _take(shift: _Shift, room: int) -> list[Call]:
    """Mark calls as sent and return them; copy answers that their prompts got before."""
    asker = shift.asker
    while _beat(shift):
        with transaction.atomic():
            claiming.lock_team(asker)
            rows = claiming.free(shift.kind, asker)
            rows = rows.select_for_update(of=("self",), skip_locked=True)
            some = rows.select_related(shift.kind.shows).order_by("pk")[: max(room, shift.reach)]
            calls = list(some)
            shift.reader.look_up(calls)
            earlier_answers = _answered_before(shift, calls)
            copies = [call for call in calls if call.prompt_hash in earlier_answers]
            for copy in copies:
                outcome = shift.reader.read(copy, earlier_answers[copy.prompt_hash])
                _write_one(asker, copy, outcome, copied=True, paid=0)
            new = [call for call in calls if call.prompt_hash not in earlier_answers]
            going = _within_budget(shift, new[:room])
            for lost in set(new) - set(going):
                shift.reader.forget(lost)
            asker.calls.filter(pk__in=[call.pk for call in going]).update(
                state=State.SENT, sent_at=database_now(), attempt=F("attempt") + 1
            )
        # Where much was answered before, more is looked at together.
        shift.reach = min(2 * max(shift.reach, room), MOST_COPIES) if copies else 0
        for sent in going:
            sent.attempt += 1
        if going or not copies:
            return going
    return []


def _answered_before(shift: _Shift, calls: Sequence[Call]) -> dict[str, str]:
    """Return the answers that the asker's team has got to the same prompts, by hash."""
    hashes = {call.prompt_hash for call in calls}
    answered = shift.kind.answered(shift.asker).filter(prompt_hash__in=hashes)
    return dict(answered.order_by("-pk").values_list("prompt_hash", "raw"))


def _within_budget(shift: _Shift, calls: Sequence[Call]) -> list[Call]:
    """Return the calls that the budget covers; pause the asker if it does not cover all."""
    budget = costs.budget_micro(shift.asker)
    if budget is None or shift.spent is None:
        return list(calls)
    going = []
    for call in calls:
        most = costs.most(shift.asker, call) or 0
        if shift.spent + most > budget:
            _pause(
                shift,
                said=marked("Raise the budget to continue."),
            )
            break
        shift.spent += most
        going.append(call)
    return going


# -- Back --------------------------------------------------------------------------------------


def _write(shift: _Shift, done: Iterable[tuple[Call, "Future[ServerReply]"]]) -> None:
    with transaction.atomic():
        for call, future in done:
            try:
                reply = future.result()
            except BusyServer as error:
                shift.reader.forget(call)
                _wait(shift, call, error)
            except CallError as error:
                shift.reader.forget(call)
                _fail(shift, call, error)
            else:
                _heard(shift, call, reply)


def _heard(shift: _Shift, call: Call, reply: ServerReply) -> None:
    asker = shift.asker
    paid = costs.cost(asker, _count(reply.tokens_in), _count(reply.tokens_out))
    outcome = shift.reader.read(call, reply.text, end=reply.end)
    _write_one(asker, call, outcome, reply=reply, paid=paid)
    if shift.spent is not None and paid is not None:
        shift.spent += paid - (costs.most(asker, call) or 0)
    if shift.pauses:
        _row(asker).update(said="")
    shift.pauses = 0
    if outcome.error:
        _strike(shift, outcome.said)
    else:
        shift.strikes = 0
    if pause_asked := reply.limits.pause:
        shift.quiet_until = time.monotonic() + min(pause_asked, LONGEST_PAUSE)


def _write_one(
    asker: Asker,
    call: Call,
    outcome: CallOutcome,
    *,
    reply: ServerReply | None = None,
    paid: int | None = None,
    copied: bool = False,
) -> None:
    """Save to a call that has no answer yet and is still about the same text."""
    before = call.cost_micro
    risk = _risk(asker, call) if paid is None else 0
    rows = asker.calls.filter(pk=call.pk, prompt_hash=call.prompt_hash)
    rows.exclude(state=State.ANSWERED).update(
        state=State.FAILED if outcome.error else State.ANSWERED,
        raw=outcome.raw,
        parsed=outcome.parsed,
        error=outcome.error,
        said=outcome.said,
        copied=copied,
        tokens_in=_count(reply.tokens_in) if reply else None,
        tokens_out=_count(reply.tokens_out) if reply else None,
        cost_micro=before if paid is None else (before or 0) + paid,
        risked_micro=F("risked_micro") + risk,
        seconds=reply.seconds if reply else None,
        answered_at=database_now(),
        **({"reasons": outcome.reasons} if outcome.reasons else {}),
    )


def _count(tokens: int | None) -> int | None:
    """Return the reported number, None if it is impossible."""
    return tokens if tokens is not None and tokens < MOST_TOKENS else None


def _wait(shift: _Shift, call: Call, error: BusyServer) -> None:
    """Prepare the call again; all calls wait."""
    _mine(shift.asker, call).update(state=State.PREPARED, attempt=F("attempt") - 1, said=error.said)
    _unreserve(shift, call)
    if not shift.pauses:
        _row(shift.asker).update(said=error.said)
    shift.pauses += 1
    longer = error.after * 2.0 ** min(shift.pauses // shift.asker.at_most, 6)
    shift.quiet_until = time.monotonic() + min(longer, LONGEST_PAUSE)


def _fail(shift: _Shift, call: Call, error: CallError) -> None:
    """Save a failure. A refused call costs nothing; a broken one may have been done.

    A broken call is sent again where a repeated key is charged once, a few times, or waits for a
    person.
    """
    failure: dict[str, Any] = {
        "error": error.kind,
        "said": error.said,
        "raw": error.raw,
    }
    if isinstance(error, RefusedCall):
        _mine(shift.asker, call).update(
            state=State.FAILED, cost_micro=call.cost_micro or 0, **failure
        )
        _unreserve(shift, call)
        if error.kind in ABOUT_ALL:
            _pause(shift, said=error.said)
    elif error.kind not in LATER:  # it was answered, with what is no answer
        failure["risked_micro"] = F("risked_micro") + _risk(shift.asker, call)
        _mine(shift.asker, call).update(state=State.FAILED, answered_at=database_now(), **failure)
    elif shift.asker.repeats and call.attempt < STRIKES // 2:
        _mine(shift.asker, call).update(state=State.PREPARED, said=error.said)
        _unreserve(shift, call)
        shift.quiet_until = time.monotonic() + 0.2 * 2.0**call.attempt
    else:
        _mine(shift.asker, call).update(state=State.UNKNOWN, **failure)
    _strike(shift, error.said)


def _strike(shift: _Shift, said: str) -> None:
    """Count failures in a row and pause: repeated failures cost money for nothing."""
    shift.strikes += 1
    if shift.strikes >= max(STRIKES, shift.asker.at_most) and not shift.stopping:
        why = f"{shift.strikes} calls in a row failed. Last error: {said}"
        _pause(shift, said=why)


def _risk(asker: Asker, call: Call) -> int:
    """Return what a try without a known cost may have cost, if an earlier one is known.

    A call without any known cost counts with its most already (`costs.spent`).
    """
    return 0 if call.cost_micro is None else costs.most(asker, call) or 0


def _row(asker: Asker) -> "QuerySet[Any]":
    return type(asker)._default_manager.filter(pk=asker.pk)


def _mine(asker: Asker, call: Call) -> "QuerySet[Any]":
    return asker.calls.filter(
        pk=call.pk,
        prompt_hash=call.prompt_hash,
        state__in=[State.SENT, State.UNKNOWN],
        attempt=call.attempt,
    )


def _unreserve(shift: _Shift, call: Call) -> None:
    if shift.spent is not None:
        shift.spent -= costs.most(shift.asker, call) or 0


# -- The end of a shift ------------------------------------------------------------------------


def _pause(shift: _Shift, *, said: str) -> None:
    """Stop sending until a person starts it again; sent calls are waited for."""
    shift.stopping = shift.paused = True
    running = _row(shift.asker).filter(state=Asker.State.RUNNING)
    if running.update(state=Asker.State.PAUSED, said=said):
        log.info("calls to a model paused", asker=str(shift.asker), pk=shift.asker.pk)


@transaction.atomic
def _end(shift: _Shift) -> bool:
    """Return whether more is to do; if not, the asker is done.

    Locked, as a retry is: its calls are seen here, or it finds the asker done and starts it.
    """
    running = (
        _row(shift.asker)
        .select_for_update(no_key=True)
        .filter(held_by=shift.me, state=Asker.State.RUNNING)
    )
    now = running.first()
    if now is None:
        return False
    if now.wants != shift.asker.wants or claiming.waiting(shift.asker).exists():
        return True
    _row(shift.asker).update(state=Asker.State.DONE, said="")
    return False


def left(*, askers: type[Asker] = MachineJudge, now: datetime) -> list[int]:
    """Return the running askers without a process: it was killed, or a message was lost."""
    nobody = Q(held_until=None) | Q(held_until__lt=now)
    exists = kind_of(askers).exists
    running = askers._default_manager.filter(nobody, state=Asker.State.RUNNING, **exists)
    return list(running.values_list("pk", flat=True))
