"""Texts of a corpus on a page: the same for participants, researchers and replay."""

from collections.abc import Callable

from django.utils.safestring import SafeString

from annotation.corpora.images.shown import CorpusImages
from annotation.models import Corpus, Study
from annotation.texts.markdown import MARKDOWN, PREFORMATTED, Cited, Link, rendered


class ShownTexts:
    """Texts as a study shows them, or as Markdown on pages of a corpus.

    `address` is that of an image by its digest on these pages.
    """

    def __init__(
        self, of: Study | Corpus, address: Callable[[str], str], *, rendering: str = ""
    ) -> None:
        self.is_raw = rendering == PREFORMATTED
        self.rendering = rendering or (of.rendering if isinstance(of, Study) else MARKDOWN)
        self._images = CorpusImages(of.corpus_id if isinstance(of, Study) else of.pk, address)

    def html(
        self, text: str, *, name: object = "", cited: Cited | None = None, link: Link | None = None
    ) -> SafeString:
        """Return safe HTML of a text; `name` is its own on the page. See `rendered`."""
        return rendered(
            text,
            rendering=self.rendering,
            images=self._images,
            cited=cited,
            link=link,
            name=str(name),
        )
