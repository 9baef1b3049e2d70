"""Put responses into a corpus: their texts, what they cite, and the parts of structured ones."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec
from django.db import connection
from django.utils.translation import gettext

from annotation.corpora.checks import because
from annotation.corpora.foreign_rows import RagAnswerRow, SummaryRow
from annotation.corpora.import_report import ImportReport, KeyLedger
from annotation.corpora.pool_writer import PoolWriter, pks_of
from annotation.corpora.remedies import Problem, Remedy, RemedyChoices
from annotation.corpora.resolving import FORMS, cited_text
from annotation.corpora.rows import CitationsFrom, ResponseRow
from annotation.corpora.schema import FileLine, RowKind, listed
from annotation.corpora.summaries import (
    Pool,
    PoolPlace,
    as_response,
    citing,
    fault_of,
    is_as_stored,
    link,
    pool_of,
    without_unknown,
    write_parts,
    write_segments,
)
from annotation.models import Citation, Corpus, Origin, Response, Segment, Style
from annotation.texts.citations import Marks, cited_places, written_marks
from annotation.texts.words import count_words

Parts = Iterator[tuple[Segment, list[int]]]  # a part, and the ids of the passages it cites


class ResponseWriter(PoolWriter):
    """The texts of systems and people."""

    def __init__(
        self,
        *,
        corpus: Corpus,
        ledger: KeyLedger,
        report: ImportReport,
        choices: RemedyChoices,
        origin: Origin | None,
        drops_unranked: bool,
        drops_unknown: bool,
        makes_copies: bool,
        makes_systems: bool,
        forms: Collection[str] = FORMS,
    ) -> None:
        super().__init__(
            corpus=corpus,
            ledger=ledger,
            report=report,
            choices=choices,
            drops_unranked=drops_unranked,
        )
        self._origin = origin
        drops = choices[Problem.UNKNOWN_CITATION].remedy is Remedy.DROP
        self._drops_unknown = drops_unknown or drops
        self._makes_copies = makes_copies
        self._makes_systems = makes_systems
        self._forms = forms

    def _responses(
        self, rows: list[tuple[FileLine, ResponseRow]], *, makes_systems: bool = False
    ) -> list[Response]:
        """Store responses; return the new ones."""
        topics = pks_of(self._corpus.topics.all(), (row.topic for _, row in rows))
        systems = self._systems_named(
            (row.system for _, row in rows if row.system), makes=makes_systems
        )
        pool = pool_of(topics.values())
        passages_by_topic = defaultdict[str, list[int]](list) | {
            topic: [place.pk for place in places.values()] for topic, places in pool.items()
        }
        wanted: dict[object, tuple[FileLine, Response]] = {}
        cited: dict[str, list[int]] = {}
        for line, row in rows:
            if (
                line.identity not in self._skipped
                and self._is_there(line, "topic", row.topic, topics)
                and (not row.system or self._is_there(line, "system", row.system, systems))
                and (key := self._free_key(line, "response", row.response))
                and (origin := self._origin_of(line, row))
            ):
                marks = self._marks(line, row, pool.get(row.topic, {}))
                if line.identity in self._skipped:
                    continue
                passages = passages_by_topic[row.topic]
                cited[key] = [
                    passages[place]
                    for place in cited_places(row.text, marks)
                    if place < len(passages)
                ]
                self._report.citations += len(cited[key])
                self._report.citing += bool(cited[key])
                wanted[key] = (
                    line,
                    Response(
                        corpus=self._corpus,
                        topic_id=topics[row.topic],
                        key=key,
                        style=(row.style or Style.FREE).value,
                        origin=origin.value,
                        system_id=systems[row.system] if row.system else None,
                        text=row.text,
                        is_empty=row.lacks_answer,
                        words=count_words(row.text, marks),
                        marks=marks,
                        turns=row.turns,
                    ),
                )
        stored = self._corpus.responses.filter(key__in=list(wanted))
        same = {"topic_id": "topic", "style": "style", "origin": "origin", "system_id": "system"}
        new = self._new(
            RowKind.RESPONSES, wanted, stored, "key", same | {"text": "text", "turns": "messages"}
        )
        new = self._create(RowKind.RESPONSES, new)
        # Kept for the rest of the check; refused for what they cite all the same.
        if refused := sum(line.identity in self._refused for line, _ in new):
            self._report.added[RowKind.RESPONSES.value] -= refused
        made = [response for _, response in new]
        self._cite(made, cited)
        return made

    def _systems_named(self, keys: Iterable[str], *, makes: bool) -> dict[str, int]:
        """Return the systems that responses name; missing ones are created if allowed."""
        named = set(keys)
        stored = pks_of(self._corpus.systems.all(), named)
        if not (makes or self._makes_systems) or not named - set(stored):
            return stored
        self._report.made_systems += sorted(named - set(stored))
        return self._systems_of(sorted(named))

    def _origin_of(self, line: FileLine, row: ResponseRow) -> Origin | None:
        origin = row.origin or self._origins.get(row.system or "") or self._origin
        if origin is not None:
            return origin
        code, system = Problem.MISSING_ORIGIN, row.system or ""
        self._report.note_of_nobody(system)
        reason = gettext("is missing")
        if chosen := self._choices.replacement(code, system):
            self._report.mend(line.bad("origin", reason, code=code, value=system))
            return Origin(chosen)
        self._refuse(line, "origin", reason, code=code, value=system)
        return None

    # -- Citations -----------------------------------------------------------------------------
    def _marks(
        self, line: FileLine, row: ResponseRow, places: Mapping[str, PoolPlace]
    ) -> list[list[int]] | None:
        """Return the marks to store beside a text; None where our editor's rule holds.

        Marks without a passage are refused, or warned of and left out.
        """
        first = row.citations_from or CitationsFrom.ZERO
        if row.marks is not None or first is CitationsFrom.EDITOR:
            written = written_marks(row.text) if row.marks is None else row.marks
            numbers = [place for _, _, *named in written for place in named]
            unknown = [f"[{number}]" for number in numbers if number >= len(places)]
            marks = None if row.marks is None else _within(written, len(places))
        else:
            cited = cited_text(
                row.text,
                first=first,
                place_of=lambda index: index if 0 <= index < len(places) else None,
                keys={key: place.number for key, place in places.items()},
                forms=self._forms,
            )
            numbers, unknown, marks = cited.numbers, cited.unknown, cited.marks
            self._report.note_marks(row.text, cited, place=line.place)
        self._note_unknown(line, row, numbers, [*dict.fromkeys(unknown)], len(places))
        return marks

    def _note_unknown(
        self, line: FileLine, row: ResponseRow, numbers: list[int], unknown: list[str], count: int
    ) -> None:
        """Note the numbers of a text; refuse it, or warn, for those without a passage."""
        cause = self._ledger.cause("passage", row.topic)
        if count and not cause and row.marks is None:
            self._report.note_cited(numbers, count)
        if not unknown:
            return
        low = 1 if row.citations_from is CitationsFrom.ONE else 0
        passage_count = (
            gettext("{count} passages ({low}-{high})").format(
                count=count, low=low, high=low + count - 1
            )
            if count
            else gettext("no passages")
        )
        reason = gettext("answer {response} cites {unknown}, but topic {topic} has {held}").format(
            response=row.response, unknown=listed(unknown), topic=row.topic, held=passage_count
        )
        self._refuse_citation(line, "text", reason, cause=cause)

    def _refuse_citation(self, line: FileLine, field: str, reason: str, *, cause: str = "") -> None:
        """Refuse a text for a citation, or warn if unknown citations are dropped.

        A citation that is missing because of another bad line is always refused.
        """
        code = Problem.UNKNOWN_CITATION
        if cause:
            self._refuse(line, field, because(reason, cause), follows=cause, code=code)
        elif self._drops_unknown:
            bad = line.bad(field, reason, code=code)
            self._report.mend(bad)
            self._report.warn(bad)
        else:
            self._report.cites_unknown += not self._choices.skips(code)
            self._refuse(line, field, reason, code=code)

    def _cite(self, responses: list[Response], cited: Mapping[str, list[int]]) -> None:
        """Write the citations in the order of each text, without a model instance for each.

        Answers have ten times as many citations as rows; instances would cost half of an import.
        """
        insert = (
            f"INSERT INTO {connection.ops.quote_name(Citation._meta.db_table)}"
            " (response_id, passage_id, position) "
        )
        rows = [
            (response.pk, passage, position)
            for response in responses
            for position, passage in enumerate(cited[response.key], start=1)
        ]
        if not rows:
            return
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":  # one statement takes a tenth of the time
                arrays = "SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::int[])"
                cursor.execute(insert + arrays, list(map(list, zip(*rows, strict=True))))
            else:
                cursor.executemany(insert + "VALUES (%s, %s, %s)", rows)

    # -- Structured summaries ------------------------------------------------------------------
    def _summaries(self, rows: list[tuple[FileLine, SummaryRow]]) -> None:
        """Store summaries as responses with parts, and their systems; copies after originals."""
        topics = pks_of(self._corpus.topics.all(), (row.topic for _, row in rows))
        pool = pool_of(topics.values())
        wanted: dict[str, tuple[FileLine, SummaryRow]] = {}
        for line, row in rows:
            if (whole := self._with_known(line, row, pool)) is not None:
                copies = whole.copies() if self._makes_copies else []
                wanted |= {
                    summary.summary: (line, summary)
                    for summary in (whole, *copies)
                    if (key := self._free_key(line, "summary", summary.summary, content=summary))
                    for summary in [msgspec.structs.replace(summary, summary=key)]
                }
        self._systems_of(row.system for _, row in wanted.values() if row.system)
        texts = [
            (line._replace(row=text), text)
            for line, row in wanted.values()
            for text in [as_response(row, pool.get(row.topic, {}))]
        ]
        new = self._responses(texts)
        by_key = {response.key: response for response in new}
        write_parts(by_key, (row for key, (_, row) in wanted.items() if key in by_key), pool)
        for line, row in wanted.values():
            if row.copy_of and row.summary in by_key and not link(row, self._corpus):
                self._refuse(line, "copy_of", gettext("{key!r} not found").format(key=row.copy_of))
        for response in self._corpus.responses.filter(key__in=set(wanted) - set(by_key)):
            line, row = wanted[response.key]
            if not is_as_stored(row, response):
                self._refuse(
                    line,
                    "summary",
                    gettext("{summary!r} already exists with different parts").format(
                        summary=row.summary
                    ),
                )

    def _with_known(self, line: FileLine, row: SummaryRow, pool: Pool) -> SummaryRow | None:
        """Return the row with the documents of its topic; None if it is refused."""
        if reason := fault_of(row):
            self._refuse(line, "summary", reason)
            return None
        places = pool.get(row.topic, {})
        unknown = dict.fromkeys(key for keys in citing(row) for key in keys if key not in places)
        if not self._may_cite(line, row.summary, row.topic, unknown):
            return None
        return without_unknown(row, places) if unknown else row

    # -- TREC RAG
    def _rag_answers(self, rows: list[tuple[FileLine, RagAnswerRow]]) -> None:
        """Store answers as responses with statements, and the runs as systems."""
        topics = pks_of(self._corpus.topics.all(), (row.of_topic for _, row in rows))
        pool = pool_of(topics.values())
        self._systems_of(row.run for _, row in rows)
        keyed = [
            (line, row, key)
            for line, row in rows
            if self._has_cited(line, row, pool.get(row.of_topic, {}))
            and (key := self._free_key(line, "answer", row.key, content=row.sentences()))
        ]
        texts = [
            (line._replace(row=text), text)
            for line, row, key in keyed
            for text in [_rag_response(row, key, pool.get(row.of_topic, {}))]
        ]
        new = {response.key: response for response in self._responses(texts)}
        fresh = ((new[key], row) for _, row, key in keyed if key in new)
        write_segments(_rag_statements(fresh, pool))

    def _has_cited(
        self, line: FileLine, row: RagAnswerRow, places: Mapping[str, PoolPlace]
    ) -> bool:
        """Return whether the pool has what an answer cites, or may do without it."""
        if beyond := listed(f"[{number}]" for number in row.beyond()):
            reason = gettext("cites {beyond}, but has only {count} references, counted from 0")
            self._refuse_citation(
                line, "citations", reason.format(beyond=beyond, count=len(row.references))
            )
            if not self._drops_unknown:
                return False
        cited = dict.fromkeys(key for _, keys in row.sentences() for key in keys)
        return self._may_cite(line, row.key, row.of_topic, [k for k in cited if k not in places])

    def _may_cite(self, line: FileLine, text: str, topic: str, unknown: Iterable[str]) -> bool:
        """Return whether a text may be taken that cites documents which its topic does not have."""
        if not (names := listed(unknown)):
            return True
        reason = gettext("{text} cites {names}, which topic {topic} doesn't have").format(
            text=text, names=names, topic=topic
        )
        cause = self._ledger.cause("passage", topic)
        self._refuse_citation(line, "citations", reason, cause=cause)
        return self._drops_unknown and not cause


def _within(marks: Marks, count: int) -> list[list[int]]:
    """Return the marks with those places alone that a pool of this size has."""
    remaining = (
        [start, end, *(place for place in places if place < count)] for start, end, *places in marks
    )
    return [mark for mark in remaining if len(mark) > 2]


def _rag_response(row: RagAnswerRow, key: str, places: Mapping[str, PoolPlace]) -> ResponseRow:
    """Return the whole text, with a mark of citations behind each sentence that has some.

    Sentences keep their white space: it separates paragraphs. Brackets of their own cite nothing.
    """
    text = ""
    marks: list[list[int]] = []
    for sentence, keys in row.parts() if row.answered()[1].strip() else ():
        if text and not text[-1].isspace() and not sentence[:1].isspace():
            text += " "
        end = len(sentence.rstrip())
        text += sentence[:end]
        if numbers := [places[key].number for key in keys if key in places]:
            mark = f"[{', '.join(map(str, numbers))}]"
            marks.append([len(text) + 1, len(text) + 1 + len(mark), *numbers])
            text += f" {mark}"
        text += sentence[end:]
    return ResponseRow(
        response=key,
        topic=row.of_topic,
        style=Style.FREE,
        text=text,
        system=row.run,
        marks=marks,
    )


def _rag_statements(rows: Iterable[tuple[Response, RagAnswerRow]], pool: Pool) -> Parts:
    """Yield the sentences of new responses, one line each."""
    for response, row in rows:
        places = pool.get(row.of_topic, {})
        for line, (text, keys) in enumerate(row.sentences(), start=1):
            statement = Segment(
                response=response, kind=Segment.Kind.STATEMENT, line=line, text=text
            )
            yield statement, [places[key].pk for key in keys if key in places]
