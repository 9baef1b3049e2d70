"""Texts on the researcher's pages, as their study shows them or as they are written."""

from django.http import HttpRequest
from django.urls import reverse

from annotation.corpora.shown_texts import ShownTexts
from annotation.models import Corpus, Study
from annotation.texts.markdown import PREFORMATTED


def texts_of(
    of: Study | Corpus, request: HttpRequest | None = None, *, rendering: str = ""
) -> ShownTexts:
    """Return the texts of a study or corpus; with `?raw=1` every character as it is written.

    `rendering` is that of a draft, which is no study yet.
    """
    is_raw = request is not None and request.GET.get("raw") == "1"

    def address(digest: str) -> str:
        if isinstance(of, Study):
            return reverse("study_image", args=[of.slug, of.version, digest])
        return reverse("corpus_image", args=[of.slug, digest])

    return ShownTexts(of, address, rendering=PREFORMATTED if is_raw else rendering)
