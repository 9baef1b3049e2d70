"""Addresses of the images in texts, for the researcher's pages."""

from collections.abc import Callable

from django.urls import reverse

from annotation.models import Corpus, Study


def image_address(of: Study | Corpus) -> Callable[[str], str]:
    """Return the address of an image by its digest, on pages of a study or of a corpus."""
    if isinstance(of, Study):
        return lambda digest: reverse("study_image", args=[of.slug, of.version, digest])
    return lambda digest: reverse("corpus_image", args=[of.slug, digest])
