"""Pages to upload, check and import a file of labels."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from annotation.clock import database_now
from annotation.corpora.reading.lines import megabytes
from annotation.corpora.uploads import request_files
from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act
from annotation.people.access.budgets import budgeted
from annotation.people.access.roles import check as check_right
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error
from annotation.texts.untrusted import storable
from judging.labels import importing_files, uploading
from judging.labels.importing_files import LabelFile
from judging.labels.values import BadMapping
from judging.models import LabelUpload
from judging.pages.label_check_page import page_of, placed
from judging.pages.label_choices import LabelsForm, sent_choices


@csrf_exempt
@login_required
@budgeted(per_minute=20)
@require_http_methods(["GET", "POST"])
def labels(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Take a file and check it. The person is known before the file is read, the token after."""
    study = _study(request, slug, version)
    if request_files.is_too_large(request, most=importing_files.MOST_BYTES):
        return _new(request, study, fault=importing_files.too_large(), status=413)
    request.upload_handlers = [request_files.ArrivingFiles(request)]
    try:
        return _labels(request, study)
    except Refusal as full:  # of the body, which the check of the token reads
        return _new(request, study, fault=translated_error(full), status=full.status)


labels.takes_files = True  # type: ignore[attr-defined]  # what annotation.fieldwork.pages.refusal_middleware asks


def _study(request: HttpRequest, slug: str, version: int, may: Act = Act.RUN) -> Study:
    return access.study_for(
        request.user, slug=slug, version=version, may=may, kind=Study.Kind.JUDGING
    )


@csrf_protect
def _labels(request: HttpRequest, study: Study) -> HttpResponse:
    if request.method == "GET":
        return _new(request, study)
    with _file(request, study) as file:
        if file is None:
            return _new(request, study, fault=gettext("Choose a file."), status=422)
        assert isinstance(request.user, User)
        return redirect(uploading.keep(study=study, file=file, by=request.user, now=database_now()))


@contextmanager
def _file(request: HttpRequest, study: Study) -> Iterator[LabelFile | None]:
    """Return the file that was sent, or the labels of the corpus that were chosen."""
    file = request.FILES.get("file")
    if isinstance(file, TemporaryUploadedFile):
        path, name = Path(file.temporary_file_path()), storable(file.name or "")
        yield LabelFile(path, name, importing_files.BOUNDS)
        return
    labels_of_corpus = importing_files.labels_of_corpus(study, request.POST.get("stored", ""))
    if labels_of_corpus is None:
        yield None
        return
    with importing_files.stored_labels(labels_of_corpus) as stored:
        yield stored


def _new(request: HttpRequest, study: Study, *, fault: str = "", status: int = 200) -> HttpResponse:
    context = {
        "study": study,
        "file_fault": fault,
        "most": importing_files.MOST_BYTES,
        "most_megabytes": megabytes(importing_files.MOST_BYTES),
        "stored": study.corpus.labels.defer("content") if study.corpus else (),
    }
    return render(request, "console/labels/new.html", context, status=status)


@login_required
@budgeted(per_minute=60)
@require_http_methods(["GET", "POST"])
def label_upload(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Show the check of a file; or check it again, import it or discard it."""
    study = _study(request, slug, version, Act.VIEW)
    files = LabelUpload.objects.select_related("owner")
    upload = get_object_or_404(files, pk=pk, study=study, owner_id=request.user.pk)
    check_right(study, Act.RUN)
    upload.study = study  # has the role of the user
    if request.method == "POST":
        return _act(request, upload)
    if upload.imported_at:
        return render(request, "console/labels/done.html", _done(upload))
    return render(request, "console/labels/check.html", page_of(upload))


def _act(request: HttpRequest, upload: LabelUpload) -> HttpResponse:
    act = request.POST.get("act")
    if upload.imported_at:
        return redirect(upload)
    if act == "discard":
        uploading.discard(upload=upload)
        return redirect("bring_labels", upload.study.slug, upload.study.version)
    form = LabelsForm(request.POST, study=upload.study)
    try:
        uploading.choose(upload=upload, choices=sent_choices(request, form))
        if act == "import" and form.is_valid():
            uploading.import_file(upload=upload, now=database_now())
        else:
            uploading.check(upload=upload, now=database_now())
    except BadMapping as error:
        messages.error(request, translated_error(error))
    return redirect(upload)


def _done(upload: LabelUpload) -> dict[str, Any]:
    report = upload.report
    return {
        "study": upload.study,
        "upload": upload,
        "report": report,
        "remarks": placed(report["remarks"]),
    }
