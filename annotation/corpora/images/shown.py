"""Images of a corpus on a page: found by the addresses in texts, and sent."""

from collections.abc import Callable
from functools import cached_property

from django.http import Http404, HttpResponse

from annotation.models import CorpusImage
from annotation.texts.markdown import ShownImage
from annotation.texts.markdown.images import EMBEDDED, name_of

KEPT_BY_BROWSERS = "private, max-age=31536000, immutable"  # an address names its bytes


class CorpusImages:
    """The images of a corpus, at addresses of the page that shows them."""

    def __init__(self, corpus: int, address: Callable[[str], str]) -> None:
        self._corpus = corpus
        self._address = address

    def find(self, source: str) -> ShownImage | None:
        """Return the image that a text means by this address, or None."""
        is_embedded = source.startswith(EMBEDDED)
        name = source.removeprefix(EMBEDDED)
        digest = name if is_embedded else self._by_name.get(name_of(source), "")
        size = self._sizes.get(digest)
        return ShownImage(self._address(digest), *size) if size else None

    @cached_property
    def _rows(self) -> list[tuple[str, list[str], int, int]]:
        rows = CorpusImage.objects.filter(corpus=self._corpus)
        return list(rows.values_list("digest", "names", "width", "height"))

    @cached_property
    def _by_name(self) -> dict[str, str]:
        return {name: digest for digest, names, *_ in self._rows for name in names}

    @cached_property
    def _sizes(self) -> dict[str, tuple[int, int]]:
        return {digest: (width, height) for digest, _, width, height in self._rows}


def image_response(corpus: int, digest: str) -> HttpResponse:
    """Return an image of a corpus, for a browser to keep. Raises Http404."""
    image = CorpusImage.objects.filter(corpus=corpus, digest=digest).first()
    if image is None:
        raise Http404("Image not found.")
    return HttpResponse(
        bytes(image.content),
        content_type=image.media_type,
        headers={"Cache-Control": KEPT_BY_BROWSERS, "X-Content-Type-Options": "nosniff"},
    )
