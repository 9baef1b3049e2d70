"""Saving the choices of the form that all files of an upload share."""

import json
from typing import Any

from django.http import HttpRequest

from annotation.console.upload_columns import said_of
from annotation.console.uploaded_files import shown
from annotation.corpora.detection.kinds import SNAPSHOTS
from annotation.corpora.resolving import FORMS
from annotation.corpora.schema import RowKind
from annotation.corpora.uploads import gathering
from annotation.corpora.uploads.files import kind_of
from annotation.corpora.uploads.origins import asked
from annotation.models import CorpusUpload, UploadedFile


def choices_of(one: CorpusUpload, rows: list[UploadedFile]) -> dict[str, Any]:
    """Return the options for all files: as chosen, or as proposed."""
    kinds = {kind_of(file) for file in rows}
    # Answers that nobody brings passages for cite nothing that can be there; of the published
    # texts one cites too far.
    lacks_passages = RowKind.TABLE in kinds and not one.report and not _has_passages(one, rows)
    return {
        "origin": one.origin or asked(rows).guess,
        "drops_citations": one.drops_citations or lacks_passages or SNAPSHOTS in kinds,
        "drops_passages": one.drops_passages,
        "makes_copies": one.makes_copies,
    }


def save_choices(
    request: HttpRequest, upload: CorpusUpload, *, explained: int = 0, is_checked: bool = False
) -> None:
    """Save the choices of all files, whichever button was pressed: they share one form.

    A file whose choices equal those at the page's creation is left alone, unless it is the one
    being `explained`: guesses, and changes made elsewhere, stay.
    """
    for file in upload.files.all():
        _save_columns(request, upload, file, is_explained=file.pk == explained)
    rows = list(upload.files.all())
    gathering.choose(
        upload=upload,
        **_chosen_for_all(request, upload, choices_of(upload, rows), is_checked=is_checked),
        origins=_origins(request),
        citation_forms=_citation_forms(request),
    )


def _save_columns(
    request: HttpRequest, upload: CorpusUpload, file: UploadedFile, *, is_explained: bool
) -> None:
    """Save the kind and the columns of a file, if the page has changed them."""
    page = shown(file)
    before = _before(request, file, page)
    kind = request.POST.get(f"kind-{file.pk}", "")
    if kind and kind not in (kind_of(file), before["kind"]):
        gathering.say_kind(upload=upload, pk=file.pk, kind=kind)
    if kind and kind != kind_of(file):
        return  # its fields are those of another kind
    fields = {
        field["name"]: _sent(request.POST[name], field["choices"])
        for field in page["fields"]
        if (name := f"field-{file.pk}-{field['name']}") in request.POST
    }
    columns = {
        str(number): request.POST[name]
        for number, _ in enumerate(file.look["names"])
        if (name := f"column-{file.pk}-{number}") in request.POST
    }
    if columns:
        is_same = columns == before["columns"] and fields.items() <= before["fields"].items()
        names = {str(number): name for number, name in enumerate(file.look["names"])}
        said, systems = said_of(
            {names[number]: field for number, field in columns.items()},
            {names[number]: field for number, field in before["columns"].items()},
        )
        said = {name: value for name, value in fields.items() if value} | said
        if not is_same or is_explained:
            gathering.map_columns(upload=upload, pk=file.pk, said=said, systems=systems)
    elif fields and (fields != before["fields"] or is_explained):
        gathering.map_columns(upload=upload, pk=file.pk, said=fields, keeps_twice=True)


def _chosen_for_all(
    request: HttpRequest, upload: CorpusUpload, now: dict[str, Any], *, is_checked: bool
) -> dict[str, Any]:
    """Return the options for all files.

    A check takes what the page shows; before it, untouched proposals stay proposals.
    """
    sent: dict[str, Any] = {name: bool(request.POST.get(name)) for name in now}
    sent["origin"] = request.POST.get("origin", "")
    return {
        name: value if is_checked or value != now[name] else getattr(upload, name)
        for name, value in sent.items()
    }


def _before(request: HttpRequest, file: UploadedFile, page: dict[str, Any]) -> dict[str, Any]:
    """Return what the page showed of a file when it was created, or shows now if unknown."""
    now = json.loads(page["as_shown"])
    try:
        sent = json.loads(request.POST.get(f"shown-{file.pk}", ""))
        return {
            "kind": sent["kind"],
            "fields": dict(sent["fields"]),
            "columns": dict(sent["columns"])
            if sent["columns"].keys() <= now["columns"].keys()
            else {},
        }
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return dict(now)


def _sent(value: str, choices: list[tuple[str, str]]) -> str:
    """Return the sent choice; browsers send a line end in a column's name as two characters."""
    same = (choice for choice, _ in choices if choice.splitlines() == value.splitlines())
    return next(same, value)


def _origins(request: HttpRequest) -> dict[str, str] | None:
    """Return the chosen author kind of each system, or None without systems."""
    systems, origins = request.POST.getlist("system"), request.POST.getlist("system_origin")
    return dict(zip(systems, origins, strict=False)) if systems else None


def _citation_forms(request: HttpRequest) -> set[str] | None:
    """Return the kinds of marks that count; those that the page does not show stay as they are."""
    shown_kinds = set(request.POST.getlist("mark"))
    if not shown_kinds:
        return None
    return {*request.POST.getlist("citation_form")} | (FORMS - shown_kinds)


def _has_passages(upload: CorpusUpload, files: list[UploadedFile]) -> bool:
    return upload.corpus_id is not None or any(
        kind_of(file) != RowKind.TABLE or "passages" in file.mapping.get("columns", {})
        for file in files
    )
