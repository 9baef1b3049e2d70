"""Form fields for documents in view by their score."""

from typing import Any

from django.utils.translation import gettext

from annotation.studies.drafts.editor_forms import Field
from annotation.texts.sentences import marked

ANNOTATIONS = (
    ("hidden", marked("no")),
    ("shown", marked("yes, with reasons")),
)


def score_fields(where: str, said: dict[str, Any]) -> list[Field]:
    first = Field(
        f"{where}/documents_scored_at_least",
        gettext("Documents in view from this score on"),
        said["documents_scored_at_least"],
        "number",
        help=gettext(
            "Left empty, whatever their score. Otherwise those that another study gave this score "
            "or more; of these the best passages."
        ),
        shapes=True,
    )
    annotations = Field(
        f"{where}/documents_annotations",
        gettext("People read how others rated a document"),
        said["documents_annotations"],
        "choice",
        choices=tuple((value, gettext(words)) for value, words in ANNOTATIONS),
        help=gettext(
            "With their reasons, as they wrote them: read these before you show them. Models "
            "are told the same."
        ),
    )
    if said["documents_scored_at_least"] is None:
        return [first, annotations] if said["documents_annotations"] == "shown" else [first]
    return [
        first,
        Field(
            f"{where}/documents_scored_in",
            gettext("Study in which they were scored"),
            said["documents_scored_in"],
            help=gettext(
                "A closed study on the same corpus that asks for a score of passages, as in its "
                "address, with its version: my-study/1. Its scores are copied at the launch."
            ),
        ),
        Field(
            f"{where}/documents_scored_on",
            gettext("Question of that study"),
            said["documents_scored_on"],
            help=gettext("Its key. Left empty, the first that scores passages."),
        ),
        Field(
            f"{where}/documents_scored_by",
            gettext("Whose scores"),
            said["documents_scored_by"],
            help=gettext(
                "people, crowd, experts, models, or one rater by name. Several raters count by "
                "their mean, halves up."
            ),
            suggestions=("people", "crowd", "experts", "models"),
        ),
        annotations,
    ]
