"""Setting up, changing, starting and stopping rounds of queries, and retrying their calls."""

from dataclasses import asdict, dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Corpus, Topic
from annotation.people import access
from judging.calls import asking
from judging.calls.asking import BadAsker, ModelSettings, Terms, called
from judging.calls.keys import seal
from judging.models import QueryPrompt, QueryRound
from judging.queries import wording
from judging.queries.passage_choice import PassageChoice, chosen, draw
from judging.queries.replies import LONGEST

MOST_QUERIES = 50  # of a passage
MOST_EXAMPLES = 100


@dataclass(frozen=True)
class Manner(ModelSettings):
    """Settings of the model, the queries wanted of a passage, and the currency of the prices."""

    max_tokens: int = 1000
    number: int = 3
    examples: tuple[str, ...] = ()
    currency: str = "USD"


@transaction.atomic
def save_prompt(
    *, corpus: Corpus, key: str, system: str, user: str, by: User | None, now: datetime
) -> QueryPrompt:
    """Return the prompt of this name with this wording: the newest version, or a new one.

    Raises BadPrompt.
    """
    system, user = (text.replace("\r\n", "\n") for text in (system, user))
    wording.check(system=system, user=user)
    Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    return asking.save_version(
        QueryPrompt, corpus=corpus, key=key, system=system, user=user, by=by, now=now
    )


def examples_of(corpus: Corpus, *, typed: str, topics: int, seed: int) -> tuple[str, ...]:
    """Return the typed examples, one a line, and the queries of topics drawn by the seed.

    Proposed topics are not drawn. Raises BadAsker.
    """
    lines = [" ".join(line.split()) for line in typed.splitlines()]
    examples = [line for line in lines if line]
    if topics:
        rows = Topic.objects.filter(corpus=corpus, proposed=None)
        queries = dict(rows.values_list("key", "query"))
        examples += [queries[key] for key in draw(list(queries), topics, seed)]
    examples = list(dict.fromkeys(examples))
    if len(examples) > MOST_EXAMPLES or any(len(example) > LONGEST for example in examples):
        raise BadAsker(
            _("Enter at most %(n)s examples of up to %(signs)s characters each.")
            % {"n": MOST_EXAMPLES, "signs": LONGEST}
        )
    return tuple(examples)


@transaction.atomic
def set_up(
    *,
    corpus: Corpus,
    name: str,
    prompt: QueryPrompt,
    choice: PassageChoice,
    manner: Manner,
    terms: Terms,
    key: str,
    by: User | None,
    now: datetime,
) -> QueryRound:
    """Create a round with its passages; no call is made yet. Raises BadAsker."""
    terms, name = asking.checked(terms), name.strip()
    Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    other = QueryRound.objects.filter(corpus=corpus, name=name).first()
    if other is not None and other.state == QueryRound.State.WITHDRAWN:
        raise BadAsker(
            _("A deleted round is named %(name)s. Restore it or choose another name.")
            % {"name": name}
        )
    if other is not None:
        raise BadAsker(_("Round %(name)s already exists.") % {"name": name})
    if not 1 <= manner.number <= MOST_QUERIES:
        raise BadAsker(_("Enter 1 to %(n)s queries per passage.") % {"n": MOST_QUERIES})
    passages = chosen(corpus, choice)
    if not passages:
        raise BadAsker(_("No passages match."))
    made = QueryRound.objects.create(
        corpus=corpus,
        name=name,
        prompt=prompt,
        model=manner.model.strip(),
        protocol=manner.protocol,
        structured=manner.structured,
        settings=manner.settings,
        number=manner.number,
        examples=list(manner.examples),
        currency=manner.currency,
        sealed_key=seal(key.strip()),
        made_at=now,
        **asdict(choice),
        **asdict(terms),
    )
    through = QueryRound.passages.through
    through.objects.bulk_create(
        [through(queryround_id=made.pk, passage_id=pk) for pk in passages], batch_size=500
    )
    access.record(user=by, act="set up a round of queries", what=called(made), of=corpus)
    return made


@transaction.atomic
def change(*, round: QueryRound, terms: Terms, key: str | None, by: User | None) -> None:
    """Change the terms; None keeps the key, an empty one removes it. Raises BadAsker."""
    _require_there(round)
    asking.change_terms(asker=round, terms=asking.checked(terms), key=key)
    access.record(user=by, act="changed a round of queries", what=called(round), of=round)


@transaction.atomic
def run(*, round: QueryRound, by: User | None) -> None:
    """Start the round. Raises BadAsker."""
    _require_there(round)
    if not asking.let_run(asker=round):
        raise BadAsker(_("%(name)s is already running.") % {"name": round.name})
    access.record(user=by, act="let a model propose queries", what=called(round), of=round)


@transaction.atomic
def pause(*, round: QueryRound, by: User | None) -> None:
    """Stop sending calls and wait for those that were sent. Raises BadAsker."""
    if not asking.let_pause(asker=round):
        raise BadAsker(_("%(name)s is not running.") % {"name": round.name})
    access.record(user=by, act="paused a round of queries", what=called(round), of=round)


@transaction.atomic
def retry(*, round: QueryRound, error: str, by: User | None) -> int:
    """Send failed or lost calls with this error again; return their number. Raises BadAsker."""
    _require_there(round)
    again = asking.send_again(asker=round, error=error)
    if again:
        summary = f"{called(round)}: {again:,} ({error})"
        access.record(user=by, act="sent calls of a round of queries again", what=summary, of=round)
    return again


def _require_there(round: QueryRound) -> None:
    if QueryRound.objects.filter(pk=round.pk, state=QueryRound.State.WITHDRAWN).exists():
        raise BadAsker(_("%(name)s is deleted. Restore it first.") % {"name": round.name})
