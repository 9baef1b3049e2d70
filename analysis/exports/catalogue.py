"""Every export that is offered: its files, its rows, its columns, and when there is none."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from analysis.exports import rows as export_rows
from analysis.exports.encodings import Csv, Encoder, JsonLines, Row
from analysis.exports.sources import CannotExport, Source
from analysis.models import AnalysisRun
from annotation.models import Study


class NothingRated(CannotExport):
    def __init__(self, study: Study) -> None:
        super().__init__(
            f"Study {study.slug} asks no question about whole items with answers to choose from, "
            "so it has neither ratings nor gold labels: see its votes."
        )


class NothingGraded(CannotExport):
    def __init__(self, study: Study, reasons: list[str]) -> None:
        super().__init__(
            " ".join(reasons) or f"Study {study.slug} compares no pairs, so it has no grades."
        )


class UnknownFile(CannotExport):
    def __init__(self, name: str) -> None:
        super().__init__(f"There is no export {name!r}; there are {', '.join(FILES)}.")


def anything(source: Source) -> None:
    """Responses and votes can be had of every study."""


def rated(source: Source) -> None:
    """Raise NotAnalysed or NothingRated if there are no ratings."""
    if source.finished and not source.rated:
        raise NothingRated(source.study)


def graded(source: Source) -> None:
    """Raise NotAnalysed or NothingGraded if there are no grades."""
    steps = source.finished.steps.filter(analysis="grades")
    said = list(steps.order_by("pk").values_list("result__missing", flat=True))
    if all(said):  # of some questions there may be grades, of others a sentence
        raise NothingGraded(source.study, list(dict.fromkeys(said)))


def as_it_is(row: Row) -> Iterator[Row]:
    yield row


@dataclass(frozen=True)
class Table:
    """`check` raises CannotExport; `spread` makes the rows of the CSV from one of the JSONL."""

    name: str
    title: str
    rows: Callable[[Source], Iterator[Row]]
    columns: Callable[[Source], tuple[str, ...]]  # of the CSV
    formats: tuple[str, ...] = ("jsonl.gz", "csv")
    check: Callable[[Source], None] = anything
    spread: Callable[[Row], Iterator[Row]] = as_it_is

    @property
    def from_run(self) -> bool:
        """Whether it holds what a run found."""
        return self.check is not anything


TABLES = {
    table.name: table
    for table in (
        Table(
            "responses", "Responses: the texts that were judged",
            export_rows.responses, export_rows.response_columns,
        ),
        Table(
            "ratings", "Ratings: the votes on each item and its gold labels",
            export_rows.ratings, export_rows.rating_columns,
            check=rated, spread=export_rows.spread,
        ),
        Table(
            "gold", "Gold labels: the answer of each item to each question",
            export_rows.gold, export_rows.gold_columns,
            formats=("csv",), check=rated,
        ),
        Table(
            "grades", "Grades: the rank of each response within its topic",
            export_rows.grades, export_rows.grade_columns,
            check=graded,
        ),
        Table(
            "votes", "Votes: every judgment as it was given",
            export_rows.votes, export_rows.vote_columns,
        ),
    )
}  # fmt: skip
FILES = tuple(f"{table.name}.{ending}" for table in TABLES.values() for ending in table.formats)


def offered(source: Source) -> tuple[str, ...]:
    """The files that can be had of a study, in the order of FILES; none if it judges nothing."""
    if not source.slots:
        return ()
    names = {name for name, table in TABLES.items() if _has(source, table)}
    return tuple(file for file in FILES if file.partition(".")[0] in names)


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
    """The name of a downloaded file: study, version, and the run that it comes from."""
    return "-".join((study.slug, f"v{study.version}", *([f"run{run.pk}"] if run else []), name))


def encoder(table: Table, ending: str, source: Source) -> Encoder:
    return Csv(table.columns(source)) if ending == "csv" else JsonLines()


def rows_of(table: Table, ending: str, rows: list[Row]) -> list[Row]:
    """The rows as the file of this ending has them."""
    return [flat for row in rows for flat in table.spread(row)] if ending == "csv" else rows
