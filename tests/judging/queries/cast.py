"""Rounds of queries for tests, at our own endpoint."""

from typing import Any

from annotation.models import Corpus
from judging.models import QueryRound
from judging.queries import setting_up
from judging.queries.passage_choice import PassageChoice
from judging.queries.setting_up import QuerySettings
from judging.queries.wording import READY
from tests.judging.asked_rounds import AWAY, run, set_up_round

__all__ = ["passages", "round_of", "run"]

TEXTS = [
    "The Eiffel Tower was finished in 1889. It is 330 metres high. Gustave Eiffel built it.",
    "Bees dance to tell where flowers are. Karl von Frisch read their dance.",
    "A lamp needs a socket. Sockets differ between countries.",
]


def passages(slug: str = "towers") -> Corpus:
    """Return a topic with three passages; another one with the first of them again."""
    corpus = Corpus.objects.create(slug=slug, name=slug)
    first = corpus.topics.create(key="t1", query="how high is the eiffel tower?")
    other = corpus.topics.create(key="t2", query="who read the dance of the bees?")
    for rank, text in enumerate(TEXTS, start=1):
        first.passages.create(key=f"p{rank}", rank=rank, title=f"Title {rank}", text=text)
    other.passages.create(key="p1", rank=1, title="Title 1", text=TEXTS[0])
    return corpus


def round_of(
    corpus: Corpus,
    url: str = AWAY,
    *,
    name: str = "first",
    key: str = "",
    choice: PassageChoice | None = None,
    terms: dict[str, Any] | None = None,
    **manner: Any,
) -> QueryRound:
    """Return a round that is set up and has not begun."""
    return set_up_round(
        setting_up,
        QuerySettings,
        url,
        name=name,
        key=key,
        words={"key": "queries", "system": READY.system, "user": READY.user},
        prompt_of={"corpus": corpus},
        terms=terms,
        manner=manner,
        corpus=corpus,
        choice=choice or PassageChoice(),
    )
