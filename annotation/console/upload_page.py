"""The page of an upload: its banner, files, problems and counts. Only reads."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.utils.translation import gettext, gettext_lazy

from annotation.console.saving_upload_choices import choices_of
from annotation.console.upload_problems import rows_of
from annotation.console.uploaded_files import KINDS, is_alone, marks_of, shown
from annotation.corpora.detection.kinds import SNAPSHOTS
from annotation.corpora.formats.registry import brought_kinds
from annotation.corpora.reading.lines import megabytes
from annotation.corpora.reading.opening import EXCEL, PARQUET, TABLE
from annotation.corpora.schema import RowKind
from annotation.corpora.uploads import counting_from_one
from annotation.corpora.uploads.ignored import ignored_parts
from annotation.corpora.uploads.image_files import image_sizes
from annotation.corpora.uploads.origins import MOST_SYSTEMS, TEXTS, asked, is_missing, systems_of
from annotation.corpora.uploads.places import place_of
from annotation.corpora.uploads.samples import SAMPLES
from annotation.models import CorpusUpload, Origin, UploadedFile

State = CorpusUpload.State
ORIGINS = ((Origin.LLM.value, gettext_lazy("LLMs")), (Origin.HUMAN.value, gettext_lazy("People")))
MOST_UNREAD = 4  # columns of a file that the banner lists
# Kinds that a report counts, in the order of the page.
COUNTED = {
    "topics": RowKind.TOPICS,
    "systems": RowKind.SYSTEMS,
    "responses": RowKind.RESPONSES,
    "passages": RowKind.PASSAGES,
    "rankings": RowKind.RANKINGS,
}


def page_of(upload: CorpusUpload) -> dict[str, Any]:
    """Return the context of the page."""
    rows = list(upload.files.all())
    report = upload.report
    is_checked = upload.state == State.CHECKED
    ignored = ignored_parts(rows, report) if is_checked else []
    files = [
        shown(file, begins_at_1=is_alone(file, upload, rows))
        | _of_report(file, report if is_checked else {}, ignored={part.file for part in ignored})
        for file in rows
    ]
    for file in files:
        file |= _state(file, is_checked=is_checked)
    files.sort(key=lambda file: file["state"] not in ("fault", "asking"))
    context = {
        "upload": upload,
        "report": report,
        "files": files,
        "is_open": upload.state in (State.OPEN, State.CHECKED),
        "asking": [file for file in files if file["fault"] or file["questions"]],
        "ignored": ignored,
        "causes": report.get("bad", 0) - report.get("following", 0),
        "row_count": sum(counts["read"] for counts in report.get("rows", {}).values()),
        "counts": _counts(report),
        "may_import": is_checked and not report.get("bad") and bool(report.get("counts")),
        "placed": _placed(report, rows),
        "tables": table_names(rows),
        "marks": marks_of(upload),
        "first_cited": counting_from_one.first_cited(rows),
        "image_count": len(image_sizes(upload)),
        "samples": SAMPLES.values(),
        "most": settings.UPLOAD_MOST_BYTES,
        "most_megabytes": megabytes(settings.UPLOAD_MOST_BYTES),
        **_compared(upload),
        **_unread(files),
        **_about_origins(upload, rows),
        **_about_citations(rows),
        **_about_kinds(files),
    }
    context |= _banner(context)
    context["problems"] = rows_of(context) if context["is_open"] and rows else []
    context["notes"] = _notes(context, rows)
    return context


def _of_report(file: UploadedFile, report: dict[str, Any], *, ignored: set[str]) -> dict[str, Any]:
    """Return what the report of the last check says of a file."""
    counts = report.get("rows", {}).get(file.name)
    looked_at = file.look.get("row_count", len(file.look["rows"]))
    return {
        "row_count": counts["read"] if counts else looked_at,
        "has_more": not counts and looked_at >= MOST_LOOKED_AT,
        "bad": sum(1 for line in report.get("lines", ()) if line[0] == file.name),
        "is_ignored": file.name in ignored,
    }


MOST_LOOKED_AT = 2_000  # rows; a file with as many may have more


def _state(file: dict[str, Any], *, is_checked: bool) -> dict[str, Any]:
    """Return the state of a file, its colour, and whether its columns are open."""
    if file["fault"]:
        state, level = "fault", "bad"
    elif file["questions"]:
        state, level = "asking", "warn"
    elif file["bad"]:
        state, level = "bad", "bad"
    elif file["unread"] and file["columns"] and file["can_map"]:
        state, level = "unread", "warn"
    elif is_checked:
        state, level = "good", "good"
    else:
        state, level = "ready", "soft"
    is_unclear = state in ("asking", "unread") or file["is_ignored"]
    return {"state": state, "level": level, "is_unclear": is_unclear}


def _unread(files: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the columns that are not imported, by file, and their number."""
    unread = [(file["row"].name, file["unread"]) for file in files if file["unread"]]
    return {
        "unread": [
            (name, [*columns[:MOST_UNREAD], *(["…"] if len(columns) > MOST_UNREAD else [])])
            for name, columns in unread
        ],
        "unread_count": sum(len(columns) for _, columns in unread),
    }


def _banner(context: dict[str, Any]) -> dict[str, str]:
    """Return the state that the banner describes, and its colour."""
    upload, report = context["upload"], context["report"]
    if upload.state == State.IMPORTED:
        return {"state": "imported", "level": "good"}
    if upload.state != State.CHECKED:
        state = "asking" if context["asking"] else "ready"
        is_open = context["asking"] or context["asks_origin"] or context["unread"]
        return {"state": state, "level": "warn" if is_open else ""}
    if report.get("bad"):
        return {"state": "bad", "level": "bad"}
    if context["ignored"]:
        return {"state": "ignored", "level": "warn"}
    if not report.get("counts"):
        return {"state": "empty", "level": "warn"}
    if report.get("warnings"):
        return {"state": "warned", "level": "warn"}
    return {"state": "good", "level": "warn" if context["unread"] else "good"}


def _counts(report: dict[str, Any]) -> list[tuple[Any, int, int, int]]:
    """Return the counts of new, unchanged and contradicting rows by the title of their kind."""
    order = [*COUNTED]
    counts = sorted(
        report.get("counts", []), key=lambda row: order.index(row[0]) if row[0] in order else 9
    )
    return [
        (KINDS[COUNTED[kind]] if kind in COUNTED else kind.capitalize(), new, equal, different)
        for kind, new, equal, different in counts
    ]


def _compared(upload: CorpusUpload) -> dict[str, bool]:
    """Return the counts to show; a new corpus has no existing rows to repeat."""
    counts = upload.report.get("counts", [])
    adds = bool(counts) and upload.corpus_id is not None and upload.state != State.IMPORTED
    return {
        "shows_equal": adds or any(equal for _, _, equal, _ in counts),
        "shows_different": adds or any(different for _, _, _, different in counts),
    }


def _placed(report: dict[str, Any], files: list[UploadedFile]) -> dict[str, list[dict[str, Any]]]:
    """Return the lines of a report, each with its place in words."""
    tables = table_names(files)
    rows = report.get("sheet_rows", {})
    return {
        name: [
            {
                "place": place_of(
                    file,
                    line,
                    rows.get(f"{file}:{line}", 0),
                    is_table=file in tables,
                    is_only=len(files) == 1,
                ),
                "field": field,
                "reason": reason,
            }
            for file, line, field, reason in report.get(name, [])
        ]
        for name in ("lines", "followers", "warned")
    }


def table_names(files: Iterable[UploadedFile]) -> set[str]:
    """Return the names of the files that people open as spreadsheets."""
    return {
        file.name
        for file in files
        if (file.look.get("opening") or {}).get("container") in (TABLE, EXCEL, PARQUET)
    }


def _about_origins(upload: CorpusUpload, rows: list[UploadedFile]) -> dict[str, Any]:
    question, choices, systems = asked(rows), choices_of(upload, rows), systems_of(upload, rows)
    with_origin = [system for system in systems if system.origin]
    return {
        "wrote": question,
        "choices": choices,
        "origins": ORIGINS,
        "systems": systems,
        "most_systems": MOST_SYSTEMS,
        "others": [system.system for system in with_origin if system.origin != choices["origin"]],
        "asks_origin": is_missing(upload, rows) and not question.guess,
        "is_guessed": bool(question.guess)
        and choices["origin"] == question.guess
        and not with_origin,
        "lacks_origin": any(line[2] == "origin" for line in upload.report.get("lines", [])),
    }


def _about_citations(rows: list[UploadedFile]) -> dict[str, Any]:
    return {
        "may_count_from_1": any(map(counting_from_one.may_count_from_one, rows)),
        "is_counted": any(map(counting_from_one.is_counted, rows)),
    }


def _about_kinds(files: Iterable[dict[str, Any]]) -> dict[str, bool]:
    kinds = {kind for file in files for kind in (file["kind"], *brought_kinds(file["kind"]))}
    return {
        "has_responses": not kinds.isdisjoint({*TEXTS, SNAPSHOTS}),
        "has_rankings": RowKind.RANKINGS in kinds,
        "has_summaries": RowKind.SUMMARIES in kinds,
    }


def _notes(context: dict[str, Any], rows: list[UploadedFile]) -> list[dict[str, str]]:
    """Return the facts of a check after which nobody need choose."""
    report = context["report"]
    if report.get("bad") or not report:
        return []
    notes = [
        {"code": "remark", "sentence": remark}
        for remark in report["remarks"]
        if remark not in report["doubts"]
    ]
    if ranked := counting_from_one.ranked_from_zero(rows):
        names = ", ".join(file.name for file in ranked)
        sentence = gettext("Ranks start at 0 in {files}.").format(files=names)
        notes.append({"code": "ranks", "sentence": sentence})
    return notes
