"""Bring a corpus: the pages of an upload, from its first file to the corpus."""

import json
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation import access
from annotation.access import Act
from annotation.corpora.kinds import PLAIN
from annotation.corpora.lines import megabytes
from annotation.corpora.schema import OWN_KEYS, Kind, fields_of
from annotation.models import CorpusUpload, Origin, UploadedFile
from annotation.tasks import work_on_upload
from annotation.uploads import arriving, checking, counting, gathering, rubric_files
from annotation.uploads.exemplifying import bring_example
from annotation.uploads.files import kind_of
from annotation.uploads.look import (
    AS_THEY_ARE,
    AUTHORS,
    KEYS,
    SNAPSHOTS,
    may_number,
    open_questions,
    unread_columns,
)
from annotation.uploads.origins import MOST_SYSTEMS, systems_of
from annotation.uploads.owned import upload_for
from annotation.uploads.preview import ids_of, numbered_fields
from annotation.uploads.progress import progress_of
from annotation.uploads.refusals import TooLarge
from annotation.uploads.samples import SAMPLES
from annotation.work.languages import told
from annotation.work.refusals import Refusal

KINDS: "dict[str, Any]" = {
    Kind.TABLE: gettext_lazy("one table of answers"),
    Kind.TOPICS: gettext_lazy("topics"),
    Kind.PASSAGES: gettext_lazy("passages"),
    Kind.RESPONSES: gettext_lazy("responses"),
    Kind.SYSTEMS: gettext_lazy("systems"),
    Kind.RANKINGS: gettext_lazy("rankings of systems"),
    Kind.RAG_ANSWERS: gettext_lazy("answers (TREC RAG)"),
    Kind.SUMMARIES: gettext_lazy("structured summaries with their parts"),
    Kind.RETRIEVAL: gettext_lazy("topics with their passages (Crowd RAG Corpus 2025)"),
    rubric_files.BANK: gettext_lazy("topics with a bank of points (Rubric)"),
    rubric_files.PASSAGES: gettext_lazy("graded passages and their rankings (Rubric)"),
    SNAPSHOTS: gettext_lazy("written texts with their history (Crowd RAG Corpus 2025)"),
    AUTHORS: gettext_lazy("who wrote which text (Crowd RAG Corpus 2025)"),
}
# The columns that others have for topics, passages and responses are read as they are.
KINDS |= {kind: KINDS[plain] for kind, plain in PLAIN.items()}
TO_CHOOSE = [Kind.TABLE, Kind.TOPICS, Kind.PASSAGES, Kind.RESPONSES, Kind.SYSTEMS, Kind.RANKINGS]


@login_required
@require_http_methods(["GET", "POST"])
def new_upload(request: HttpRequest) -> HttpResponse:
    """Name the corpus, or choose one that is there."""
    sent = request.POST if request.method == "POST" else request.GET
    said = {name: str(value).replace("\x00", "") for name, value in sent.items()}
    slug = said.get("corpus", "")
    corpus = access.corpus_for(request.user, slug=slug, may=Act.EDIT) if slug else None
    faults: dict[str, Any] = {}
    if request.method == "POST":
        try:
            upload = gathering.begin(
                owner=request.user,  # type: ignore[arg-type]
                name=said.get("name", ""),
                licence=said.get("licence", ""),
                corpus=corpus,
            )
        except ValidationError as error:
            faults = error.message_dict
        else:
            return redirect(upload)
    context = {
        "corpus": corpus,
        "values": {key: said.get(key, "") for key in ("name", "licence")},
        "faults": faults,
        "going_on": CorpusUpload.objects.filter(owner_id=request.user.pk).exclude(
            state=CorpusUpload.State.IMPORTED
        ),
    }
    return render(request, "console/upload_new.html", context, status=400 if faults else 200)


@login_required
@require_GET
def upload(request: HttpRequest, pk: int) -> HttpResponse:
    """The upload as it stands. An htmx request gets the moving part alone."""
    one = upload_for(request.user, pk=pk)
    if getattr(request, "htmx", False):
        answer = render(request, "console/upload/_progress.html", _progress(one))
        if one.state not in CorpusUpload.BUSY:
            answer["HX-Refresh"] = "true"
        return answer
    rows = list(one.files.all())
    files = [_shown(file, is_alone=_is_alone(file, one, rows)) for file in rows]
    kinds = {file["kind"] for file in files}
    # Answers that nobody brings passages for cite nothing that can be there.
    lacks_passages = Kind.TABLE in kinds and not one.report and not _has_passages(one, files)
    is_published = SNAPSHOTS in kinds  # the other texts are by language models, one cites too far
    context = {
        "upload": one,
        "files": files,
        "is_open": one.state in (CorpusUpload.State.OPEN, CorpusUpload.State.CHECKED),
        "has_questions": any(file["fault"] or file["questions"] for file in files),
        "has_responses": not kinds.isdisjoint(
            {
                *(Kind.TABLE, Kind.RESPONSES, Kind.ANSWERS, Kind.RAG_ANSWERS),
                *(Kind.SUMMARIES, SNAPSHOTS),
            }
        ),
        "has_rankings": not kinds.isdisjoint({Kind.RANKINGS, rubric_files.PASSAGES}),
        "has_summaries": Kind.SUMMARIES in kinds,
        "origin": one.origin or (Origin.LLM.value if is_published or Kind.TABLE in kinds else ""),
        "drops_citations": one.drops_citations or is_published or lacks_passages,
        "origins": Origin.choices,
        "systems": systems_of(one, rows),
        "most_systems": MOST_SYSTEMS,
        "lacks_origin": any(field == "origin" for _, _, field, _ in one.report.get("lines", [])),
        "causes": one.report.get("bad", 0) - one.report.get("following", 0),
        "cites_unknown": one.report.get("cites_unknown", 0),
        **_compared(one),
        "may_count_from_1": any(map(counting.may_count_from_one, rows)),
        "is_counted": any(map(counting.is_counted, rows)),
        "ranked_from_0": counting.may_rank_from_zero(one, rows),
        "samples": SAMPLES.values(),
        "most": settings.UPLOAD_MOST_BYTES,
        "most_megabytes": megabytes(settings.UPLOAD_MOST_BYTES),
        **_progress(one),
    }
    return render(request, "console/upload.html", context)


def _progress(upload: CorpusUpload) -> dict[str, Any]:
    if upload.state not in CorpusUpload.BUSY:
        return {"upload": upload, "progress": {}}
    return {"upload": upload, "progress": progress_of(upload.folder)}


def _compared(upload: CorpusUpload) -> dict[str, bool]:
    """Which counts say something: a new corpus has nothing that rows could be equal to, or not."""
    counts = upload.report.get("counts", [])
    adds = upload.corpus_id is not None and upload.state != CorpusUpload.State.IMPORTED
    return {
        "shows_equal": adds or any(equal for _, _, equal, _ in counts),
        "shows_different": adds or any(different for _, _, _, different in counts),
    }


def _has_passages(upload: CorpusUpload, files: list[dict[str, Any]]) -> bool:
    return upload.corpus_id is not None or any(
        file["kind"] != Kind.TABLE or "passages" in file["row"].mapping.get("columns", {})
        for file in files
    )


def _is_alone(file: UploadedFile, upload: CorpusUpload, files: list[UploadedFile]) -> bool:
    """Whether nothing else brings what a file numbers, so that its numbers begin with 1."""
    brings = {Kind.TABLE, Kind.TOPICS, Kind.RESPONSES, *AS_THEY_ARE}
    others = {kind_of(other) for other in files if other.pk != file.pk}
    return upload.corpus_id is None and others.isdisjoint({kind_of(file), *brings})


def _shown(file: UploadedFile, *, is_alone: bool = True) -> dict[str, Any]:
    """A file as the page shows it: its kind, its first rows, and what is open."""
    look, mapping, kind = file.look, file.mapping, kind_of(file)
    is_ours = kind in list(Kind) and look["names"] != [""]
    can_map = not look["fault"] and look["names"] != [""] and kind not in AS_THEY_ARE
    numbered = numbered_fields(look, mapping, kind) if can_map else []
    ids = ids_of(look, mapping, kind) if numbered and is_alone else []
    fields = _fields(look, mapping, kind) if is_ours else []
    return {
        "row": file,
        "fault": look["fault"],
        "numbered": numbered,
        "shows_ids": bool(ids),
        "preview": list(zip(ids or [[]] * len(look["rows"]), look["rows"], strict=True)),
        "may_number": can_map and may_number(look, mapping),
        "is_table": kind == Kind.TABLE,
        "kind": kind,
        "kind_name": KINDS.get(kind, ""),
        "questions": [] if look["fault"] else open_questions(look, mapping),
        "can_map": can_map,
        "is_mapped": bool(mapping.get("columns")),
        "unread": unread_columns(look, mapping),
        "fields": fields,
        "kinds": _kinds(kind),
        "as_shown": json.dumps({"kind": kind, "fields": _chosen(fields)}),
    }


def _kinds(kind: str) -> list[tuple[str, Any]]:
    """What its rows may be; what they are is among it, or a browser would choose another."""
    here = {plain: theirs for theirs, plain in PLAIN.items() if theirs == kind}
    return [(here.get(each, each).value, KINDS[each]) for each in TO_CHOOSE]


def _chosen(fields: list[dict[str, Any]]) -> dict[str, str]:
    return {field["name"]: field["chosen"] for field in fields}


def _fields(look: dict[str, Any], mapping: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """Our fields of the kind, each with the columns it may be."""
    columns = mapping.get("columns") or {name: name for name in look["names"]}
    fixed = mapping.get("fixed", {})
    found = []
    for name, is_needed in fields_of(Kind(kind)).items():
        chosen = f"all:{fixed[name]}" if name in fixed else f"column:{columns.get(name, '')}"
        if name in mapping.get("numbered", ()):
            chosen = "number:"
        choices = [(f"column:{column}", column) for column in look["names"]]
        choices += [
            (f"all:{value}", gettext("all: {value}").format(value=value))
            for value in gathering.FIXED.get(name, ())
        ]
        if name == OWN_KEYS.get(Kind(kind)):
            choices.append(("number:", gettext("numbered by Crowdwright")))
        found.append(
            {
                "name": name,
                "title": name.replace("_", " "),
                "is_key": name in KEYS and (kind, name) != (Kind.TABLE, "system"),
                "is_numbered": kind == Kind.TABLE and name in ("topic", "response"),
                "needed": is_needed,
                "chosen": chosen if any(value == chosen for value, _ in choices) else "",
                "choices": choices,
            }
        )
    return found


# -- Files ---------------------------------------------------------------------------------------
@csrf_exempt
@login_required
@require_POST
def upload_files(request: HttpRequest, pk: int) -> HttpResponse:
    """Take files. Who asks is known before any of them is read; the token is looked at after."""
    one = upload_for(request.user, pk=pk)
    if arriving.is_too_large(request):
        messages.error(request, str(TooLarge(settings.UPLOAD_MOST_BYTES)))
        return redirect(one)
    request.upload_handlers = [arriving.ArrivingFiles(request)]
    return _take(request, one)


@csrf_protect
def _take(request: HttpRequest, upload: CorpusUpload) -> HttpResponse:
    files = arriving.arrived(request, "files")
    (handler,) = request.upload_handlers
    if getattr(handler, "has_stopped", False):
        messages.error(request, str(TooLarge(settings.UPLOAD_MOST_BYTES)))
    elif not files:
        messages.error(request, gettext("Choose at least one file."))
    else:
        try:
            if "chosen" in request.POST:
                _keep(request, upload, explained=0)  # chosen meanwhile for those that are there
            left_out = gathering.add_files(upload=upload, files=files)
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
        except Refusal as refusal:
            messages.error(request, told(refusal))
        else:
            if left_out:
                said = gettext(
                    "Left out, because they hold studies and no texts: {left_out}."
                ).format(left_out=", ".join(left_out))
                messages.info(request, said)
    return redirect(upload)


upload_files.takes_files = True  # type: ignore[attr-defined]


@login_required
@require_POST
def change_upload(request: HttpRequest, pk: int) -> HttpResponse:
    """One step on: a file removed or explained, the check, the import, the end."""
    one = upload_for(request.user, pk=pk)
    act, _, number = request.POST.get("act", "").partition(":")
    if act not in ACTS:
        raise Http404("There is no such step.")
    pk = _file(number)
    try:
        is_again = act == "check" and one.state == CorpusUpload.State.CHECKING  # pressed twice
        if act in ("remove", "kind", "map", "number", "check") and not is_again:
            _keep(request, one, explained=pk if act == "map" else 0)
        ACTS[act](request, one, pk)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    except Refusal as refusal:
        messages.error(request, told(refusal))
    if act == "discard" and not CorpusUpload.objects.filter(pk=pk).exists():
        return redirect("corpora")
    anchor = f"#file-{pk}" if act in ("kind", "map", "number") else ""
    return redirect(f"{one.get_absolute_url()}{anchor}")


def _file(number: str) -> int:
    return int(number) if number.isascii() and number.isdigit() and len(number) < 18 else 0


def _keep(request: HttpRequest, upload: CorpusUpload, *, explained: int) -> None:
    """What was chosen on the page for any file, whichever button was pressed: all are one form.

    Nothing is said of a file of which the page shows what it showed when it was made, unless it is
    the one that is `explained`: what was recognised, or said elsewhere, stays.
    """
    for file in upload.files.all():
        fields = _shown(file)["fields"]
        before = _before(request, file, fields)
        kind = request.POST.get(f"kind-{file.pk}", "")
        if kind and kind not in (kind_of(file), before["kind"]):
            gathering.say_kind(upload=upload, pk=file.pk, kind=kind)
        if kind and kind != kind_of(file):
            continue  # its fields are those of another kind
        said = {
            field["name"]: _sent(request.POST[name], field["choices"])
            for field in fields
            if (name := f"field-{file.pk}-{field['name']}") in request.POST
        }
        if said and (said != before["fields"] or file.pk == explained):
            gathering.map_columns(upload=upload, pk=file.pk, said=said, keeps_twice=True)
    gathering.choose(
        upload=upload,
        origin=request.POST.get("origin", ""),
        drops_citations=bool(request.POST.get("drops_citations")),
        drops_passages=bool(request.POST.get("drops_passages")),
        makes_copies=bool(request.POST.get("makes_copies")),
        origins=_origins(request),
    )


def _before(
    request: HttpRequest, file: UploadedFile, fields: list[dict[str, Any]]
) -> dict[str, Any]:
    """What a page showed of a file when it was made; what it would show now, if it does not say."""
    try:
        said = json.loads(request.POST.get(f"shown-{file.pk}", ""))
        return {"kind": said["kind"], "fields": said["fields"]}
    except (ValueError, TypeError, KeyError):
        return {"kind": kind_of(file), "fields": _chosen(fields)}


def _sent(value: str, choices: list[tuple[str, str]]) -> str:
    """What was chosen; a browser sends a line end in the name of a column as two characters."""
    same = (choice for choice, _ in choices if choice.splitlines() == value.splitlines())
    return next(same, value)


def _origins(request: HttpRequest) -> dict[str, str] | None:
    """Who wrote the texts of each system that the page asked about; None where it asked of none."""
    systems, said = request.POST.getlist("system"), request.POST.getlist("system_origin")
    return dict(zip(systems, said, strict=False)) if systems else None


def _remove(_: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    gathering.remove_file(upload=upload, pk=pk)


def _say_kind(request: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    """It is kept already, if it is another one; its columns stay where it is the same."""
    if not (kind := request.POST.get(f"kind-{pk}", "")) or kind not in KINDS:
        gathering.say_kind(upload=upload, pk=pk, kind=kind)


def _map(_: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    """It is kept already, as that of all files."""


def _number(_: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    gathering.number_rows(upload=upload, pk=pk)


def _check(_: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    if upload.state == CorpusUpload.State.CHECKING:
        return
    upload.refresh_from_db()
    checking.ask_to_check(upload=upload, task=work_on_upload)


def _count_from_one(request: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    if upload.state != CorpusUpload.State.CHECKING:  # not pressed twice
        counting.count_from_one(upload=upload)
        _check(request, upload, pk)


def _count_from_zero(request: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    if upload.state != CorpusUpload.State.CHECKING:  # not pressed twice
        counting.count_from_zero(upload=upload)
        _check(request, upload, pk)


def _rank_from_zero(request: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    if upload.state != CorpusUpload.State.CHECKING:  # not pressed twice
        counting.rank_from_zero(upload=upload)
        _check(request, upload, pk)


def _import(_: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    checking.ask_to_import(upload=upload, task=work_on_upload)


def _discard(_: HttpRequest, upload: CorpusUpload, pk: int) -> None:
    gathering.discard(upload=upload)


ACTS = {
    "remove": _remove,
    "kind": _say_kind,
    "map": _map,
    "number": _number,
    "check": _check,
    "count": _count_from_one,
    "count_0": _count_from_zero,
    "ranks": _rank_from_zero,
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
        raise Http404("There is no list of bad lines.") from error
    name = f"{one.slug}-bad-lines.csv"
    return FileResponse(file, as_attachment=True, filename=name, content_type="text/csv")


@login_required
@require_GET
def upload_sample(request: HttpRequest, kind: str) -> FileResponse:
    """A small file of a kind, to begin with."""
    if kind not in SAMPLES:
        raise Http404("There is no such sample.")
    sample = SAMPLES[Kind(kind)]
    return FileResponse(
        sample.path.open("rb"), as_attachment=True, filename=sample.name, content_type="text/csv"
    )


@login_required
@require_POST
def example_corpus(request: HttpRequest) -> HttpResponse:
    """The example, for somebody who begins."""
    return redirect(bring_example(owner=request.user))  # type: ignore[arg-type]
