"""Forecast of what the texts of an LLM author cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.models import Passage, Topic
from annotation.studies.briefs import WritingBrief
from judging.authors.preparing import Text, missing, style_of
from judging.calls.costs import MICRO, cost
from judging.models import AuthorRound

SIGNS = 4  # characters of English that a token has, about
TOKENS_PER_WORD = 1.4  # with the numbers of the citations, about


@dataclass(frozen=True)
class AuthorForecast:
    """Costs in the study's currency, None if a price is unknown; `most` for longest answers."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    most: float | None


def forecast_of(
    round: AuthorRound, brief: WritingBrief, texts: Sequence[Text] | None = None
) -> AuthorForecast:
    """Return the forecast of the texts without a call; an unsaved round needs its texts."""
    asked = missing(round, brief) if texts is None else texts
    signs_by_topic = _signs({topic for topic, _ in asked}, brief)
    around = len(round.prompt.system) + len(round.prompt.user) + len(brief.instructions)
    signs = sum(
        signs_by_topic[topic] + len(style_of(brief, style).instructions) + around
        for topic, style in asked
    )
    limit = round.settings["max_tokens"]
    tokens_out = min(int(brief.target_words * TOKENS_PER_WORD), limit) * len(asked)
    tokens_in = signs // SIGNS
    about, most = (cost(round, tokens_in, out) for out in (tokens_out, limit * len(asked)))
    return AuthorForecast(
        calls=len(asked),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=None if about is None else about / MICRO,
        most=None if most is None else most / MICRO,
    )


def _signs(topics: set[int], brief: WritingBrief) -> dict[int, int]:
    """Return the characters of the query and the passages that are read of each topic."""
    rows = Topic.objects.filter(pk__in=topics).values_list("pk", "query", "description")
    signs = {pk: len(query) + len(description) for pk, query, description in rows}
    passages = Passage.objects.filter(topic__in=topics).order_by("topic", "rank")
    read: dict[int, int] = {}
    for topic, title, text in passages.values_list("topic", "title", "text").iterator():
        read[topic] = read.get(topic, 0) + 1
        if brief.passages is None or read[topic] <= brief.passages:
            signs[topic] += len(title) + len(text)
    return signs
