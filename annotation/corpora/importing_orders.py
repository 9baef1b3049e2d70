"""Import and delete official orders of the systems of a corpus."""

import gzip
import zlib
from pathlib import Path
from typing import Protocol

from django.db import transaction
from django.utils.translation import gettext

from annotation.corpora.formats.official_orders import (
    UnreadableOrder,
    direction_of,
    read_leaderboards,
)
from annotation.corpora.reading.encodings import decoded, encoding_of
from annotation.corpora.reading.source_rows import UnfitFile
from annotation.models import Corpus, OfficialOrder
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error

MOST_BYTES = 20_000_000  # of a file, unpacked
MOST_ORDERS = 20  # of a corpus
GZIP = b"\x1f\x8b"


class CannotImportOrder(Refusal):
    """A problem with a form field, and the possible choices for it."""

    status = 400

    def __init__(self, code: str, field: str, sentence: str, choices: tuple[str, ...] = ()) -> None:
        self.field, self.choices = field, choices
        super().__init__(code, sentence)


class Readable(Protocol):
    """An open file or an uploaded file."""

    def read(self, size: int, /) -> bytes: ...


def text_of(stream: Readable) -> str:
    """Return the text of a file, plain or gzip. Raises CannotImportOrder."""
    content = stream.read(MOST_BYTES + 1)
    if content.startswith(GZIP):
        content = _unpacked(content)
    if len(content) > MOST_BYTES:
        raise CannotImportOrder(
            "TooLarge",
            "file",
            gettext("The file exceeds the limit of {limit} MB.").format(
                limit=MOST_BYTES // 1_000_000
            ),
        )
    try:
        return decoded(content, encoding_of(content, is_whole=True).name)
    except UnfitFile as error:
        raise CannotImportOrder("Unreadable", "file", _of_file(error)) from error


def _unpacked(content: bytes) -> bytes:
    unpacking = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        return unpacking.decompress(content, MOST_BYTES + 1)
    except (zlib.error, gzip.BadGzipFile) as error:
        sentence = gettext("The gzip file is damaged.")
        raise CannotImportOrder("Unreadable", "file", sentence) from error


def _of_file(error: Exception) -> str:
    return gettext("The file {reason}.").format(reason=translated_error(error))


@transaction.atomic
def import_order(
    *,
    corpus: Corpus,
    text: str,
    file: str = "",
    name: str = "",
    measure: str = "",
    better: str = "",
) -> OfficialOrder:
    """Import an official order from a file, replacing one of the same name.

    `measure` is needed if the file has several. `better` is needed if neither name nor values show
    whether higher or lower is better. Raises CannotImportOrder.
    """
    chosen, values = _values(text, file, measure)
    better = better or direction_of(chosen, values.values())
    if better not in OfficialOrder.Better.values:
        raise CannotImportOrder(
            "WhichIsBetter",
            "better",
            gettext("Are higher or lower values better?"),
            tuple(OfficialOrder.Better.values),
        )
    stem = Path(file).name or gettext("Official order")
    title = " ".join(name.split()) or (f"{stem}: {chosen}" if chosen and file else stem)
    title = title.replace("\x00", "")[:200]
    orders = OfficialOrder.objects.filter(corpus=corpus)
    Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    if orders.exclude(name=title).count() >= MOST_ORDERS:
        raise CannotImportOrder(
            "TooMany",
            "name",
            gettext("A corpus can have up to {most} official orders. Delete one first.").format(
                most=MOST_ORDERS
            ),
        )
    order, _ = orders.update_or_create(
        corpus=corpus,
        name=title,
        defaults={"measure": chosen, "better": better, "values": values},
    )
    return order


def _values(text: str, file: str, measure: str) -> tuple[str, dict[str, float]]:
    """Return the name and values of the chosen measure. Raises CannotImportOrder."""
    if "\x00" in text:
        raise CannotImportOrder("Unreadable", "file", gettext("The file contains a NUL character."))
    try:
        boards = read_leaderboards(text, file=Path(file).stem).by_measure
    except UnreadableOrder as error:
        raise CannotImportOrder("Unreadable", "file", translated_error(error)) from error
    if measure and measure not in boards:
        raise CannotImportOrder(
            "NoSuchMeasure",
            "measure",
            gettext("The file doesn't have the measure {measure}.").format(measure=measure),
            tuple(boards),
        )
    if not measure and len(boards) > 1:
        raise CannotImportOrder(
            "WhichMeasure", "measure", gettext("Select a measure from the file."), tuple(boards)
        )
    chosen = measure or next(iter(boards))
    return chosen, boards[chosen]


def delete_order(*, corpus: Corpus, pk: int) -> None:
    """Delete an official order. Deleting it again is no error."""
    OfficialOrder.objects.filter(corpus=corpus, pk=pk).delete()
