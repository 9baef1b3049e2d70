"""How a consent text is edited. Only reads."""

from typing import Any

from django.utils.translation import gettext

from annotation.studies.creating import CONTACT
from annotation.studies.drafts.editor_forms import Field


def consent_field(at: str, one: dict[str, Any], *, help: str = "") -> Field:
    """Return the field of a consent text, with a note if the contact is filled in."""
    filled = gettext(
        "Workers do not read “[Researcher: …]”: what you say above, under “Name, institution and "
        "address”, stands in its place."
    )
    help_parts = (help, filled if CONTACT.search(one["consent"]) else "")
    return Field(
        f"{at}/consent",
        gettext("Consent"),
        one["consent"],
        "markdown",
        wide=True,
        screen="consent",
        help=" ".join(filter(None, help_parts)),
    )
