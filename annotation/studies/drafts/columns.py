"""The settings of a document as columns of the model Study, and back."""

from collections.abc import Callable
from typing import Any

from annotation.models import Study
from annotation.studies.drafts import paths
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.schema import SETTINGS, Policies, Policy
from annotation.studies.drafts.screening_schema import Screening

PATHS = {setting.column: setting.path for setting in SETTINGS.values() if setting.column}


def columns_of(document: Any) -> dict[str, Any]:
    """Return the columns of a study that a document sets, besides those of its instruments."""
    values = {column: SETTINGS[path].value_in(document) for column, path in PATHS.items()}
    return {
        column: STORED[column](value) if column in STORED else value
        for column, value in values.items()
    }


def put_columns(data: Any, study: Study) -> None:
    """Write the columns of a study into a document in plain data."""
    for column, path in PATHS.items():
        value = getattr(study, column)
        paths.put(data, path, plain(READ[column](value) if column in READ else value))


def _stored_policies(policies: Policies) -> dict[str, Any]:
    """Return the policies that differ from the default."""
    default = plain(Policy())
    return {name: policy for name, policy in plain(policies).items() if policy != default}


# Columns of JSON that leave out what is as by default.
STORED: dict[str, Callable[[Any], Any]] = {
    "policies": _stored_policies,
    "presentation": lambda one_page: Study.ONE_PAGE if one_page else {},
    "screening": lambda screening: {} if screening == Screening() else plain(screening),
}
READ: dict[str, Callable[[Any], Any]] = {
    "policies": lambda policies: plain(Policies()) | policies,
    "presentation": lambda presentation: presentation.get("instruments") == "one_page",
    "screening": lambda screening: plain(Screening()) | screening,
}
