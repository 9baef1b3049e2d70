"""Long lists of the console: their query in an address, filters, search, order and pages."""

from annotation.lists.query import (
    ListQuery,
    QueryParameter,
    page_of,
    parameter,
    parameters_in,
    parameters_of,
    search_words,
    with_query,
)
from annotation.lists.records import (
    BY_PERSON,
    ColumnHead,
    ListColumn,
    ListFilter,
    ListSelect,
    RecordList,
    Rows,
    by_number,
)

__all__ = [
    "BY_PERSON",
    "ColumnHead",
    "ListColumn",
    "ListFilter",
    "ListQuery",
    "ListSelect",
    "QueryParameter",
    "RecordList",
    "Rows",
    "by_number",
    "page_of",
    "parameter",
    "parameters_in",
    "parameters_of",
    "search_words",
    "with_query",
]
