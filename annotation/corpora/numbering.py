"""Keys for rows that bring none. Changes the ledger of an upload alone.

The same content gets the same key, within an upload and in a corpus that is there: a file that is
brought again changes nothing. Other content gets the next number that is free.
"""

import re
import unicodedata
from collections.abc import Iterable
from hashlib import blake2b

from django.db.models import F

from annotation.corpora.import_report import KeyLedger
from annotation.models import Corpus, Passage, Response

OF_ONE_CORPUS = ""
ALIKE, WORDING = "alike", "wording"  # questions that differ only in form
INVISIBLE = str.maketrans(dict.fromkeys("\u00ad\u200b\u2060\ufeff"))
TOPIC, PASSAGE, RESPONSE = "topic", "passage", "response"


def form_of(question: str) -> str:
    """Return a question without case, Unicode form and white space: alike ones are equal."""
    folded = unicodedata.normalize("NFKC", question.translate(INVISIBLE)).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


class Numbering:
    """Generated keys: topic-1, topic-2; passage-1 within a topic; topic and system of a response.

    From the second response of a topic and system on, a number follows.
    """

    def __init__(self, *, ledger: KeyLedger, corpus: Corpus | None = None) -> None:
        self._ledger = ledger
        self._corpus = corpus  # None: nothing is there yet

    def topic(self, query: str) -> str:
        if not (key := self.known_topic(query)):
            key = f"topic-{self._ledger.next_number(TOPIC, OF_ONE_CORPUS)}"
            self._ledger.name(TOPIC, OF_ONE_CORPUS, _digest(query.strip()), key)
            self._ledger.name(ALIKE, OF_ONE_CORPUS, _digest(form_of(query)), key)
            self.wording(key, query)
        return key

    def known_topic(self, query: str) -> str:
        """Return the topic of a question, word for word; or an empty text."""
        self._know_topics()
        return self._ledger.key_of(TOPIC, OF_ONE_CORPUS, _digest(query.strip()))

    def similar_topic(self, query: str) -> str:
        """Return the first topic whose question is alike; or an empty text."""
        self._know_topics()
        return self._ledger.key_of(ALIKE, OF_ONE_CORPUS, _digest(form_of(query)))

    def wording(self, topic: str, query: str) -> str:
        """Return the first wording of a question of a topic, which is this one if none is alike."""
        content, query = _digest(form_of(query)), query.strip()
        self._ledger.name(WORDING, topic, content, query)
        return self._ledger.key_of(WORDING, topic, content)

    def passage(self, topic: str, *, rank: int | None, title: str, text: str) -> str:
        self.know_passages([topic])
        content = _digest(str(rank or ""), title, text)
        if not (key := self._ledger.key_of(PASSAGE, topic, content)):
            key = f"passage-{self._ledger.next_number(PASSAGE, topic)}"
            self._ledger.name(PASSAGE, topic, content, key)
        return key

    def response(self, topic: str, *, system: str, text: str) -> str:
        self.know_responses([topic])
        stem, content = _stem(topic, system), _digest(text)
        if not (key := self._ledger.key_of(RESPONSE, stem, content)):
            number = self._ledger.next_number(RESPONSE, stem)
            key = stem if number == 1 else f"{stem}/{number}"
            self._ledger.name(RESPONSE, stem, content, key)
        return key

    # -- What the corpus has ---------------------------------------------------------------------
    def _know_topics(self) -> None:
        if self._ledger.is_counted(TOPIC, OF_ONE_CORPUS):
            return
        topics = self._corpus.topics.order_by("pk") if self._corpus else ()
        stored = list(topics.values_list("key", "query")) if topics else []
        for key, query in stored:
            self._ledger.name(ALIKE, OF_ONE_CORPUS, _digest(form_of(query)), key)
            self.wording(key, query)
        self._know(
            TOPIC, OF_ONE_CORPUS, "topic-", ((key, [_digest(q.strip())]) for key, q in stored)
        )

    def know_passages(self, topics: Iterable[str]) -> None:
        """Note the passages of these topics, with one query for those that are new here."""
        new = self._new(PASSAGE, topics)
        stored: dict[str, list[tuple[str, list[bytes]]]] = {topic: [] for topic in new}
        if self._corpus and new:
            of_topics = Passage.objects.filter(topic__corpus=self._corpus, topic__key__in=new)
            rows = of_topics.order_by("topic", "rank")
            for topic, key, rank, title, text in rows.values_list(
                "topic__key", "key", "rank", "title", "text"
            ).iterator():
                contents = [_digest(str(rank), title, text), _digest("", title, text)]
                stored[topic].append((key, contents))
        for topic, keys in stored.items():
            self._know(PASSAGE, topic, "passage-", keys)

    def know_responses(self, topics: Iterable[str]) -> None:
        """Note the responses about these topics, with one query for those that are new here."""
        new = self._new(f"{RESPONSE} of", topics)
        for topic in new:
            self._ledger.count_to(f"{RESPONSE} of", topic, 0)
        if self._corpus is None or not new:
            return
        # By their topics: the corpus has many more, and a database may go through all of them.
        of_topics = Response.objects.filter(topic__corpus=self._corpus, topic__key__in=new)
        rows = of_topics.order_by("pk").values_list("topic__key", "key", F("system__key"), "text")
        for topic, key, system, text in rows.iterator():
            stem = _stem(topic, system or "")
            self._know(RESPONSE, stem, f"{stem}/", [(key, [_digest(text)])])
            if key == stem:
                self._ledger.count_to(RESPONSE, stem, 1)

    def _new(self, kind: str, topics: Iterable[str]) -> list[str]:
        return [one for one in dict.fromkeys(topics) if not self._ledger.is_counted(kind, one)]

    def _know(
        self, kind: str, scope: str, stem: str, stored: Iterable[tuple[str, list[bytes]]]
    ) -> None:
        """Note the keys that are there, and the highest number that follows the stem in one."""
        self._ledger.count_to(kind, scope, 0)
        for key, contents in stored:
            for content in contents:
                self._ledger.name(kind, scope, content, key)
            if re.fullmatch(r"[0-9]{1,9}", number := key.removeprefix(stem)) and number != key:
                self._ledger.count_to(kind, scope, int(number))


def _stem(topic: str, system: str) -> str:
    return f"{topic}/{system}" if system else f"{topic}/response"


def _digest(*parts: str) -> bytes:
    return blake2b("\0".join(parts).encode(errors="surrogatepass"), digest_size=16).digest()
