"""Image files of an upload, beside its files of rows: kept in its folder by name until the import.

They are no files of rows, so the page shows their number and not one line each.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from annotation.corpora.images.encoding import MAX_BYTES
from annotation.corpora.uploads.unpacking import Arrived
from annotation.models import CorpusUpload

FOLDER, NAMES = "images", "names.json"


def keep_images(upload: CorpusUpload, files: Iterable[Arrived]) -> None:
    """Keep image files; one of the same name is replaced. The caller has locked the upload."""
    folder = _folder(upload)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    names = _names(upload)
    for file in files:
        number = names.setdefault(file.name, len(names))
        file.path.replace(folder / str(number))
    (folder / NAMES).write_text(json.dumps(names))


def image_sizes(upload: CorpusUpload) -> dict[str, int]:
    """Return the size in bytes of each image file."""
    folder = _folder(upload)
    return {name: (folder / str(number)).stat().st_size for name, number in _names(upload).items()}


def image_files(upload: CorpusUpload) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each image file; of one that is too large its beginning."""
    for name, number in _names(upload).items():
        with (_folder(upload) / str(number)).open("rb") as stream:
            yield name, stream.read(MAX_BYTES + 1)


def _folder(upload: CorpusUpload) -> Path:
    return upload.folder / FOLDER


def _names(upload: CorpusUpload) -> dict[str, int]:
    path = _folder(upload) / NAMES
    names: dict[str, int] = json.loads(path.read_text()) if path.exists() else {}
    return names
