"""Many values as one parameter of a query, which is quicker to write than thousands of them."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Func, JSONField, TextField, Value


class TextSet(Func):
    """Texts that a database looks up in a column: `filter(pseudonym__in=Among(names))`."""

    output_field = TextField()

    def __init__(self, values: Iterable[str]) -> None:
        super().__init__(Value(list(values), JSONField()))

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, Any]:  # type: ignore[override]
        (values,) = self.source_expressions
        sql, of_values = compiler.compile(values)
        if connection.vendor == "postgresql":
            return f"(SELECT jsonb_array_elements_text({sql}))", of_values
        return f"(SELECT value FROM json_each({sql}))", of_values
