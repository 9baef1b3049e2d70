"""The page of the files of a study, and downloads, made while they are sent."""

from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.exports.catalogue import (
    Table,
    UnknownFile,
    download_name,
    file_named,
    files_of,
    named,
    offered_tables,
    tables_of,
)
from analysis.exports.exporting import Reporter, stream
from analysis.exports.source import CannotExport, ExportSource
from analysis.exports.zip_file import BUNDLE, zipped
from analysis.inputs.settings import PEOPLE
from analysis.pages.exports.progress import DownloadProgress, progress_of
from analysis.pages.results.pages import pool_asked_for
from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act
from annotation.texts.spreadsheets import EXCEL
from annotation.texts.translation import translated_error
from judging.banks.secrets import secret_keys
from judging.raters.pools import Pool

CONTENT_TYPES = {
    "gz": "application/gzip",
    "zip": "application/zip",
    "csv": "text/csv; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "json": "text/plain; charset=utf-8",
    "jsonl": "text/plain; charset=utf-8",
}


@login_required
@require_GET
def exports(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Show every available file, and the analysis that its numbers come from."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.EXPORT)
    run = study.runs.newest_finished(pool_asked_for(request))
    source = ExportSource.of(study, run=run)
    context: dict[str, Any] = {
        "study": study,
        "run": run,
        "bundle": BUNDLE,
        "tables": [_shown(source, table) for table in offered_tables(source)],
        "analysed_pools": [Pool(name) for name in study.runs.finished_pools()],
    }
    chosen = {}
    if run is not None and run.pool != PEOPLE:
        chosen["pool"] = run.pool
        context |= {"pool": Pool(run.pool), "of_pool": "?" + urlencode(chosen)}
    if access.may(study, Act.MANAGE) and secret_keys(study):
        is_chosen = access.wants_secret(request)
        context |= {"may_choose_secret": True, "secret": is_chosen}
        chosen |= {"secret": "yes"} if is_chosen else {}
    context["chosen"] = f"?{urlencode(chosen)}" if chosen else ""
    context["work"] = progress_of(study, request.user)
    return render(request, "console/exports.html", context)


def _shown(source: ExportSource, table: Table) -> dict[str, Any]:
    """Return a table by its name for people, what it holds, and the names of its files."""
    name, _, holds = table.title.partition(": ")
    made = files_of(source, table)
    files = [file.name for file in made]
    excel = [f"{file.stem}.{EXCEL}" for file in made if file.ending == "csv"]
    return {"name": name, "holds": holds, "files": files, "excel": excel}


@login_required
@require_GET
def export_progress(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Show how far the user's download of all files is."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.EXPORT)
    context = {"study": study, "work": progress_of(study, request.user)}
    return render(request, "console/_export_progress.html", context)


@login_required
@require_GET
def export(request: HttpRequest, slug: str, version: int, name: str) -> HttpResponseBase:
    """Send one file of the export; `name` is its file name."""
    secret = access.wants_secret(request)
    act = Act.MANAGE if secret else Act.EXPORT
    study = access.study_for(request.user, slug=slug, version=version, may=act)
    pool = pool_asked_for(request)
    try:
        return file_of(study, name, user=request.user, pool=pool, secret=secret)
    except UnknownFile as error:
        return _sentence(translated_error(error), 404)
    except CannotExport as error:
        return _sentence(translated_error(error), 409)


def file_of(
    study: Study, name: str, *, user: access.Person, pool: str, secret: bool = False
) -> HttpResponseBase:
    """Return a file of the export, or all in a ZIP, and record the download.

    With `secret` also the secret entries of banks, which only an owner may choose. Raises
    CannotExport, or UnknownFile if there is never such a file.
    """
    reporter = Reporter(None)
    source = ExportSource.of(study, step=reporter, pool=pool, secret=secret)
    if name == BUNDLE:
        data, called = zipped(source, reporter=reporter), named(study, name, run=source.run)
        tables = [table.name for table in tables_of(source)]
        reporter.progress = progress = DownloadProgress(study, user, tables)
        data = progress.during(data)
    else:
        called = download_name(source, file_named(source, name))
        data = stream(source=source, name=name)
    if secret:
        access.record_secret(user=user, what=name, of=study)
    else:
        access.record(user=user, act="downloaded a file", what=name, of=study)
    response = StreamingHttpResponse(data, content_type=CONTENT_TYPES[name.rpartition(".")[2]])
    response["Content-Disposition"] = f'attachment; filename="{called}"'
    if name.endswith((".gz", ".zip")):  # GZipMiddleware leaves alone what says how it is encoded
        response["Content-Encoding"] = "identity"
    return response


def _sentence(sentence: str, status: int) -> HttpResponse:
    return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
