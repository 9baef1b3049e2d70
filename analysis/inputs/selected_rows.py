"""Rows of a stored table, selected by the database. Only reads.

The table of a large study is megabytes of JSON, of which the page of one text needs a row.
"""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from django.db.models import F, Func, JSONField, Value
from django.db.models.fields.json import KeyTransform

from analysis.models import AnalysisRun, Result


class SelectedRows(NamedTuple):
    """Rows of one step by column; missing values are None."""

    step: int
    question: str
    rows: list[dict[str, Any]]


class _Rows(Func):
    """The rows of a stored table that have one of some values in a column."""

    output_field = JSONField()

    def __init__(self, table: str, column: int, values: Collection[str]) -> None:
        super().__init__(F("data"), Value(list(values), JSONField()))
        self.table, self.column = table, column

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, Any]:  # type: ignore[override]
        (data, of_data), (values, of_values) = map(compiler.compile, self.source_expressions)
        if connection.vendor == "postgresql":
            # Lax paths would look for the values in the cells of a row, one by one.
            path = f'strict $."{self.table}"."rows"[*] ? (@[{self.column}] == $values[*])'
            sql = f"jsonb_path_query_array({data}, %s, jsonb_build_object('values', {values}))"
            return sql, (*of_data, path, *of_values)
        sql = (
            f"(SELECT json_group_array(json(each.value)) FROM json_each({data}, %s) AS each "
            f"WHERE json_extract(each.value, %s) IN (SELECT value FROM json_each({values})))"
        )
        rows, cell = f'$."{self.table}".rows', f"$[{self.column}]"
        return sql, (*of_data, rows, cell, *of_values)


def _columns_of(
    run: AnalysisRun, analysis: str, table: str, questions: Collection[str]
) -> dict[int, list[str]]:
    """Return the stored columns of a table by the id of its result."""
    results = Result.objects.filter(step__run=run, step__analysis=analysis, missing="")
    if questions:
        results = results.filter(step__question__in=questions)
    columns = KeyTransform("columns", KeyTransform(table, "data"))
    return {pk: names for pk, names in results.values_list("pk", columns) if names}


def selected_rows(
    run: AnalysisRun,
    analysis: str,
    table: str,
    *,
    column: str,
    values: Collection[str],
    questions: Collection[str] = (),
) -> Iterator[SelectedRows]:
    """Yield the rows of a table that have one of these values in this column, step by step.

    `questions` limits the steps. Nothing is yielded where the table has no such column.
    """
    stored = _columns_of(run, analysis, table, questions)
    for columns in {tuple(stored_columns) for stored_columns in stored.values()}:
        if column not in columns:
            continue
        same = [pk for pk, stored_columns in stored.items() if tuple(stored_columns) == columns]
        rows = _Rows(table, columns.index(column), values)
        results = Result.objects.filter(pk__in=same).order_by("step")
        for step, question, matches in results.values_list("step", "step__question", rows):
            rows_of = [dict(zip(columns, row, strict=True)) for row in matches]
            yield SelectedRows(step, question, rows_of)
