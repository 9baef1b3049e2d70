"""Put a table of answers into a corpus: questions, who answered, what is cited, the answers."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

import msgspec
from django.utils.translation import gettext, ngettext

from annotation.corpora.checks import MOST_OF_AN_ID
from annotation.corpora.foreign_rows import AnsweredTopicRow
from annotation.corpora.numbering import Numbering, form_of
from annotation.corpora.pool_writer import pks_of
from annotation.corpora.remedies import Problem, Remedy
from annotation.corpora.resolving import cited_text
from annotation.corpora.response_writer import ResponseWriter
from annotation.corpora.rows import CitationsFrom, CorpusRow, PassageRow, ResponseRow, TopicRow
from annotation.corpora.schema import FileLine, RowKind, listed
from annotation.corpora.summaries import Pool, PoolPlace, pool_of
from annotation.corpora.table_rows import Cited, TableRow
from annotation.models import Passage

Identity = tuple[int, int]  # of a line (FileLine.identity)
NAMING_TOPICS = (PassageRow, ResponseRow)  # by id, or by question


class TableWriter(ResponseWriter):
    """Rows that bring several things at once, and rows without ids."""

    numbering: Numbering
    _forms_of_topics: dict[str, list[tuple[str, str]]] | None = None

    # -- Rows that name a topic ------------------------------------------------------------------
    def _of_topics(self, batch: list[FileLine]) -> list[FileLine]:
        """Return the rows with the id of their topic, which an unambiguous question may replace.

        A row whose topic is too long for an id and no question is refused.
        """
        named = {line.row.topic for line in batch if isinstance(line.row, NAMING_TOPICS)}
        keys = {key: key for key in pks_of(self._corpus.topics.all(), named)}
        keys |= self._asked(named - set(keys))
        lines = []
        for line in batch:
            row = line.row
            if not isinstance(row, NAMING_TOPICS) or keys.get(row.topic) == row.topic:
                lines.append(line)
            elif key := keys.get(row.topic):
                lines.append(line._replace(row=msgspec.structs.replace(row, topic=key)))
            elif merged := self._merged(line, row.topic):
                lines.append(line._replace(row=msgspec.structs.replace(row, topic=merged)))
            elif len(row.topic) > MOST_OF_AN_ID:
                reason = self._missing("topic", row.topic)
                self._refuse(line, "topic", reason, code=Problem.MISSING_TOPIC, value=row.topic)
            elif line.identity not in self._refused:
                lines.append(line)  # refused in its turn
        return lines

    def _merged(self, line: FileLine, question: str) -> str:
        """Return the topic whose question is alike, if that was chosen; else refuse the line."""
        alike = self._topics_by_form.get(form_of(question), [])
        if len(alike) != 1:
            return ""
        key, query = alike[0]
        reason = gettext("is a variant of the question “{first}”").format(first=query[:200])
        code, value = Problem.SIMILAR_QUESTION, question[:200]
        if self._choices[code].remedy is Remedy.MERGE:
            self._report.mend(line.bad("topic", reason, code=code, value=value))
            return key
        self._refuse(line, "topic", reason, code=code, value=value)
        return ""

    @property
    def _topics_by_form(self) -> dict[str, list[tuple[str, str]]]:
        """The topics of the corpus by the form of their question: read once for a batch."""
        if self._forms_of_topics is None:
            self._forms_of_topics = defaultdict(list)
            for key, query in self._corpus.topics.values_list("key", "query").iterator():
                self._forms_of_topics[form_of(query)].append((key, query))
        return self._forms_of_topics

    def begin_batch(self) -> None:
        super().begin_batch()
        self._forms_of_topics = None

    def _asked(self, questions: set[str]) -> dict[str, str]:
        """Return the topic ids of these questions."""
        if not questions:
            return {}
        wanted = questions | {question.strip() for question in questions}
        topics: dict[str, list[str]] = defaultdict(list)
        for query, key in self._corpus.topics.filter(query__in=wanted).values_list("query", "key"):
            topics[query.strip()].append(key)
        keys_by_question = {question: topics[question.strip()] for question in questions}
        return {question: keys[0] for question, keys in keys_by_question.items() if len(keys) == 1}

    def _missing(self, field: str, key: str) -> str:
        key = key[:MOST_OF_AN_ID]
        if field != "topic" or not self._made_topic:
            return super()._missing(field, key)
        return gettext("{key!r} not found: use topic IDs such as “{example}”").format(
            key=key, example=self._made_topic
        )

    @cached_property
    def _made_topic(self) -> str:
        """An id that was made here, which nobody could know who brought the question."""
        made = self._corpus.topics.filter(key__regex=r"^topic-[0-9]+$").order_by("pk")
        return made.values_list("key", flat=True).first() or ""

    # -- Rows without ids ------------------------------------------------------------------------
    def _with_keys(self, batch: list[FileLine]) -> list[FileLine]:
        """Return the rows with ids of their own; rows with too long ids are refused."""
        return [
            keyed
            for line in batch
            for keyed in [self._with_key(line) if line.lacks_key else line]
            if keyed is not None
        ]

    def _with_key(self, line: FileLine) -> FileLine | None:
        row: CorpusRow = line.row
        match row:
            case TopicRow():
                topic = self._topic_asked(line, "", row.query)
                if topic is None or topic.query != row.query.strip():
                    return None  # refused, or merged with the topic of the first wording
                row = msgspec.structs.replace(row, topic=topic.topic)
            case PassageRow():
                key = self.numbering.passage(
                    row.topic, rank=row.rank, title=row.title or "", text=row.text
                )
                row = msgspec.structs.replace(row, passage=key)
            case ResponseRow():
                key = self.numbering.response(row.topic, system=row.system or "", text=row.text)
                row = msgspec.structs.replace(row, response=key)
        if fault := row.fault():
            self._refuse(line, *fault)
            return None
        return line._replace(row=row)

    # -- Tables ----------------------------------------------------------------------------------
    def _table_topics(self, rows: list[tuple[FileLine, TableRow]]) -> dict[Identity, str]:
        """Store the questions; return the topic of each line, but those that are refused."""
        keys: dict[Identity, str] = {}
        topics: dict[TopicRow, FileLine] = {}
        for line, row in rows:
            if topic := self._topic_asked(line, row.topic or "", row.question):
                keys[line.identity] = topic.topic
                topics.setdefault(topic, line)
        stored = dict(self._corpus.topics.filter(key__in=keys.values()).values_list("key", "query"))
        new = []
        for topic, line in topics.items():
            topic_line = line._replace(row=topic)
            if stored.get(topic.topic, "").strip() == topic.query:
                self._note_there(topic_line, RowKind.TOPICS, "topic", "", topic.topic)
            else:
                new.append((topic_line, topic))
        self._topics(new)
        return keys

    def _topic_asked(self, line: FileLine, key: str, question: str) -> TopicRow | None:
        """Return the topic of a question, which may have the id `key`; None if it is refused.

        A question may differ from that of another topic in its form alone (`form_of`).
        """
        question = question.strip()
        other = "" if key else self.numbering.similar_topic(question)
        topic_key = key or self.numbering.known_topic(question)
        first = self.numbering.wording(key or other, question) if key or other else question
        if first == question or (topic_key and not key and self._separates is False):
            return TopicRow(topic=topic_key or self.numbering.topic(question), query=question)
        choice = self._choices[Problem.SIMILAR_QUESTION].remedy
        reason = gettext("is a variant of the question “{first}”").format(first=first[:200])
        bad = line.bad("query", reason, code=Problem.SIMILAR_QUESTION, value=question[:200])
        if choice not in (Remedy.MERGE, Remedy.SEPARATE):
            if not self._is_early:
                self._refuse(line, "query", reason, code=bad.code, value=bad.value)
            return None
        if not self._is_early:
            self._report.mend(bad)
        if choice is Remedy.MERGE:
            return TopicRow(topic=key or other, query=first)
        return TopicRow(topic=key or self.numbering.topic(question), query=question)

    @property
    def _separates(self) -> bool:
        return self._choices[Problem.SIMILAR_QUESTION].remedy is Remedy.SEPARATE

    def _answered_topics(self, rows: list[tuple[FileLine, AnsweredTopicRow]]) -> None:
        """Store the topics that answers quote where there is none of their id.

        Other words than those of a topic are named: the topic keeps its own.
        """
        quoted = {row.topic for _, row in rows}
        stored = dict(self._corpus.topics.filter(key__in=quoted).values_list("key", "query"))
        new: dict[str, tuple[FileLine, TopicRow]] = {}
        for line, row in rows:
            query = stored.get(row.topic)
            if query is None:
                new.setdefault(row.topic, (line._replace(row=row.topic_row()), row.topic_row()))
            elif " ".join(query.split()) == " ".join(row.query.split()):
                self._note_there(line, RowKind.TOPICS, "topic", "", row.topic)
            else:
                reason = gettext("differs from the wording of topic {topic}")
                self._report.warn(line.bad("topic", reason.format(topic=row.topic)))
        self._topics(list(new.values()))

    def _note_there(self, line: FileLine, kind: RowKind, field: str, scope: str, key: str) -> None:
        """Another row says it, and perhaps more: of this upload, or of the corpus as it was."""
        if not self._ledger.first(line=line, kind=field, scope=scope, key=key):
            self._report.unchanged[kind.value] += 1

    def _table(self, rows: list[tuple[FileLine, TableRow]]) -> None:
        topics = self._table_topics(rows)
        rows = [(line, row) for line, row in rows if line.identity in topics]
        self.numbering.know_passages(topics.values())
        self.numbering.know_responses(topics.values())
        cited = {line.identity: row.cited() for line, row in rows}
        keys = self._table_passages(rows, topics, cited)
        pool = self._pool(topics)
        texts = []
        for line, row in rows:
            topic = topics[line.identity]
            marks = None
            if row.passages is not None:
                marks = self._own_marks(line, row, keys[line.identity], pool.get(topic, {}))
            response = ResponseRow(
                response=row.response
                or self.numbering.response(topic, system=row.system or "", text=row.answer),
                topic=topic,
                text=row.answer,
                style=row.style,
                origin=row.origin,
                system=row.system,
                citations_from=row.citations_from,
                marks=marks,
            )
            if fault := response.fault():
                self._refuse(line, *fault)
            else:
                texts.append((line._replace(row=response), response))
        self._responses(texts, makes_systems=True)

    def _pool(self, topics: Mapping[Identity, str]) -> Pool:
        return pool_of(pks_of(self._corpus.topics.all(), topics.values()).values())

    def _table_passages(
        self,
        rows: list[tuple[FileLine, TableRow]],
        topics: Mapping[Identity, str],
        cited: Mapping[Identity, list[Cited]],
    ) -> dict[Identity, list[str]]:
        """Store what the answers came with; return the keys of the passages of each line.

        A text that is the key of a passage of its topic is that passage.
        """
        pool = self._pool(topics) if any(cited.values()) else {}
        keys: dict[Identity, list[str]] = {}
        passages: dict[PassageRow, FileLine] = {}
        for line, _ in rows:
            keys[line.identity] = []
            for passage in cited[line.identity]:
                topic = topics[line.identity]
                if not passage.key and passage.text in pool.get(topic, {}):
                    keys[line.identity].append(passage.text)
                    continue
                key = passage.key or self.numbering.passage(
                    topic, rank=None, title=passage.title, text=passage.text
                )
                row = PassageRow(
                    topic=topic, passage=key, text=passage.text, title=passage.title or None
                )
                passages.setdefault(row, line)
                keys[line.identity].append(key)
        self._passages(self._unsaid(passages))
        return keys

    def _unsaid(self, passages: Mapping[PassageRow, FileLine]) -> list[tuple[FileLine, PassageRow]]:
        """Those that are not in the pool yet, or with another text."""
        pool = Passage.objects.filter(
            topic__corpus=self._corpus,
            topic__key__in={row.topic for row in passages},
            key__in={row.passage for row in passages},
        )
        stored = {
            passage[:2]: passage[2:]
            for passage in pool.values_list("topic__key", "key", "title", "text")
        }
        new = []
        for row, line in passages.items():
            title, text = stored.get((row.topic, row.passage), ("", ""))
            passage_line = line._replace(row=row)
            if text == row.text and row.title in (None, title):
                self._note_there(passage_line, RowKind.PASSAGES, "passage", row.topic, row.passage)
            else:
                new.append((passage_line, row))
        return new

    def _own_marks(
        self, line: FileLine, row: TableRow, keys: list[str], places: Mapping[str, PoolPlace]
    ) -> list[list[int]]:
        """Return the marks of an answer that numbers the passages of its own row.

        A number without a passage is refused, or dropped with a warning.
        """

        def place_of(index: int) -> int | None:
            is_known = 0 <= index < len(keys) and keys[index] in places
            return places[keys[index]].number if is_known else None

        cited = cited_text(
            row.answer,
            first=row.citations_from or CitationsFrom.ZERO,
            place_of=place_of,
            keys={key: places[key].number for key in keys if key in places},
            forms=self._forms,
        )
        self._report.note_marks(row.answer, cited, place=line.place)
        self._report.note_cited(cited.numbers, len(keys))
        if unknown := [*dict.fromkeys(cited.unknown)]:
            reason = ngettext(
                "cites {unknown}, but has only {count} passage",
                "cites {unknown}, but has only {count} passages",
                len(keys),
            ).format(unknown=listed(unknown), count=len(keys))
            self._refuse_citation(line, "passages", reason)
        return cited.marks
