"""An imported study made larger where it stands: its rows several times, under other keys.

What is said once of a study stays: the study, its batch, its questions. Everything else is there
once more: topics with their texts, workers, questionnaires, work, answers, money. To import so much
takes many times as long.
"""

from typing import Any

ONCE = {
    *("Team", "Membership", "Study", "Batch", "Corpus", "Keeping"),
    *("Instrument", "Criterion", "Scale", "Question", "Prompt"),
}
OURS = ("annotation", "judging")


def enlarge(times: int) -> None:
    """Enlarge the study. Raises the database's error; then nothing has changed."""
    from django.apps import apps
    from django.core.management.color import no_style
    from django.db import connection, transaction

    models = [
        model
        for label in OURS
        for model in apps.get_app_config(label).get_models(include_auto_created=True)
        if model.__name__ not in ONCE and model._meta.managed and not model._meta.proxy
    ]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # all rows are there in time
        step = _largest(cursor, models) + 1
        for model in models:
            if model._base_manager.exists():
                for copy in range(1, times):
                    cursor.execute(_copying(model, set(models), copy, step))
        for sql in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(sql)
    with connection.cursor() as cursor:
        # What autovacuum would have done by the time that somebody looks, also after insertions.
        cursor.execute("VACUUM ANALYZE")


def _largest(cursor: Any, models: list[Any]) -> int:
    """Return the largest id or number of all models."""
    found = 0
    for model in models:
        names = [field.column for field in model._meta.concrete_fields if _is_number(field)]
        largest = ", ".join(f'max("{name}")' for name in names)
        cursor.execute(f'SELECT {largest} FROM "{model._meta.db_table}"')
        found = max([found, *(int(each) for each in cursor.fetchone() if each is not None)])
    return found


def _is_number(field: Any) -> bool:
    return field.primary_key or field.name in ("number", "position")


def _copying(model: Any, copied: set[Any], copy: int, step: int) -> str:
    """Return SQL that copies the original rows; `step` exceeds all of their ids."""
    fields = model._meta.concrete_fields
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(_value(field, model, copied, copy, copy * step) for field in fields)
    last = f'WHERE "{model._meta.pk.column}" < {step}'
    table = model._meta.db_table
    return f'INSERT INTO "{table}" ({columns}) SELECT {values} FROM "{table}" {last}'


def _value(field: Any, model: Any, copied: set[Any], copy: int, step: int) -> str:
    """Return SQL for a column of a copy: shifted ids, numbered keys."""
    column = f'"{field.column}"'
    if field.primary_key or field.related_model in copied:
        return f"{column} + {step}"
    if model.__name__ == "Item" and field.name == "key":  # of two responses
        return f"replace({column}, '|', '-{copy}|') || '-{copy}'"
    if model.__name__ == "Judgment" and field.name == "value":  # of a response, or a code
        return f"CASE WHEN length({column}) > 8 THEN {column} || '-{copy}' ELSE {column} END"
    if not _is_unique(field, model, copied):
        return column
    if field.get_internal_type() in ("CharField", "TextField", "SlugField"):
        most = (field.max_length or 10**6) - 2
        return f"CASE {column} WHEN '' THEN '' ELSE left({column}, {most}) || '-{copy}' END"
    return f"{column} + {step}"


def _is_unique(field: Any, model: Any, copied: set[Any]) -> bool:
    """Whether the column distinguishes rows that the ids of other copies do not."""
    if field.related_model is not None:
        return False
    keys = [
        constraint.fields
        for constraint in model._meta.constraints
        if getattr(constraint, "fields", ())
    ]
    others = [
        names
        for names in keys
        if field.name in names
        and not any(model._meta.get_field(name).related_model in copied for name in names)
    ]
    return bool(field.unique or others)
