"""Keep the files of an upload, and what is said of them, until all of them are checked."""

import re
import shutil
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext

from annotation import wiping
from annotation.corpora.reading.delimited import SEPARATORS
from annotation.corpora.reading.encodings import CODE_PAGES, UTF_8
from annotation.corpora.reading.headers import FOUND, NONE
from annotation.corpora.remedies import BadChoice, RemedyChoices
from annotation.corpora.resolving import FORMS, OPTIONAL
from annotation.corpora.rows import CitationsFrom, CountedFrom
from annotation.corpora.schema import OWN_KEYS, RowKind, fields_of
from annotation.corpora.uploads.first_rows import FileLook, look_at
from annotation.corpora.uploads.guesses import first_guess, guess
from annotation.corpora.uploads.image_files import image_sizes, keep_images
from annotation.corpora.uploads.questions import read_columns
from annotation.corpora.uploads.refusals import (
    name_taken,
    no_room,
    not_now,
    refusing_full_disk,
    upload_too_large,
)
from annotation.corpora.uploads.unpacking import Arrived, Unpacked, arrived_files
from annotation.models import Corpus, CorpusUpload, Origin, Style, UploadedFile
from annotation.people.access import visible_corpora
from annotation.texts.translation import translated, translated_error
from annotation.texts.untrusted import storable

State = CorpusUpload.State
MOST_FILES = 50
MOST_ORIGINS = 1_000  # systems of which it is said one by one
# Dropped with the texts of the Crowd RAG Corpus 2025, whose studies they belong to.
OF_STUDIES = re.compile(r"(ratings|grades|study2_\w+)\.jsonl(\.gz)?|study_[\w-]+\.json|README\.md")
ZERO, ONE, IDS, _ = CitationsFrom
# What may be chosen as the header: the number of a row, or none.
HEADERS = {"": FOUND, "none": NONE} | {str(number): number for number in range(1, 21)}
FIXED = {  # what a whole file may have in common
    "style": Style.values,
    "origin": Origin.values,
    "citations_from": [first.value for first in (ZERO, ONE, IDS)],
    "ranks_from": [start.value for start in CountedFrom],
}


def begin(
    *, owner: User, name: str = "", licence: str = "", corpus: Corpus | None = None
) -> CorpusUpload:
    """Create an empty upload for a new or an existing corpus. Raises ValidationError."""
    if corpus is not None:
        return CorpusUpload.objects.create(
            owner=owner, corpus=corpus, slug=corpus.slug, name=corpus.name
        )
    name = " ".join(name.split())
    upload = CorpusUpload(owner=owner, name=name, licence=licence.strip(), slug=free_slug(name))
    upload.clean_fields()
    if namesake := of_this_name(owner, name):
        raise ValidationError({"name": [name_taken(namesake.name)]})
    upload.save()
    return upload


def of_this_name(owner: User, name: str) -> Corpus | None:
    """Return a corpus of this name that the user can see, or None."""
    return visible_corpora(owner).filter(name__iexact=name).first()


def free_slug(name: str) -> str:
    """Return an unused slug for a corpus of this name."""
    stem = slugify(name)[:70] or "corpus"
    used_slugs = set(Corpus.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    slug, number = stem, 1
    while slug in used_slugs:
        number += 1
        slug = f"{stem}-{number}"
    return slug


def opened_again(upload: CorpusUpload, **fields: Any) -> CorpusUpload:
    """Return the upload, locked and open again, because its last check is outdated."""
    locked = CorpusUpload.objects.select_for_update().get(pk=upload.pk)
    if locked.state not in (State.OPEN, State.CHECKED):
        raise not_now(locked)
    for field, value in fields.items():
        setattr(locked, field, value)
    locked.state, locked.report, locked.problem = State.OPEN, {}, ""
    locked.save()
    return locked


def add_files(*, upload: CorpusUpload, files: list[TemporaryUploadedFile]) -> list[str]:
    """Keep files that have arrived on disk; one of the same name is replaced.

    Returns the names of those that were left out: they belong to published studies. Raises
    Refusal; then none of them is kept.
    """
    with refusing_full_disk():
        arrived = arrived_files(files)
        try:
            left_out = _add(upload, arrived)
        finally:
            arrived.remove()  # unpacked files that nobody keeps
    for sent in files:
        sent.close()  # which deletes what nobody keeps
    return left_out


def _add(upload: CorpusUpload, arrived: Unpacked) -> list[str]:
    """Keep the files of `add_files`; return the names of those that were left out."""
    left_out = [file.name for file in arrived.files if OF_STUDIES.fullmatch(file.name)]
    accepted = [file for file in arrived.files if file.name not in left_out]
    left_out += arrived.left_out
    with transaction.atomic():
        upload = opened_again(upload)
        stored_sizes = {file.name: file.size for file in upload.files.all()}
        sizes = stored_sizes | {_name(file): file.size for file in accepted}
        of_images = image_sizes(upload) | {file.name: file.size for file in arrived.images}
        total = sum(sizes.values()) + sum(of_images.values())
        if total > settings.UPLOAD_MOST_BYTES or len(sizes) > MOST_FILES:
            raise upload_too_large()
        upload.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if shutil.disk_usage(upload.folder).free < settings.UPLOAD_MOST_BYTES:
            raise no_room()
        for file in accepted:
            _keep(upload, file)
        if arrived.images:
            keep_images(upload, arrived.images)
    return left_out


def _keep(upload: CorpusUpload, file: Arrived) -> None:
    name = _name(file)
    before = upload.files.filter(name=name).first()
    look = FileLook(fault=translated(file.fault)) if file.fault else look_at(file.path, name)
    row, _ = UploadedFile.objects.update_or_create(
        upload=upload,
        name=name,
        defaults={"size": file.size, "look": look.as_json()},
    )
    is_said = before is not None and before.mapping != first_guess(before.look)
    if not (is_said and _still_fits(row)):
        UploadedFile.objects.filter(pk=row.pk).update(mapping=first_guess(row.look))
    file.path.replace(row.path)


def _name(file: Arrived) -> str:
    """Return a storable name that keeps the file's extension."""
    return storable(file.name)[-200:]


def _still_fits(row: UploadedFile) -> bool:
    """Return whether what was said of a file of this name holds for the one that replaced it."""
    columns = read_columns(row.mapping)
    return bool(columns) and set(columns) <= set(row.look["names"])


def remove_file(*, upload: CorpusUpload, pk: int) -> None:
    """Delete a file. Deleting it again is no error. Raises `not_now`."""
    with transaction.atomic():
        upload = opened_again(upload)
        for file in upload.files.filter(pk=pk):
            transaction.on_commit(partial(file.path.unlink, missing_ok=True))
            file.delete()
            wiping.mark_erasure()


def say_kind(*, upload: CorpusUpload, pk: int, kind: str) -> None:
    """Set what the rows of a file are, and propose columns. Raises `not_now`, ValidationError."""
    if kind not in list(RowKind):
        raise ValidationError(gettext("Choose what the rows contain."))
    with transaction.atomic():
        for file in opened_again(upload).files.filter(pk=pk):
            file.mapping = guess(file.look, RowKind(kind)) | {"is_chosen": True}
            file.save(update_fields=["mapping"])


def reopen(*, upload: CorpusUpload, pk: int, header: str = "", **chosen: str) -> None:
    """Read a file again with another encoding, separator, sheet or header. Raises `not_now`.

    `header` is the number of its row, "none" if the file has none, or nothing: as found.

    Raises ValidationError where the file cannot be read so; it stays as it was.
    """
    with transaction.atomic():
        for file in opened_again(upload).files.filter(pk=pk):
            now = (file.look.get("opening") or {}).get("encoding", "")
            if (
                chosen.get("encoding", "") not in ("", now, UTF_8, *CODE_PAGES)
                or (chosen.get("separator", "") not in ("", *SEPARATORS))
                or header not in HEADERS
            ):
                raise ValidationError(gettext("Choose how to read the file."))
            look = look_at(file.path, file.name, header=HEADERS[header], **chosen)
            if look.fault:
                raise ValidationError(f"{file.name} {look.fault}.")
            file.look = look.as_json()
            file.mapping = first_guess(file.look)
            file.save(update_fields=["look", "mapping"])


def map_columns(
    *,
    upload: CorpusUpload,
    pk: int,
    said: dict[str, str],
    systems: Collection[str] | None = None,
    keeps_twice: bool = False,
) -> None:
    """Say which column each of our fields is: "column:NAME", "all:VALUE", "number:" or nothing.

    A column that is said twice is refused, or kept and an open question of its file
    (detection.open_questions): on a page, the other choices must not be lost.
    Of a wide table `systems` are the columns that hold answers, by default all that seem to.
    Raises `not_now`, ValidationError.
    """
    with transaction.atomic():
        for file in opened_again(upload).files.filter(pk=pk):
            kind = file.mapping.get("kind") or file.look["kind"]
            if kind not in list(RowKind):
                raise ValidationError(gettext("Choose what the rows contain."))
            columns, fixed, numbered = {}, {}, []
            answers: dict[str, str] = {}
            for name in fields_of(RowKind(kind)):
                how, _, value = said.get(name, "").partition(":")
                if how == "column" and value in file.look["names"]:
                    columns[name] = value
                elif how == "all" and value in FIXED.get(name, ()):
                    fixed[name] = value
                elif how == "systems" and name == "answer":
                    answers = {
                        column: system
                        for column, system in systems_of(file.look).items()
                        if systems is None or column in systems
                    }
                elif how == "number" and name == OWN_KEYS.get(RowKind(kind)):
                    numbered.append(name)
            if not keeps_twice and len(set(columns.values())) < len(columns):
                raise ValidationError(gettext("Use each column once."))
            still = fixed.get("citations_from") == CitationsFrom.ONE.value
            file.mapping = {
                "kind": kind,
                "columns": columns,
                "fixed": fixed,
                "numbered": numbered,
                "is_chosen": True,
                **({"systems": answers} if answers else {}),
                **({"is_counted": True} if still and file.mapping.get("is_counted") else {}),
            }
            file.save(update_fields=["mapping"])


def choose_remedies(*, upload: CorpusUpload, remedies: Any) -> None:
    """Choose what becomes of rows with problems; other classes keep their choice.

    {code: {"remedy": ..., "value": ..., "values": {...}}}; "ask" is the usual remedy again.
    Raises `not_now`, ValidationError.
    """
    try:
        chosen = RemedyChoices.from_json(remedies).as_json()
    except BadChoice as error:
        raise ValidationError(translated_error(error)) from error
    with transaction.atomic():
        locked = opened_again(upload)
        others = {code: one for code, one in locked.remedies.items() if code not in remedies}
        locked.remedies = others | chosen
        locked.save(update_fields=["remedies"])


def systems_of(look: dict[str, Any]) -> dict[str, str]:
    """Return the columns of a wide table -> the systems whose answers they hold."""
    tables = (one["systems"] for one in look.get("ranking", ()) if one["kind"] == RowKind.TABLE)
    return next(tables, {})


def number_rows(*, upload: CorpusUpload, pk: int) -> None:
    """Let the rows of a file that have no id of their own be numbered. Raises `not_now`."""
    with transaction.atomic():
        for file in opened_again(upload).files.filter(pk=pk):
            kind = file.mapping.get("kind") or file.look["kind"]
            if kind in list(OWN_KEYS):
                id_field = OWN_KEYS[RowKind(kind)]
                mapping = file.mapping or guess(file.look, RowKind(kind))
                columns = {
                    name: mapping["columns"][name]
                    for name in mapping["columns"]
                    if name != id_field
                }
                file.mapping = mapping | {"columns": columns, "numbered": [id_field]}
                file.save(update_fields=["mapping"])


def choose(
    *,
    upload: CorpusUpload,
    origin: str,
    drops_citations: bool,
    drops_passages: bool,
    makes_copies: bool,
    origins: Mapping[str, str] | None = None,
    citation_forms: Collection[str] | None = None,
) -> None:
    """Set the options of all files. Raises `not_now`, ValidationError.

    `origins` are the authors of each system's texts, `citation_forms` the kinds of marks that count
    as citations; None keeps the stored ones.
    """
    changes: dict[str, Any] = {}
    if origins is not None:
        changes["origins"] = {key: o for key, o in origins.items() if o}
    if citation_forms is not None:
        changes["citation_forms"] = sorted((FORMS | OPTIONAL).intersection(citation_forms))
    if {origin, *changes.get("origins", {}).values()} - {"", *Origin.values}:
        raise ValidationError(gettext("Choose who wrote the answers."))
    if len(changes.get("origins", {})) > MOST_ORIGINS or not all(
        map(_keepable, changes.get("origins", ()))
    ):
        raise ValidationError(gettext("Choose who wrote the answers."))
    with transaction.atomic():
        opened_again(
            upload,
            origin=origin,
            drops_citations=drops_citations,
            drops_passages=drops_passages,
            makes_copies=makes_copies,
            **changes,
        )


def _keepable(system: str) -> bool:
    """Return whether a database keeps it: no NUL, no half of a character."""
    return not any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in system)


def discard(*, upload: CorpusUpload) -> None:
    """Throw an upload away with its files. Raises `not_now` while a job has it."""
    with transaction.atomic():
        locked = CorpusUpload.objects.select_for_update().filter(pk=upload.pk).first()
        if locked is None:
            return
        if locked.state in CorpusUpload.BUSY:
            raise not_now(locked)
        transaction.on_commit(partial(shutil.rmtree, locked.folder, ignore_errors=True))
        locked.delete()
        wiping.mark_erasure()
