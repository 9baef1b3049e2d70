"""First number of the citations and ranks of an upload: 0 or 1."""

from collections.abc import Collection, Iterable

from django.db import transaction

from annotation.corpora.rows import CountedFrom
from annotation.corpora.schema import RowKind, fields_of
from annotation.corpora.uploads.gathering import opened_again
from annotation.models import CorpusUpload, UploadedFile


def may_count_from_one(file: UploadedFile) -> bool:
    """Return whether its texts cite by numbers, and nothing says yet from where they count."""
    mapping = file.mapping
    fields = {*mapping.get("columns", {}), *mapping.get("fixed", {})} or {*file.look["names"]}
    return _cites_by_numbers(file) and "citations_from" not in fields


def _cites_by_numbers(file: UploadedFile) -> bool:
    return (file.mapping.get("kind") or file.look["kind"]) in (RowKind.TABLE, RowKind.RESPONSES)


def is_counted(file: UploadedFile) -> bool:
    """Return whether a check found citations from 1, and no start was chosen."""
    return bool(file.mapping.get("is_counted"))


def count_from_one(*, upload: CorpusUpload) -> None:
    """Set the citations of all undeclared texts to count from 1. Raises `not_now`."""
    with transaction.atomic():
        for file in filter(may_count_from_one, opened_again(upload).files.all()):
            _say(file, CountedFrom.ONE)


def count_from_zero(*, upload: CorpusUpload) -> None:
    """Say of the texts that a check has counted from 1 that they count from 0. Raises `not_now`."""
    with transaction.atomic():
        for file in filter(is_counted, opened_again(upload).files.all()):
            _say(file, CountedFrom.ZERO)


def count_as_found(upload: CorpusUpload) -> bool:
    """Count the texts from 1 because a check has found that they do; whether anything changed.

    Only where nothing is said of any file with such texts. For the job that checks: an upload that
    is being checked is changed by nobody else.
    """
    files = list(filter(_cites_by_numbers, upload.files.all()))
    if not files or not all(map(may_count_from_one, files)):
        return False
    with transaction.atomic():
        for file in files:
            _say(file, CountedFrom.ONE, is_found=True)
    return True


def rank_as_found(upload: CorpusUpload, names: Collection[str]) -> bool:
    """Raise the ranks of these files by one because a check found a rank 0.

    Returns whether anything changed. For the job that checks, as above.
    """
    files = [
        file
        for file in upload.files.all()
        if file.name in names and "ranks_from" not in file.mapping.get("fixed", {})
    ]
    with transaction.atomic():
        for file in files:
            _say(file, CountedFrom.ZERO, field="ranks_from")
    return bool(files)


def ranked_from_zero(files: Iterable[UploadedFile]) -> list[UploadedFile]:
    """Return the files whose ranks begin at 0 and are raised by one."""
    return [
        file
        for file in files
        if file.mapping.get("fixed", {}).get("ranks_from") == CountedFrom.ZERO.value
    ]


def first_cited(files: Iterable[UploadedFile]) -> str:
    """Return the number of the first passage in citations, "0" or "1"; empty if it differs."""
    numbers = {
        "" if "citations_from" in file.mapping.get("columns", {}) and not _is_late(file) else number
        for file in files
        if _cites_by_numbers(file)
        for number in [file.mapping.get("fixed", {}).get("citations_from", CountedFrom.ZERO.value)]
    }
    return numbers.pop() if len(numbers) == 1 else ""


def _is_late(file: UploadedFile) -> bool:
    """Return whether the column would only be read if a later row had it."""
    return file.mapping["columns"]["citations_from"] not in file.look["names"]


def _say(
    file: UploadedFile,
    first: CountedFrom,
    *,
    field: str = "citations_from",
    is_found: bool = False,
) -> None:
    kind = RowKind(file.mapping.get("kind") or file.look["kind"])
    # A later row may have a field of ours that the first ones lack.
    ours = {name: name for name in fields_of(kind) if name != field}
    mapping = {"kind": kind.value, "columns": ours, "numbered": [], **file.mapping}
    file.mapping = mapping | {"fixed": {**mapping.get("fixed", {}), field: first.value}}
    if field == "citations_from":
        file.mapping["is_counted"] = is_found
    file.save(update_fields=["mapping"])
