"""Every export that is offered: its files, its rows, its columns, and when there is none."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from analysis.exports import games, passages, ragelo, redone, relevance, texts
from analysis.exports import rows as export_rows
from analysis.exports.encodings import Csv, Encoder, JsonLines, Lines, Row
from analysis.exports.sources import CannotExport, Source
from analysis.inputs.settings import PEOPLE
from analysis.models import AnalysisRun
from annotation.models import Study
from judging.models import Rater


class NothingRated(CannotExport):
    def __init__(self, study: Study) -> None:
        super().__init__(
            f"Study {study.slug} asks no question about whole items with answers to choose from "
            "or numbers, so it has no ratings: see its votes."
        )


class NoGoldLabels(CannotExport):
    def __init__(self, study: Study) -> None:
        super().__init__(
            f"Study {study.slug} asks no question about whole items with answers to choose from, "
            "so it has no gold labels: see its votes."
        )


class NothingGraded(CannotExport):
    def __init__(self, study: Study, reasons: list[str]) -> None:
        super().__init__(
            " ".join(reasons) or f"Study {study.slug} compares no pairs, so it has no grades."
        )


class UnknownFile(CannotExport):
    def __init__(self, name: str) -> None:
        super().__init__(f"There is no export {name!r}; there are {', '.join(FILES)}.")


class NothingJudged(CannotExport):
    def __init__(self, study: Study) -> None:
        super().__init__(
            f"Study {study.slug} has no items to judge, so there are no judgments to export."
        )


class NothingInSections(CannotExport):
    def __init__(self, study: Study) -> None:
        super().__init__(f"Study {study.slug} asks nothing about the parts of summaries.")


class NothingLabelled(CannotExport):
    def __init__(self, study: Study) -> None:
        super().__init__(
            f"In study {study.slug} no expert and no model has answered: its votes are all."
        )


class NothingWritten(CannotExport):
    def __init__(self, study: Study) -> None:
        super().__init__(f"In study {study.slug} nobody writes texts, so it has no writing tasks.")


def anything(source: Source) -> None:
    """Responses can be had of every study."""


def judges(source: Source) -> None:
    """Raise NothingJudged if nobody is asked to judge anything."""
    if not source.slots:
        raise NothingJudged(source.study)


def written(source: Source) -> None:
    """Raise NothingWritten if it is no writing study."""
    if source.study.kind != Study.Kind.WRITING:
        raise NothingWritten(source.study)


def labelled(source: Source) -> None:
    """Raise NothingJudged, or NothingLabelled if only the crowd has answered: see its votes."""
    judges(source)
    if not has_labels(source.study):
        raise NothingLabelled(source.study)


def has_labels(study: Study) -> bool:
    """Whether anybody but the crowd has answered."""
    others = Rater.objects.exclude(kind=Rater.Kind.CROWD)
    return others.filter(judgments__item__study=study).exists()


def rated(source: Source) -> None:
    """Raise NothingJudged, NotAnalysed or NothingRated if there are no ratings."""
    judges(source)
    if source.finished and not source.rated:
        raise NothingRated(source.study)


def gold_labelled(source: Source) -> None:
    """Raise NothingJudged, NotAnalysed or NoGoldLabels if there are no gold labels."""
    judges(source)
    if source.finished and not source.chosen:
        raise NoGoldLabels(source.study)


def graded(source: Source) -> None:
    """Raise NothingJudged, NotAnalysed or NothingGraded if there are no grades."""
    judges(source)
    steps = source.finished.steps.filter(analysis="grades")
    said = list(steps.order_by("pk").values_list("result__missing", flat=True))
    if all(said):  # of some questions there may be grades, of others a sentence
        raise NothingGraded(source.study, list(dict.fromkeys(said)))


def in_sections(source: Source) -> None:
    """Raise NothingInSections if it asks nothing about the parts of summaries."""
    if not texts.have_parts(source):
        raise NothingInSections(source.study)


def no_columns(source: Source) -> tuple[str, ...]:
    return ()


def as_it_is(row: Row) -> Iterator[Row]:
    yield row


@dataclass(frozen=True)
class Table:
    """`check` raises CannotExport; `spread` makes the rows of the CSV from one of the JSONL."""

    name: str
    title: str
    rows: Callable[[Source], Iterator[Any]]
    columns: Callable[[Source], tuple[str, ...]]  # of the CSV
    formats: tuple[str, ...] = ("jsonl.gz", "csv")
    check: Callable[[Source], None] = anything
    spread: Callable[[Row], Iterator[Row]] = as_it_is

    @property
    def from_run(self) -> bool:
        """Whether it holds what a run found, or which votes it counts."""
        return self.check in (
            judges, rated, gold_labelled, graded, passages.for_trec, relevance.on_passages,
            games.played,
        )  # fmt: skip


TABLES = {
    table.name: table
    for table in (
        Table(
            "responses", "Responses: the texts that were judged or written",
            texts.responses, texts.response_columns,
        ),
        Table(
            "tasks", "Tasks: who wrote each accepted text, and what the forms were told",
            texts.tasks, texts.task_columns, check=written,
        ),
        Table(
            "ratings", "Ratings: the votes on each item and its gold labels",
            export_rows.ratings, export_rows.rating_columns,
            check=rated, spread=export_rows.spread,
        ),
        Table(
            "gold", "Gold labels: the answer of each item to each question",
            export_rows.gold, export_rows.gold_columns,
            formats=("csv",), check=gold_labelled,
        ),
        Table(
            "grades", "Grades: the rank of each response within its topic",
            export_rows.grades, export_rows.grade_columns,
            check=graded,
        ),
        Table(
            "votes", "Votes: every judgment as it was given",
            export_rows.votes, export_rows.vote_columns, check=judges,
        ),
        Table(
            "votes_before_redo", "Votes before a redo: what was answered, as it was handed in",
            redone.votes_before, redone.columns, check=redone.were,
        ),
        Table(
            "labels", "Labels: the answers of all raters, experts and models among them",
            export_rows.labels, export_rows.label_columns, check=labelled,
        ),
        Table(
            "pairwise_answers_evaluations", "RAGElo: the votes on two systems as games",
            games.games, games.game_columns, formats=("csv",), check=games.played,
        ),
        Table(
            "ragelo_queries", "RAGElo: the topics that systems have answered",
            ragelo.queries, ragelo.query_columns, formats=("csv",), check=ragelo.answered,
        ),
        Table(
            "ragelo_documents", "RAGElo: the passages of these topics",
            ragelo.documents, ragelo.document_columns, formats=("csv",), check=ragelo.answered,
        ),
        Table(
            "ragelo_answers", "RAGElo: the answers of the systems",
            ragelo.answers, ragelo.answer_columns, formats=("csv",), check=ragelo.answered,
        ),
        Table(
            "rubric_bank", "Rubric: the points of each topic, as a bank of nuggets",
            passages.banks, no_columns, formats=("jsonl.gz",), check=passages.on_points,
        ),
        Table(
            "rubric_passages", "Rubric: graded passages, with the grades of every rater",
            passages.paragraphs, no_columns, formats=("jsonl.gz",), check=passages.on_points,
        ),
        Table(
            "summaries", "SGSS: the structured summaries with their parts",
            texts.summaries, no_columns, formats=("jsonl.gz",), check=in_sections,
        ),
        *(
            Table(
                f"qrels_{by}", f"Qrels: the grades of passages by {by}",
                rows, no_columns, formats=("txt",), check=passages.for_trec,
            )
            for by, rows in passages.QRELS.items()
        ),
        Table(
            "qrels", "Qrels: the grades of passages",
            relevance.qrels, no_columns, formats=("txt",), check=relevance.on_passages,
        ),
        Table(
            "runs", "Runs: the rankings of the systems",
            passages.runs, no_columns, formats=("txt",), check=passages.ranked,
        ),
    )
}  # fmt: skip
ON_POINTS = (passages.on_points, passages.for_trec)
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._]")
FILES = tuple(f"{table.name}.{ending}" for table in TABLES.values() for ending in table.formats)


def tables_of(source: Source) -> list[Table]:
    """Those that a study of this kind can have."""
    of_writing = source.study.kind == Study.Kind.WRITING
    return [
        table
        for table in TABLES.values()
        if table.check is anything or (table.check is written) == of_writing
        if table.check is not labelled or has_labels(source.study)
        if table.check is not redone.were or redone.kept_of(source.study).exists()
        if table.check not in ON_POINTS or passages.is_on_points(source)
        if table.check is not relevance.on_passages or relevance.is_on_passages(source)
        if table.check is not passages.ranked
        or passages.is_on_points(source)
        or relevance.is_on_passages(source)
        if table.check is not games.played or games.have_systems(source.study)
        if table.check is not ragelo.answered or ragelo.have_answers(source.study)
        if table.check is not in_sections or texts.have_parts(source)
    ]


def offered(source: Source) -> tuple[str, ...]:
    """The files that can be had of a study, in the order of FILES; none if it has no texts."""
    names = {table.name for table in offered_tables(source)}
    return tuple(file for file in FILES if file.partition(".")[0] in names)


def offered_tables(source: Source) -> list[Table]:
    """The tables that can be had of a study, each with the formats of its files."""
    if not source.has_texts:
        return []
    return [table for table in tables_of(source) if _has(source, table)]


def _has(source: Source, table: Table) -> bool:
    try:
        table.check(source)
    except CannotExport:
        return False
    return True


def download_name(source: Source, name: str) -> str:
    """What a file of the export is called where it leaves its manifest behind: it names its run."""
    from_run = TABLES[name.partition(".")[0]].from_run
    return named(source.study, name, run=source.run if from_run else None)


def named(study: Study, name: str, *, run: AnalysisRun | None) -> str:
    """The name of a downloaded file: study, version, the run that it comes from, and the pool of
    raters that the run read where that is not people."""
    of_run = [f"run{run.pk}"] if run else []
    if run and run.pool != PEOPLE:
        of_run.append(_NOT_IN_NAMES.sub("_", run.pool))
    return "-".join((study.slug, f"v{study.version}", *of_run, name))


def encoder(table: Table, ending: str, source: Source) -> Encoder:
    if ending == "txt":
        return Lines()
    return Csv(table.columns(source)) if ending == "csv" else JsonLines()


def rows_of(table: Table, ending: str, rows: list[Row]) -> list[Row]:
    """The rows as the file of this ending has them."""
    return [flat for row in rows for flat in table.spread(row)] if ending == "csv" else rows
