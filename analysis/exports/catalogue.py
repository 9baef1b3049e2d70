"""Catalogue of exported tables: their files, rows and columns, and the checks before them."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from analysis.exports import (
    assignments,
    authors,
    before_redo,
    codes,
    comments,
    decided,
    games,
    other_answers,
    participants,
    passages,
    processes,
    ragelo,
    relevance,
    texts,
    utterances,
)
from analysis.exports import votes_and_labels as export_rows
from analysis.exports.encodings import CsvEncoder, Encoder, JsonLinesEncoder, LinesEncoder, Row
from analysis.exports.export_column import Columns, header
from analysis.exports.source import CannotExport, ExportSource
from analysis.inputs.settings import PEOPLE
from analysis.models import AnalysisRun
from annotation.models import Study
from annotation.texts.spreadsheets import EXCEL
from judging.models import Rater
from judging.raters.pools import Pool


class UnknownFile(CannotExport):
    def __init__(self, name: str) -> None:
        parts = (
            f"{table.prefix}NAME.{table.formats[0]}" for table in TABLES.values() if table.parts
        )
        super().__init__(
            "unknown_file",
            f"There is no export {name!r}. Available: {', '.join((*FILES, *parts))}.",
        )


def no_rows(study: Study, name: str) -> CannotExport:
    """Return the error of a file without rows, which is not written."""
    return CannotExport("no_rows", f"{name} of study {study.slug} has no rows.")


def anything(source: ExportSource) -> None:
    """Accept every study: all have responses."""


def judges(source: ExportSource) -> None:
    """Raise CannotExport (no_items) if nobody is asked to judge anything."""
    if not source.slots:
        raise CannotExport(
            "no_items",
            f"Study {source.study.slug} has no items to judge.",
        )


def voted(source: ExportSource) -> None:
    """Raise CannotExport (no_items), or (no_votes) if no work that counts has an answer."""
    judges(source)
    if not Pool().judgments(study=source.study).exists():
        raise CannotExport("no_votes", f"Study {source.study.slug} has no votes yet.")


def written(source: ExportSource) -> None:
    """Raise CannotExport (no_writing_tasks) if it is no writing study."""
    if source.study.kind != Study.Kind.WRITING:
        raise CannotExport(
            "no_writing_tasks",
            f"Study {source.study.slug} has no writing tasks.",
        )


def labelled(source: ExportSource) -> None:
    """Raise CannotExport (no_items, no_labels) if only the crowd has answered."""
    judges(source)
    if not has_labels(source.study):
        raise CannotExport(
            "no_labels",
            f"Study {source.study.slug} has no labels by experts or models: export its votes.",
        )


def has_labels(study: Study) -> bool:
    """Return whether raters other than the crowd have answered."""
    others = Rater.objects.exclude(kind=Rater.Kind.CROWD)
    return others.filter(judgments__item__study=study).exists()


def rated(source: ExportSource) -> None:
    """Raise CannotExport (no_items, not_analysed, no_ratings) if there are no ratings."""
    judges(source)
    if source.finished and not source.rated:
        raise CannotExport(
            "no_ratings",
            f"Study {source.study.slug} has no ratings: no question about whole items has "
            f"options or "
            "numbers. Export its votes.",
        )


def gold_labelled(source: ExportSource) -> None:
    """Raise CannotExport (no_items, not_analysed, no_gold_labels) if there are no gold labels."""
    judges(source)
    if source.finished and not source.chosen:
        raise CannotExport(
            "no_gold_labels",
            f"Study {source.study.slug} has no gold labels: no question about whole items has "
            "options. Export its votes.",
        )


def graded(source: ExportSource) -> None:
    """Raise CannotExport (no_items, not_analysed, no_grades) if there are no grades."""
    judges(source)
    steps = source.finished.steps.filter(analysis="grades")
    reasons = list(steps.order_by("pk").values_list("result__missing", flat=True))
    if all(reasons):  # of some questions there may be grades, of others a sentence
        raise CannotExport(
            "no_grades",
            " ".join(dict.fromkeys(reasons))
            or f"Study {source.study.slug} compares no pairs, so it has no grades.",
        )


def in_sections(source: ExportSource) -> None:
    """Raise CannotExport (no_section_questions) if no question is about parts of summaries."""
    if not texts.have_parts(source):
        raise CannotExport(
            "no_section_questions",
            f"Study {source.study.slug} has no questions about parts of summaries.",
        )


def as_it_is(row: Row) -> Iterator[Row]:
    yield row


@dataclass(frozen=True)
class Table:
    """Table of an export.

    `check` raises CannotExport; `spread` turns a row of the JSONL into rows of the CSV. A table
    with `parts` has a file for each; `rows` then takes the part as well.
    """

    name: str
    title: str
    rows: Callable[..., Iterator[Any]]
    columns: Columns
    formats: tuple[str, ...] = ("jsonl.gz", "csv")
    check: Callable[[ExportSource], None] = anything
    spread: Callable[[Row], Iterator[Row]] = as_it_is
    parts: Callable[[ExportSource], Mapping[str, str]] | None = None
    prefix: str = ""  # of the names of its parts

    @property
    def downloaded(self) -> tuple[str, ...]:
        """Formats of single downloads: those of a bundle, and the CSV for Excel."""
        return (*self.formats, EXCEL) if "csv" in self.formats else self.formats

    @property
    def from_run(self) -> bool:
        """True if the table depends on a run."""
        return self.check in (
            voted, rated, gold_labelled, graded, passages.for_trec, relevance.on_passages,
            games.played,
        )  # fmt: skip


TABLES = {
    table.name: table
    for table in (
        Table(
            "responses", "Responses: judged or written texts",
            texts.responses, texts.RESPONSES,
        ),
        Table(
            "tasks", "Tasks: writers of approved texts and their form answers",
            texts.tasks, texts.TASKS, check=written,
        ),
        Table(
            "model_texts", "Texts of LLM authors: prompt, model, cost and errors",
            authors.calls, authors.COLUMNS, check=authors.authored, spread=authors.in_cells,
        ),
        Table(
            "processes", "Processes: measures and flags of how texts were written",
            processes.processes, processes.PROCESSES, check=written, spread=processes.in_cells,
        ),
        Table(
            "ratings", "Ratings: votes and gold labels of each item",
            export_rows.ratings, export_rows.RATINGS,
            check=rated, spread=export_rows.spread,
        ),
        Table(
            "gold", "Gold labels: answer to each question about each item",
            export_rows.gold, export_rows.GOLD,
            formats=("csv",), check=gold_labelled,
        ),
        Table(
            "grades", "Grades: rank of each response within its topic",
            export_rows.grades, export_rows.GRADES,
            check=graded,
        ),
        Table(
            "votes", "Votes: all judgments as given",
            export_rows.votes, export_rows.VOTES, check=voted,
        ),
        Table(
            "votes_before_redo", "Votes before changes: answers as first submitted",
            before_redo.votes_before, before_redo.COLUMNS, check=before_redo.were,
        ),
        Table(
            "other_answers", "Other answers: unfinished or rejected submissions and check pages",
            other_answers.other_answers, other_answers.OTHER_ANSWERS,
            check=other_answers.answered_otherwise,
        ),
        Table(
            "decided_pairs", "Decided pairs: pairs with an empty answer, not shown to participants",
            decided.decided_pairs, decided.DECIDED_PAIRS, check=decided.decided,
        ),
        Table(
            "comments", "Comments: by participants on pages, as reasons and in forms",
            comments.comments, comments.COMMENTS, check=comments.commented,
        ),
        Table(
            "codes", "Codes: comments of closed codings, by coder and reconciled",
            codes.codes, codes.CODES, check=codes.coded,
        ),
        Table(
            "utterances", "Utterances: recorded sessions, with pages and codes",
            utterances.utterances, utterances.UTTERANCES, check=utterances.spoken,
        ),
        Table(
            "written_texts", "All texts: including unfinished and rejected ones",
            other_answers.written_texts, other_answers.WRITTEN_TEXTS, check=other_answers.begun,
        ),
        Table(
            "participants", "Participants: work, pay and screening of each participant",
            participants.participants, participants.PARTICIPANTS,
            check=assignments.took_part,
        ),
        Table(
            "assignments", "Assignments: times, state, decision, pay and forms, including "
            "unfinished ones",
            assignments.assignments, assignments.ASSIGNMENTS,
            check=assignments.took_part,
        ),
        Table(
            "labels", "Labels: answers of all raters, including experts and models",
            export_rows.labels, export_rows.LABELS, check=labelled,
        ),
        Table(
            "pairwise_answers_evaluations", "RAGElo: votes on two systems as games",
            games.games, games.COLUMNS, formats=("csv",), check=games.played,
        ),
        Table(
            "ragelo_results", "RAGElo 0.7: votes on two systems as evaluations",
            games.results, games.RESULTS, formats=("jsonl",), check=games.played,
        ),
        Table(
            "ragelo", "RAGElo 0.7: topics, passages and answers of systems as an experiment",
            ragelo.experiment, ragelo.EXPERIMENT, formats=("json",), check=ragelo.answered,
        ),
        Table(
            "ragelo_queries", "RAGElo: topics answered by systems",
            ragelo.queries, ragelo.QUERIES, formats=("csv",), check=ragelo.answered,
        ),
        Table(
            "ragelo_documents", "RAGElo: passages of these topics",
            ragelo.documents, ragelo.DOCUMENTS, formats=("csv",), check=ragelo.answered,
        ),
        Table(
            "ragelo_answers", "RAGElo: answers of the systems",
            ragelo.answers, ragelo.ANSWERS, formats=("csv",), check=ragelo.answered,
        ),
        Table(
            "rubric_bank", "Rubric: nugget bank of each topic",
            passages.banks, passages.BANK, formats=("jsonl.gz",), check=passages.on_points,
        ),
        Table(
            "rubric_passages", "Rubric: graded passages with the grades of all raters",
            passages.paragraphs, passages.PARAGRAPHS,
            formats=("jsonl.gz",), check=passages.on_points,
        ),
        Table(
            "summaries", "SGSS: structured summaries with their parts",
            texts.summaries, texts.SUMMARIES, formats=("jsonl.gz",), check=in_sections,
        ),
        *(
            Table(
                f"qrels_{by}", f"Qrels: grades of passages by {by}",
                rows, passages.QREL_LINES[by], formats=("txt",), check=passages.for_trec,
            )
            for by, rows in passages.QRELS.items()
        ),
        Table(
            "qrels", "Qrels: grades of passages",
            relevance.qrels, relevance.COLUMNS, formats=("txt",), check=relevance.on_passages,
        ),
        Table(
            "runs", "Runs: rankings of the systems, one file each",
            passages.run, passages.RUN, formats=("txt",), check=passages.ranked,
            parts=passages.run_files, prefix=passages.RUN_FILE,
        ),
    )
}  # fmt: skip
OF_PEOPLE = (
    assignments.took_part, other_answers.answered_otherwise, comments.commented,
    codes.coded, utterances.spoken, other_answers.begun, authors.authored,
)  # fmt: skip
OF_WRITING = (written, other_answers.begun, authors.authored)
ON_POINTS = (passages.on_points, passages.for_trec)
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._]")
# The files of a bundle; those of a table with parts have names of their own in each study.
FILES = tuple(
    f"{table.name}.{ending}"
    for table in TABLES.values()
    if table.parts is None
    for ending in table.formats
)


@dataclass(frozen=True)
class File:
    """File of a table, or of one of its parts."""

    table: Table
    stem: str
    ending: str
    part: str | None = None

    @property
    def name(self) -> str:
        return f"{self.stem}.{self.ending}"

    def rows(self, source: ExportSource) -> Iterator[Any]:
        """Yield the rows of the table, or of the part, before they are spread."""
        return self.table.rows(source) if self.part is None else self.table.rows(source, self.part)

    def encoder(self, source: ExportSource) -> Encoder:
        if self.ending in ("txt", "jsonl", "json"):
            return LinesEncoder()
        if self.ending == "jsonl.gz":
            return JsonLinesEncoder()
        return CsvEncoder(header(self.table.columns, source), excel=self.ending == EXCEL)

    def spread(self, rows: list[Row]) -> list[Row]:
        """Return the rows in the form of this file."""
        if self.ending in ("csv", EXCEL) and self.table.spread is not as_it_is:
            return [flat for row in rows for flat in self.table.spread(row)]
        return rows


def files_of(source: ExportSource, table: Table) -> list[File]:
    """Return the files of a table in a bundle."""
    parts: Mapping[str, str | None]
    parts = {table.name: None} if table.parts is None else {**table.parts(source)}
    return [
        File(table, stem, ending, part) for stem, part in parts.items() for ending in table.formats
    ]


def file_named(source: ExportSource, name: str) -> File:
    """Return the file of this name. Raises UnknownFile, or what the check of its table raises."""
    stem, _, ending = name.partition(".")
    table = TABLES.get(stem)
    if table is not None and table.parts is None and ending in table.downloaded:
        table.check(source)
        return File(table, stem, ending)
    for table in TABLES.values():
        if table.parts is not None and name.startswith(table.prefix):
            table.check(source)
            for file in files_of(source, table):
                if file.name == name:
                    return file
    raise UnknownFile(name)


def tables_of(source: ExportSource) -> list[Table]:
    """Return the tables that a study of this kind can have."""
    of_writing = source.study.kind == Study.Kind.WRITING
    return [
        table
        for table in TABLES.values()
        if table.check in (anything, assignments.took_part)
        or (table.check in OF_WRITING) == of_writing
        if table.check not in OF_PEOPLE or _has(source, table)
        if table.check is not labelled or has_labels(source.study)
        if table.check is not before_redo.were or before_redo.kept_of(source.study).exists()
        if table.check is not decided.decided or decided.decided_of(source.study)
        if table.check not in ON_POINTS or passages.is_on_points(source)
        if table.check is not relevance.on_passages or relevance.is_on_passages(source)
        if table.check is not passages.ranked
        or passages.is_on_points(source)
        or relevance.is_on_passages(source)
        if table.check is not games.played or games.have_systems(source.study)
        if table.check is not ragelo.answered or ragelo.have_answers(source.study)
        if table.check is not in_sections or texts.have_parts(source)
    ]


def offered(source: ExportSource) -> tuple[str, ...]:
    """Return the names of the files that a study has, without those for Excel."""
    return tuple(file.name for table in offered_tables(source) for file in files_of(source, table))


def offered_tables(source: ExportSource) -> list[Table]:
    """Return the tables that a study has; without texts those of its people."""
    tables = tables_of(source)
    if not source.has_texts:
        tables = [table for table in tables if table.check in OF_PEOPLE]
    return [table for table in tables if _has(source, table)]


def _has(source: ExportSource, table: Table) -> bool:
    try:
        table.check(source)
    except CannotExport:
        return False
    return True


def download_name(source: ExportSource, file: File) -> str:
    """Return the name of a single download, which names its run."""
    return named(source.study, file.name, run=source.run if file.table.from_run else None)


def named(study: Study, name: str, *, run: AnalysisRun | None) -> str:
    """Return a file name with the study, its version, the run, and its pool if not people."""
    of_run = [f"run{run.pk}"] if run else []
    if run and run.pool != PEOPLE:
        of_run.append(_NOT_IN_NAMES.sub("_", run.pool))
    return "-".join((study.slug, f"v{study.version}", *of_run, name))
