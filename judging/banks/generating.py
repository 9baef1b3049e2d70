"""Calls of a round of entries: preparation, forecast, and import of replies as proposals."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Sum
from django.db.models.functions import Length

from annotation.clock import database_now
from annotation.models import Passage, Response, Topic
from annotation.texts.untrusted import storable
from judging.banks import adding, wording
from judging.banks.adding import Author, NewEntry
from judging.calls import asking, requests
from judging.calls.askers import ReplyReader
from judging.calls.costs import MICRO, cost
from judging.calls.forgetting import forget_rounds
from judging.calls.prompts import messages
from judging.models import EntryCall, EntryDecision, EntryRound
from judging.queries.forecasts import A_QUERY, RoundForecast
from judging.queries.joining import SIGNS
from judging.queries.replies import read, schema

AT_ONCE = 100  # topics loaded at a time
TRIES = 3  # attempts per call, as in the paper's code
AGAIN = ("unparsed", "length")  # errors after which a call is sent again


def topics_without_calls(round: EntryRound) -> "QuerySet[Topic]":
    """Return the topics of a round without a call; none once its prompt is erased."""
    if not round.prompt.user:
        return round.topics.none()
    calls = EntryCall.objects.filter(round=round, topic=OuterRef("pk"))
    return round.topics.filter(~Exists(calls)).order_by("pk")


def prepare(*, round: EntryRound, go_on: Callable[[], bool] = lambda: True) -> int:
    """Create the missing calls and return their number. Safe to repeat and to run concurrently."""
    made = 0
    while go_on():
        topics = list(topics_without_calls(round)[:AT_ONCE])
        if not topics:
            break
        with transaction.atomic():
            calls = [
                _call_of(round, topic, subtopic)
                for topic in topics
                for subtopic in round.subtopics or [""]
            ]
            EntryCall.objects.bulk_create(calls, batch_size=500, ignore_conflicts=True)
        made += len(calls)
    if round.responses or round.response_id:
        forget_rounds()  # responses may have been withdrawn while the calls were created
    return made


def _call_of(round: EntryRound, topic: Topic, subtopic: str) -> EntryCall:
    call = EntryCall(
        round=round,
        team_id=round.bank.corpus.team_id,
        topic=topic,
        subtopic=subtopic,
        read=[response.pk for response in _responses(round, topic)],
    )
    kind = round.bank.kind
    requests.fill(
        call,
        round,
        lambda: requests.body_of(
            round, messages=messages_of(round, topic, subtopic), schema=schema(kind)
        ),
    )
    return call


def messages_of(round: EntryRound, topic: Topic, subtopic: str = "") -> list[dict[str, str]]:
    """Return the chat messages for a topic or one of its subtopics. Raises BadPrompt."""
    return messages(
        system=round.prompt.system,
        user=round.prompt.user,
        values={
            "query": topic.query,
            "description": topic.description,
            "subtopic": subtopic,
            "passages": _read_texts(round, topic),
            "number": str(round.number),
            "answers": wording.how(round.bank.kind),
        },
    )


def _read_texts(round: EntryRound, topic: Topic) -> str:
    """Return the first passages, then the first responses, each with a heading."""
    rows = topic.passages.order_by("rank", "pk").values_list("title", "text")[: round.passages]
    passages = ["\n".join(filter(None, row)) for row in rows]
    responses = [response.text for response in _responses(round, topic)]
    return "\n\n".join(
        f"{name} {n}:\n{text}"
        for name, texts in (("Passage", passages), ("Response", responses))
        for n, text in enumerate(texts, start=1)
    )


def _responses(round: EntryRound, topic: Topic) -> list[Response]:
    if not round.responses:
        return []
    rows = Response.objects.with_text().filter(topic=topic, is_empty=False)
    return list(rows.order_by("system__key", "pk")[: round.responses])


def forecast_of(round: EntryRound, topics: Sequence[int] | None = None) -> RoundForecast:
    """Return the forecast of a round; an unsaved round needs `topics`."""
    pks = topics if topics is not None else list(round.topics.values_list("pk", flat=True))
    asked = Topic.objects.filter(pk__in=pks)
    signs = asked.aggregate(n=Sum(Length("query")))["n"] or 0
    read_passages = Passage.objects.filter(topic__in=pks, rank__lte=round.passages)
    signs += read_passages.aggregate(n=Sum(Length("text") + Length("title")))["n"] or 0
    signs += sum(len(response.text) for topic in asked for response in _responses(round, topic))
    prompt, calls_of_topic = round.prompt, len(round.subtopics) or 1
    around = len(prompt.system) + len(prompt.user) + len(wording.how(round.bank.kind))
    around += max(map(len, round.subtopics), default=0)
    calls = len(pks) * calls_of_topic
    tokens_in = (signs * calls_of_topic + around * calls) // SIGNS
    limit = round.settings["max_tokens"]
    tokens_out = min(round.number * A_QUERY, limit) * calls
    about = cost(round, tokens_in, tokens_out)
    most = cost(round, tokens_in * TRIES, limit * calls * TRIES)
    return RoundForecast(
        calls=calls,
        queries=calls * round.number,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=None if about is None else about / MICRO,
        most=None if most is None else most / MICRO,
    )


class EntryReader(ReplyReader):
    """Parser of the replies to a round's calls."""

    def __init__(self, round: EntryRound) -> None:
        self._round = round

    def parsed(self, call: EntryCall, raw: str) -> tuple[dict[str, Any], dict[str, str]]:
        one, name = self._round, self._round.bank.kind
        entries = read(raw, most=one.number, structured=one.structured, name=name)
        return {name: [storable(entry) for entry in entries]}, {}


def take_entries(*, round: EntryRound) -> int:
    """Add the entries of new replies as proposals, and retry calls with bad replies.

    Returns the number of new entries. Safe to repeat and to run twice at once.
    """
    added = 0
    answered = EntryCall.objects.filter(
        round=round, state=EntryCall.State.ANSWERED, counted=False
    ).order_by("pk")
    for pk in list(answered.values_list("pk", flat=True)):
        with transaction.atomic():
            rows = answered.select_for_update(of=("self",)).select_related("topic")
            call = rows.filter(pk=pk).first()
            if call is None:  # another worker took it while this one waited for its lock
                continue
            done = _add(round, call)
            EntryCall.objects.filter(pk=pk).update(
                counted=True, added=len(done.done), same=done.same
            )
            added += len(done.done)
    _ask_again(round)
    return added


def _add(round: EntryRound, call: EntryCall) -> Any:
    texts = (call.parsed or {})[round.bank.kind]
    new = [
        NewEntry(
            call.topic,
            text,
            facet=call.subtopic,
            author=Author.MODEL,
            model=round.model,
            prompt_version=str(round.prompt),
            passage=round.passage,
            response=round.response,
            start=round.start,
            end=round.end,
            extra={"round": round.pk} | ({"read": call.read} if call.read else {}),
        )
        for text in texts
    ]
    proposed = EntryDecision.State.PROPOSED
    now = database_now()
    return adding.add_all(bank=round.bank, entries=new, state=proposed, by=None, now=now)


@transaction.atomic
def _ask_again(round: EntryRound) -> None:
    """Store bad replies of a running round and queue their calls again, up to TRIES attempts."""
    running = EntryRound.objects.select_for_update().filter(
        pk=round.pk, state=EntryRound.State.RUNNING
    )
    if not running.exists():
        return
    bad = EntryCall.objects.filter(
        round=round, state=EntryCall.State.FAILED, error__in=AGAIN, attempt__lt=TRIES
    )
    calls = list(bad.select_for_update().only("pk", "raw", "said", "unread"))
    for call in calls:
        call.unread = [*call.unread, {"raw": call.raw, "said": call.said}]
    EntryCall.objects.bulk_update(calls, ["unread"], batch_size=200)
    for error in AGAIN if calls else ():
        asking.send_again(asker=round, error=error, attempt__lt=TRIES)


def unread_replies(round: EntryRound) -> int:
    """Return the number of unreadable replies, including those of retries."""
    rows = EntryCall.objects.filter(round=round).exclude(unread=[], error="")
    return sum(
        len(unread) + (error in EntryCall.UNREAD)
        for unread, error in rows.values_list("unread", "error")
    )
