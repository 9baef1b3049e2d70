"""Bring a corpus: the pages of an upload, from its first file to the corpus."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.console.problem_choices import sent_remedies
from annotation.console.saving_upload_choices import choices_of, save_choices
from annotation.console.upload_page import page_of
from annotation.console.uploaded_files import KINDS
from annotation.corpora.schema import RowKind
from annotation.corpora.uploads import (
    checking,
    counting_from_one,
    gathering,
    request_files,
)
from annotation.corpora.uploads.importing_example import bring_example
from annotation.corpora.uploads.lookup import upload_for
from annotation.corpora.uploads.origins import asked, is_missing
from annotation.corpora.uploads.progress import progress_of
from annotation.corpora.uploads.questions import open_questions
from annotation.corpora.uploads.refusals import NothingToCheck, upload_too_large
from annotation.corpora.uploads.samples import SAMPLES
from annotation.models import CorpusUpload
from annotation.people import access
from annotation.people.access import Act
from annotation.people.access.budgets import budgeted
from annotation.refusals import Refusal
from annotation.tasks import work_on_upload
from annotation.texts.spreadsheets import EXCEL
from annotation.texts.time_left import WorkProgress
from annotation.texts.translation import translated_error

AT_ONCE = 20_000_000  # bytes of files that are checked without being asked to


@login_required
@budgeted(per_minute=30)
@require_http_methods(["GET", "POST"])
def new_upload(request: HttpRequest) -> HttpResponse:
    """Name the corpus, or choose one that is there."""
    sent = request.POST if request.method == "POST" else request.GET
    values = {name: str(value).replace("\x00", "") for name, value in sent.items()}
    slug = values.get("corpus", "")
    corpus = access.corpus_for(request.user, slug=slug, may=Act.EDIT) if slug else None
    faults: dict[str, Any] = {}
    if request.method == "POST":
        try:
            upload = gathering.begin(
                owner=request.user,  # type: ignore[arg-type]
                name=values.get("name", ""),
                licence=values.get("licence", ""),
                corpus=corpus,
            )
        except ValidationError as error:
            faults = error.message_dict
        else:
            return redirect(upload)
    context = {
        "corpus": corpus,
        "values": {key: values.get(key, "") for key in ("name", "licence")},
        "faults": faults,
        "going_on": CorpusUpload.objects.filter(owner_id=request.user.pk).exclude(
            state=CorpusUpload.State.IMPORTED
        ),
    }
    return render(request, "console/upload_new.html", context, status=400 if faults else 200)


@login_required
@require_GET
def upload(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the upload. An htmx request gets only the progress."""
    one = upload_for(request.user, pk=pk)
    if getattr(request, "htmx", False):
        answer = render(request, "console/upload/_progress.html", _progress(one))
        if one.state not in CorpusUpload.BUSY:
            answer["HX-Refresh"] = "true"
        return answer
    context = {**page_of(one), **_progress(one)}
    return render(request, "console/upload.html", context)


def _progress(upload: CorpusUpload) -> dict[str, Any]:
    if upload.state not in CorpusUpload.BUSY:
        return {"upload": upload, "progress": {}}
    progress = progress_of(upload.folder)
    context: dict[str, Any] = {"upload": upload, "progress": progress}
    if progress:
        context["work"] = WorkProgress(*(progress[of] for of in ("read", "total", "seconds_left")))
    return context


# -- Files ---------------------------------------------------------------------------------------
@csrf_exempt
@login_required
@budgeted(per_minute=120)
@require_POST
def upload_files(request: HttpRequest, pk: int) -> HttpResponse:
    """Take files. Who asks is known before any of them is read; the token is looked at after."""
    one = upload_for(request.user, pk=pk)
    if request_files.is_too_large(request):
        messages.error(request, str(upload_too_large()))
        return redirect(one)
    request.upload_handlers = [request_files.ArrivingFiles(request)]
    try:
        return _take(request, one)
    except Refusal as refusal:  # of the body, which the check of the token reads
        messages.error(request, translated_error(refusal))
        return redirect(one)


@csrf_protect
def _take(request: HttpRequest, upload: CorpusUpload) -> HttpResponse:
    files = request_files.arrived(request, "files")
    (handler,) = request.upload_handlers
    if getattr(handler, "has_stopped", False):
        messages.error(request, str(upload_too_large()))
    elif not files:
        messages.error(request, gettext("Choose at least one file."))
    else:
        try:
            if "chosen" in request.POST:
                save_choices(request, upload)  # chosen meanwhile for those that are there
            left_out = gathering.add_files(upload=upload, files=files)
            _check_at_once(request, upload)
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
        except Refusal as refusal:
            messages.error(request, translated_error(refusal))
        else:
            if left_out:
                message = gettext("Skipped non-text files: {left_out}.").format(
                    left_out=", ".join(left_out)
                )
                messages.info(request, message)
    return redirect(upload)


upload_files.takes_files = True  # type: ignore[attr-defined]


@login_required
@require_POST
def change_upload(request: HttpRequest, pk: int) -> HttpResponse:
    """One step on: a file removed or explained, the check, the import, the end."""
    one = upload_for(request.user, pk=pk)
    act, _, number = request.POST.get("act", "").partition(":")
    if act not in ACTS:
        raise Http404("Step not found.")
    pk = _file(number.partition(":")[0])
    anchor = f"#file-{pk}" if act in OF_A_FILE else ""
    try:
        is_again = act == "check" and one.state == CorpusUpload.State.CHECKING  # pressed twice
        if act in ("remove", "check", *OF_A_FILE) and not is_again:
            explained = pk if act == "map" else 0
            save_choices(request, one, explained=explained, is_checked=act == "check")
            if act == "check" and (remedies := sent_remedies(request.POST)):
                gathering.choose_remedies(upload=one, remedies=remedies)
        ACTS[act](request, one, pk)
        if act in ("remove", *OF_A_FILE):
            _check_at_once(request, one)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    except NothingToCheck as refusal:
        messages.error(request, translated_error(refusal))
        anchor = f"#file-{refusal.file}" if refusal.file else "#check-title"
    except Refusal as refusal:
        messages.error(request, translated_error(refusal))
    if act == "discard" and not CorpusUpload.objects.filter(pk=pk).exists():
        return redirect("corpora")
    return redirect(f"{one.get_absolute_url()}{anchor}")


def _check_at_once(request: HttpRequest, upload: CorpusUpload) -> None:
    """Check small files that leave no question open, with what the page proposes."""
    if request.POST.get("then") != "check":
        return
    upload.refresh_from_db()
    files = list(upload.files.all())
    is_told = not is_missing(upload, files) or bool(asked(files).guess)
    is_clear = not any(
        file.look["fault"] or open_questions(file.look, file.mapping) for file in files
    )
    if files and is_told and is_clear and sum(file.size for file in files) <= AT_ONCE:
        gathering.choose(upload=upload, **choices_of(upload, files))
        checking.ask_to_check(upload=upload, task=work_on_upload)


def _file(number: str) -> int:
    return int(number) if number.isascii() and number.isdigit() and len(number) < 18 else 0


def _remove(_: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    gathering.remove_file(upload=upload, pk=pk)


def _say_kind(request: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    """Set the kind of a file; its columns stay if the kind is the same."""
    if not (kind := request.POST.get(f"kind-{pk}", "")) or kind not in KINDS:
        gathering.say_kind(upload=upload, pk=pk, kind=kind)


def _map(_: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    """Do nothing more: the mapping is saved with all files."""


def _take_kind(request: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    """Set one of the kinds that the page proposes: "take:FILE:KIND"."""
    kind = request.POST["act"].rpartition(":")[2]
    gathering.say_kind(upload=upload, pk=pk, kind=kind)


def _open_as(request: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    """Read a file with the chosen sheet, encoding, separator and header."""
    names = ("sheet", "encoding", "separator", "header")
    sent = {name: request.POST.get(f"{name}-{pk}", "") for name in names}
    gathering.reopen(upload=upload, pk=pk, **sent)


def _number(_: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    gathering.number_rows(upload=upload, pk=pk)


def _check(_: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    if upload.state == CorpusUpload.State.CHECKING:
        return
    upload.refresh_from_db()
    if is_missing(upload, upload.files.all()):
        raise NothingToCheck(gettext("Choose who wrote the answers."))
    checking.ask_to_check(upload=upload, task=work_on_upload)


def _count_from_one(request: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    if upload.state != CorpusUpload.State.CHECKING:  # not pressed twice
        counting_from_one.count_from_one(upload=upload)
        _check(request, upload, pk)


def _count_from_zero(request: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    if upload.state != CorpusUpload.State.CHECKING:  # not pressed twice
        counting_from_one.count_from_zero(upload=upload)
        _check(request, upload, pk)


def _choose_remedies(request: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    """Choose what becomes of rows with problems, and check again."""
    if upload.state != CorpusUpload.State.CHECKING:  # not pressed twice
        gathering.choose_remedies(upload=upload, remedies=sent_remedies(request.POST))
        _check(request, upload, pk)


def _import(_: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    checking.ask_to_import(upload=upload, task=work_on_upload)


def _discard(_: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    gathering.discard(upload=upload)


OF_A_FILE = ("kind", "map", "number", "take", "open")
ACTS = {
    "remove": _remove,
    "kind": _say_kind,
    "map": _map,
    "number": _number,
    "take": _take_kind,
    "open": _open_as,
    "check": _check,
    "count": _count_from_one,
    "count_0": _count_from_zero,
    "remedies": _choose_remedies,
    "import": _import,
    "discard": _discard,
}


@login_required
@require_GET
def upload_faults(request: HttpRequest, pk: int) -> FileResponse:
    """Every bad line as CSV."""
    one = upload_for(request.user, pk=pk)
    try:
        file = (one.folder / checking.FAULTS).open("rb")
    except OSError as error:
        raise Http404("List of skipped rows not found.") from error
    name = f"{one.slug}-bad-lines.{EXCEL}"
    return FileResponse(file, as_attachment=True, filename=name, content_type="text/csv")


@login_required
@require_GET
def upload_sample(request: HttpRequest, kind: str) -> FileResponse:
    """Return a small sample file of a kind."""
    if kind not in SAMPLES:
        raise Http404("Sample not found.")
    sample = SAMPLES[RowKind(kind)]
    return FileResponse(
        sample.path.open("rb"), as_attachment=True, filename=sample.name, content_type="text/csv"
    )


@login_required
@require_POST
def example_corpus(request: HttpRequest) -> HttpResponse:
    """Open the example corpus."""
    return redirect(bring_example(owner=request.user))  # type: ignore[arg-type]
