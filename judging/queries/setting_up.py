"""Setup of rounds in which a model proposes queries."""

from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Corpus, Topic
from annotation.people import access
from judging.calls import asking
from judging.calls.asking import BadAsker, ModelSettings, Terms, called
from judging.calls.running_rounds import require_free_name
from judging.models import QueryPrompt, QueryRound
from judging.queries import wording
from judging.queries.passage_choice import PassageChoice, chosen, draw
from judging.queries.replies import LONGEST

MOST_QUERIES = 50  # of a passage
MOST_EXAMPLES = 100


save_prompt = partial(asking.save_prompt, QueryPrompt, check=wording.check)


@dataclass(frozen=True)
class QuerySettings(ModelSettings):
    """Settings of the model, the queries wanted of a passage, and the currency of the prices."""

    max_tokens: int = 1000
    number: int = 3
    examples: tuple[str, ...] = ()
    currency: str = "USD"


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
            "examples",
            _("Enter up to %(n)s examples of up to %(signs)s characters each.")
            % {"n": MOST_EXAMPLES, "signs": LONGEST},
        )
    return tuple(examples)


@transaction.atomic
def set_up(
    *,
    corpus: Corpus,
    name: str,
    prompt: QueryPrompt,
    choice: PassageChoice,
    manner: QuerySettings,
    terms: Terms,
    key: str,
    by: User | None,
    now: datetime,
) -> QueryRound:
    """Create a round with its passages; no call is made yet. Raises BadAsker."""
    terms, name = asking.checked(terms), name.strip()
    Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    require_free_name(QueryRound.objects.filter(corpus=corpus), name)
    if not 1 <= manner.number <= MOST_QUERIES:
        raise BadAsker(
            "queries_per_passage", _("Enter 1 to %(n)s queries per passage.") % {"n": MOST_QUERIES}
        )
    passages = chosen(corpus, choice)
    if not passages:
        raise BadAsker("no_passages", _("No passages match."))
    made = QueryRound.objects.create(
        corpus=corpus,
        number=manner.number,
        examples=list(manner.examples),
        currency=manner.currency,
        **asdict(choice),
        **asking.new_columns(
            name=name, prompt=prompt, manner=manner, terms=terms, key=key, now=now
        ),
    )
    through = QueryRound.passages.through
    through.objects.bulk_create(
        [through(queryround_id=made.pk, passage_id=pk) for pk in passages], batch_size=500
    )
    access.record(user=by, act="set up a round of queries", what=called(made), of=corpus)
    return made
