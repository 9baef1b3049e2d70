"""Put checked rows of an upload into a corpus, a batch at a time.

A row whose key is there already must be equal, and then changes nothing.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Literal, TypeVar

from annotation.corpora.conversion import translated
from annotation.corpora.foreign_rows import (
    AnsweredTopicRow,
    AnswerRow,
    RagAnswerRow,
    RetrievalRow,
    SummaryRow,
)
from annotation.corpora.import_report import ImportReport, KeyLedger
from annotation.corpora.numbering import Numbering
from annotation.corpora.remedies import Problem, Remedy, RemedyChoices
from annotation.corpora.resolving import FORMS
from annotation.corpora.rows import (
    CorpusRow,
    PassageRow,
    RankingRow,
    ResponseRow,
    SystemRow,
    TopicRow,
)
from annotation.corpora.schema import FileLine
from annotation.corpora.table_rows import TableRow
from annotation.corpora.table_writer import TableWriter
from annotation.models import Corpus, Origin

Unknown = Literal["refuse", "report"]
# Fields that name what other rows bring, and which rows have them.
MAPPED = (
    ("topic", Problem.MISSING_TOPIC, (PassageRow, RankingRow, ResponseRow, SummaryRow)),
    ("of_topic", Problem.MISSING_TOPIC, (RagAnswerRow,)),
    ("system", Problem.MISSING_SYSTEM, (ResponseRow, SummaryRow)),
    ("passage", Problem.MISSING_PASSAGE, (RankingRow,)),
)
R = TypeVar("R", bound=CorpusRow)


def _rows(batch: Iterable[FileLine], kind: type[R]) -> list[tuple[FileLine, R]]:
    return [(line, line.row) for line in batch if isinstance(line.row, kind)]


class Store(TableWriter):
    """A corpus that takes the batches of one upload."""

    def __init__(
        self,
        *,
        corpus: Corpus,
        ledger: KeyLedger,
        report: ImportReport,
        choices: RemedyChoices,
        origin: Origin | None,
        origins: Mapping[str, Origin],
        unknown_citations: Unknown,
        unknown_passages: Unknown = "refuse",
        unknown_systems: Literal["refuse", "make"] = "refuse",
        degraded_copies: bool = False,
        forms: Collection[str] = FORMS,
    ) -> None:
        super().__init__(
            corpus=corpus,
            ledger=ledger,
            report=report,
            choices=choices,
            origin=origin,
            drops_unranked=unknown_passages == "report",
            drops_unknown=unknown_citations == "report",
            makes_copies=degraded_copies,
            makes_systems=unknown_systems == "make",
            forms=forms,
        )
        self._origins.update(origins)  # what a row of a system says, says it instead
        self.numbering = Numbering(ledger=ledger, corpus=corpus)

    def take_topics(self, batch: list[FileLine]) -> None:
        """Store the questions of a table of answers alone: passages may name them."""
        self.begin_batch()
        self._is_early = True
        self._table_topics(_rows(batch, TableRow))
        self._is_early = False

    def _mapped(self, line: FileLine) -> FileLine:
        """Return a line that names the topic and the system that its own are mapped to."""
        for field, problem, kinds in MAPPED:
            choice = self._choices[problem]
            named = getattr(line.row, field, None)
            if choice.remedy is not Remedy.MAP or not isinstance(line.row, kinds):
                continue
            if target := choice.values.get(named or ""):
                self._report.mend(line.bad(field, "", code=problem, value=named or ""))
                line = line._replace(row=line.row.mapped(field, target))
        return line

    def take(self, batch: list[FileLine]) -> None:
        """Store a batch of one file. A retrieval row is a topic and its passages."""
        self.begin_batch()
        answers = _rows(batch, AnswerRow)
        self._systems_of(row.agent for _, row in answers)
        for line in batch:
            for bad in line.mended:
                self._report.mend(bad)
        batch = [self._mapped(line._replace(row=translated(line.row))) for line in batch]
        batch = self._with_keys(self._of_topics(batch))
        retrieval = _rows(batch, RetrievalRow)
        topics = [line._replace(row=row.topic_row()) for line, row in retrieval]
        self._topics(_rows(topics, TopicRow) or _rows(batch, TopicRow))
        self._answered_topics(_rows(batch, AnsweredTopicRow))
        passages = [line._replace(row=p) for line, row in retrieval for p in row.passage_rows()]
        self._passages(_rows(passages, PassageRow) or _rows(batch, PassageRow))
        self._systems(_rows(batch, SystemRow))
        self._rankings(_rows(batch, RankingRow))
        self._responses(_rows(batch, ResponseRow))
        if tables := _rows(batch, TableRow):
            self._table(tables)
        if summaries := _rows(batch, SummaryRow):
            self._summaries(summaries)
        if rag_answers := _rows(batch, RagAnswerRow):
            self._rag_answers(rag_answers)
