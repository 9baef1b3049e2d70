"""Writes docs/study-settings.md: `.venv/bin/python -m docs.study_settings`."""

import os
import re
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import django

PAGE = Path(__file__).parent / "study-settings.md"
HEAD = """# Settings of a study

Every setting of the JSON document of a study, outside its methods. \
`schema.py` and `screening_schema.py` in `annotation/studies/drafts` declare them, and \
`.venv/bin/python -m docs.study_settings` writes this page from it.

*Path* is the place in the document, also for changes by the [API](api.md). \
*Column* is the field of the launched study. Launched studies are \
frozen; only the marked settings may still change. \
`{check}` is `attention`, `gold`, `fast`, `same` or `copied`.

| Setting | Path | Type | Default | Column | Help |
|---|---|---|---|---|---|
"""
OTHER_POLICIES = tuple(f"quality/policies/{check}/" for check in ("gold", "fast", "same", "copied"))
TYPES = {str: "text", int: "integer", bool: "true or false", Decimal: "amount", date: "day"}


def page() -> str:
    """Return the page with a row for each setting."""
    from annotation.models import Study
    from annotation.studies.drafts.schema import SETTINGS, Document

    document = Document(kind="judging")
    rows = [_row(setting, document, Study.MUTABLE) for setting in SETTINGS.values()]
    return HEAD + "".join(row for row in rows if row)


def _row(setting: Any, document: Any, mutable: frozenset[str]) -> str:
    from annotation.console.builder.setting_fields import setting_field
    from annotation.studies.drafts.setting import value_type

    kind = value_type(setting.type)
    path = re.sub("^quality/policies/attention/", "quality/policies/{check}/", setting.path)
    is_literal = get_origin(kind) is Literal
    if not (is_literal or kind in TYPES) or path.startswith(OTHER_POLICIES):
        return ""
    field = setting_field(setting.path, document)
    choices = get_args(kind) if is_literal else ()
    column = f"`{setting.column}`" if setting.column else ""
    cells = [
        field.label,
        f"`{path}`",
        ", ".join(f"`{choice}`" for choice in choices) or TYPES[kind] + _limits(setting),
        _default(setting.default),
        column + (", may change after launch" if setting.column in mutable else ""),
        field.help,
    ]
    return f"| {' | '.join(cells)} |\n"


def _default(value: Any) -> str:
    if value is None:
        return "none"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`" if value != "" else ""


def _limits(setting: Any) -> str:
    """Return the declared limits in words."""
    if setting.max_length is not None:
        return f", at most {setting.max_length} characters"
    if setting.maximum is not None:
        return f", {setting.minimum} to {setting.maximum}"
    return "" if setting.minimum is None else f", at least {setting.minimum}"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    PAGE.write_text(page())
