"""A small corpus for somebody who begins: the texts of the demonstration."""

from pathlib import Path

from django.contrib.auth.models import User

import annotation
from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.importing import import_corpus
from annotation.corpora.uploads.gathering import free_slug
from annotation.models import Corpus
from annotation.people.access import visible_corpora

NAME = "Example corpus"
LICENCE = "CC0 1.0"
FOLDER = Path(annotation.__file__).parent / "demo"


def bring_example(*, owner: User) -> Corpus:
    """Return the example corpus visible to a user, or create one."""
    corpus = visible_corpora(owner).filter(name=NAME).order_by("pk").first()
    if corpus is not None:
        return corpus
    slug = free_slug("Example")
    files = [CorpusFile(path) for path in sorted(FOLDER.glob("*.jsonl"))]
    import_corpus(slug=slug, name=NAME, licence=LICENCE, files=files, owners=[owner], is_new=True)
    return Corpus.objects.get(slug=slug)
