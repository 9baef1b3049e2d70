"""What a thing is called in files: a field of many sheets. Only reads."""

from django.utils.translation import gettext

from annotation.studies.drafts.editor_forms import Field


def export_name(path: str, value: str) -> Field:
    """Return the field of a name for columns and values of exports."""
    return Field(
        path,
        gettext("Name in exports"),
        value,
        shapes=True,
        help=gettext("What it is called in files; workers do not see it."),
    )
