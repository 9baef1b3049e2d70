"""Create a corpus of the best and worst texts per system and topic by an imported score.

Popp et al. selected the texts of their study this way: by similarity with a reference, one of the
best and one of the worst of twenty.
"""

import io
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.import_report import ImportReport
from annotation.corpora.importing import import_corpus
from annotation.corpora.official_orders import matched_orders
from annotation.corpora.schema import RowKind
from annotation.models import Corpus, Passage, Response, System, Topic
from annotation.refusals import Refusal
from annotation.texts.citations import marks_in

Rows = Iterable[dict[str, Any]]


class CannotSelect(Refusal):
    status = 400


def scores_of(corpus: Corpus, score: str) -> Mapping[str, float]:
    """Return the scores of texts from the imported order of this name. Raises CannotSelect."""
    orders = {matched.order.name: matched.texts for matched in matched_orders(corpus)}
    offered = [name for name, texts in orders.items() if texts]
    if score not in offered:
        raise CannotSelect(
            "NoSuchScore",
            gettext("The corpus has no text scores named {name}. Available: {names}.").format(
                name=score, names=", ".join(offered) or "-"
            ),
        )
    return orders[score]


def best_and_worst(
    *, corpus: Corpus, score: str, best: int, worst: int
) -> tuple[list[Response], list[Response]]:
    """Return the texts with the highest and lowest scores per topic and system, each once.

    Raises CannotSelect.
    """
    scores = scores_of(corpus, score)
    if best < 0 or worst < 0 or best + worst == 0:
        raise CannotSelect("NoNumber", gettext("Select at least one text."))
    texts_by_source: defaultdict[tuple[int, int | None], list[Response]] = defaultdict(list)
    responses = Response.objects.filter(corpus=corpus, copy_of=None).with_text()
    for response in responses.select_related("topic", "system").order_by("pk"):
        if response.key in scores:
            texts_by_source[response.topic_id, response.system_id].append(response)
    high: list[Response] = []
    low: list[Response] = []
    for texts in texts_by_source.values():
        texts.sort(key=lambda text: (-scores[text.key], text.key))
        high += texts[:best]
        low += texts[best:][-worst:] if worst else []
    return high, low


def select_texts(
    *,
    corpus: Corpus,
    slug: str,
    score: str,
    best: int,
    worst: int,
    owners: Iterable[User] = (),
) -> ImportReport:
    """Create a corpus of the selected texts, with their topics and passages.

    Raises CannotSelect, ImportRefused.
    """
    if Corpus.objects.filter(slug=slug).exists():
        raise CannotSelect(
            "Taken", gettext("A corpus named {slug} already exists.").format(slug=slug)
        )
    high, low = best_and_worst(corpus=corpus, score=score, best=best, worst=worst)
    texts = sorted([*high, *low], key=lambda text: text.pk)
    if any(text.segments.exists() for text in texts):
        raise CannotSelect("Summaries", gettext("You can't select structured summaries."))
    files = [
        _file(RowKind.TOPICS, _topics(corpus, texts)),
        _file(RowKind.SYSTEMS, _systems(texts)),
        _file(RowKind.PASSAGES, _passages(texts)),
        _file(RowKind.RESPONSES, map(_response, texts)),
    ]
    return import_corpus(
        slug=slug,
        name=f"{corpus.name}: {score}"[:200],
        licence=corpus.licence,
        files=[file for file in files if file is not None],
        owners=owners,
        is_new=True,
    )


def _file(kind: RowKind, rows: Rows) -> CorpusFile | None:
    lines = [json.dumps(row) for row in rows]
    if not lines:
        return None
    content = io.BytesIO("\n".join(lines).encode())
    return CorpusFile(content, kind=kind, name=f"{kind}.jsonl")


def _topics(corpus: Corpus, texts: Iterable[Response]) -> Iterator[dict[str, Any]]:
    for topic in Topic.objects.filter(pk__in={text.topic_id for text in texts}).order_by("pk"):
        row = {"topic": topic.key, "query": topic.query, "description": topic.description or None}
        yield row | _turns(topic.turns, "user", topic.query)


def _systems(texts: Iterable[Response]) -> Iterator[dict[str, Any]]:
    keys = {text.system_id for text in texts if text.system_id}
    for system in System.objects.filter(pk__in=keys).order_by("pk"):
        yield {"system": system.key, "name": system.name}


def _passages(texts: Iterable[Response]) -> Iterator[dict[str, Any]]:
    topics = {text.topic_id for text in texts}
    passages = Passage.objects.filter(topic__in=topics).select_related("topic")
    for passage in passages.order_by("topic", "rank").iterator():
        yield {
            "topic": passage.topic.key,
            "passage": passage.key,
            "rank": passage.rank,
            "title": passage.title or None,
            "text": passage.text,
        }


def _response(text: Response) -> dict[str, Any]:
    row = {
        "response": text.key,
        "topic": text.topic.key,
        "system": text.system.key if text.system else None,
        "style": text.style,
        "origin": text.origin,
        "text": text.text,
        "marks": marks_in(text.text, text.marks),
    }
    return row | _turns(text.turns, "assistant", text.text)


def _turns(before: list[dict[str, str]] | None, role: str, last: str) -> dict[str, Any]:
    if before is None:
        return {}
    return {"messages": [*before, {"role": role, "content": last}]}
