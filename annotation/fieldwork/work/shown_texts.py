"""Texts on the pages of a participant."""

from django.urls import reverse

from annotation.corpora.shown_texts import ShownTexts
from annotation.models import Assignment
from annotation.studies.creating import NO_ROW


def texts_for(assignment: Assignment) -> ShownTexts:
    """Return the texts of a study on the pages of an assignment.

    The pages of a preview are a researcher's: their images come from the corpus.
    """
    study = assignment.study

    def address(digest: str) -> str:
        if assignment.pk == NO_ROW:
            return reverse("corpus_image", args=[study.corpus.slug, digest])
        return reverse("image", args=[assignment.token, digest])

    return ShownTexts(study, address)
