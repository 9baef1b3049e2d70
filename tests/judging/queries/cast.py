"""Rounds of queries for tests, at our own endpoint."""

from typing import Any

from annotation.models import Corpus
from judging.calls import running_rounds, sending
from judging.calls.asking import Terms
from judging.models import QueryRound
from judging.queries import setting_up
from judging.queries.passage_choice import PassageChoice
from judging.queries.setting_up import QuerySettings
from judging.queries.wording import READY
from tests.cast import NOW

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
    url: str = "http://127.0.0.1:9/v1",
    *,
    name: str = "first",
    key: str = "",
    choice: PassageChoice | None = None,
    terms: dict[str, Any] | None = None,
    **manner: Any,
) -> QueryRound:
    """Return a round that is set up and has not begun."""
    prompt = setting_up.save_prompt(
        corpus=corpus, key="queries", system=READY.system, user=READY.user, by=None, now=NOW
    )
    return setting_up.set_up(
        corpus=corpus,
        name=name,
        prompt=prompt,
        choice=choice or PassageChoice(),
        manner=QuerySettings(**({"model": "good"} | manner)),
        terms=Terms(base_url=url, **(terms or {})),
        key=key,
        by=None,
        now=NOW,
    )


def run(asked: QueryRound, **how: Any) -> QueryRound:
    """Let it ask until there is nothing more to do."""
    asked.refresh_from_db()
    if asked.state != QueryRound.State.RUNNING:
        running_rounds.run(round=asked, by=None)
    while sending.work_on(pk=asked.pk, askers=QueryRound, **how):
        pass
    asked.refresh_from_db()
    return asked
