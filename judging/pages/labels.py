"""Page to import labels: a file and its rater."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from annotation.corpora.reading.lines import megabytes
from annotation.corpora.schema import BadLine
from annotation.corpora.uploads import request_files
from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act
from annotation.people.access.budgets import budgeted
from annotation.texts.translation import translated_error
from annotation.texts.untrusted import storable
from judging.labels import importing_files
from judging.labels.files import TooManyLines
from judging.labels.importing import LabelsRefused, choices_of, questions_of
from judging.labels.importing_files import BroughtLabels, LabelFile
from judging.labels.rubric import Grader
from judging.labels.rubric_importing import CannotImport
from judging.labels.saving import LabelReport
from judging.labels.values import BadMapping, ValueMapping
from judging.raters.registering import BadRater

RUBRIC = "rubric"
KINDS = (
    ("expert", gettext_lazy("an expert")),
    ("model", gettext_lazy("a model")),
    ("crowd", gettext_lazy("an external crowd (column “rater”)")),
    ("named", gettext_lazy("several raters (columns “rater” and “kind”)")),
)
UNKNOWN = (
    ("refuse", gettext_lazy("refuse the file and list them")),
    ("leave", gettext_lazy("skip and list them")),
    ("make", gettext_lazy("create items if the corpus has their contents")),
)
MOST_LINES = 100  # on the page
MOST_VALUES = 50  # that the page offers to map
REFUSE, LEAVE, AS = "", "leave", "as:"  # what becomes of a value; AS stands before an answer


class LabelsForm(forms.Form):
    """Form of the rater, whose properties are checked where raters are made."""

    kind = forms.ChoiceField(choices=())
    name = forms.CharField(required=False, max_length=100)
    model = forms.CharField(required=False, max_length=100)
    prompt_version = forms.CharField(required=False, max_length=100)
    settings = forms.CharField(required=False, max_length=300)
    question = forms.ChoiceField(required=False, choices=())
    unknown = forms.ChoiceField(choices=UNKNOWN)

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data, initial={"kind": "expert", "unknown": "refuse"})
        graded = gettext("graders in the file (Rubric passages)")
        kinds = [*KINDS, (RUBRIC, graded)] if importing_files.asks_about_points(study) else KINDS
        self.fields["kind"].choices = kinds  # type: ignore[attr-defined]
        questions = [("", gettext("none: every row has one")), *questions_of(study)]
        self.fields["question"].choices = questions  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        kind = data.get("kind")
        if kind in ("expert", "model") and not data.get("name"):
            self.add_error("name", gettext("Enter the rater's name."))
        if kind == "model" and not data.get("model"):
            self.add_error("model", gettext("Enter the model."))
        return data

    def grader(self) -> Grader:
        """Return the grader; a person has no prompt, even if one was typed before."""
        data = self.cleaned_data
        if data["kind"] != "model":
            return Grader(data["name"], data["kind"])
        of_model = (data["model"], data["prompt_version"], data["settings"])
        return Grader(data["name"], "model", *of_model)


@csrf_exempt
@login_required
@budgeted(per_minute=20)
@never_cache
@require_http_methods(["GET", "POST"])
def labels(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Show and handle the form. The person is known before the file is read, the token after."""
    study = access.study_for(
        request.user, slug=slug, version=version, may=Act.RUN, kind=Study.Kind.JUDGING
    )
    if request_files.is_too_large(request, most=importing_files.MOST_BYTES):
        fault = importing_files.too_large()
        return _page(request, study, LabelsForm(study=study), file_fault=fault, status=413)
    request.upload_handlers = [TemporaryFileUploadHandler(request)]
    return _labels(request, study)


labels.takes_files = True  # type: ignore[attr-defined]  # what annotation.fieldwork.pages.refusal_middleware asks


@csrf_protect
def _labels(request: HttpRequest, study: Study) -> HttpResponse:
    if request.method == "GET":
        return _page(request, study, LabelsForm(study=study))
    form = LabelsForm(request.POST, study=study)
    is_right = form.is_valid()
    with _file(request, study) as file:
        if file is None:
            return _page(request, study, form, file_fault=gettext("Choose a file."), status=422)
        if not is_right:
            return _page(request, study, form, status=422)
        return _answer(request, study, form, file)


@contextmanager
def _file(request: HttpRequest, study: Study) -> Iterator[LabelFile | None]:
    """Return the file that was sent, or the labels of the corpus that were chosen."""
    file = request.FILES.get("file")
    if isinstance(file, TemporaryUploadedFile):
        yield LabelFile(Path(file.temporary_file_path()), storable(file.name or ""))
        return
    with importing_files.stored_labels(study, request.POST.get("stored", "")) as stored:
        yield stored


def _answer(request: HttpRequest, study: Study, form: LabelsForm, file: LabelFile) -> HttpResponse:
    try:
        brought = _bring(request, study, form, file)
    except (LabelsRefused, CannotImport) as error:
        lines = error.lines if isinstance(error, CannotImport) else error.report.bad_lines
        count = error.count if isinstance(error, CannotImport) else error.report.bad_line_count
        report = error.report if isinstance(error, LabelsRefused) else LabelReport(file.name)
        return _page(
            request, study, form, file_fault=translated_error(error), status=422,
            bad=_cells(lines), bad_count=count, report=report,
        )  # fmt: skip
    except (TooManyLines, BadMapping) as error:
        return _page(request, study, form, file_fault=translated_error(error), status=422)
    except BadRater as error:
        if form.cleaned_data["kind"] == RUBRIC:
            return _page(request, study, form, file_fault=translated_error(error), status=422)
        form.add_error("name", translated_error(error))
        return _page(request, study, form, status=422)
    return _page(
        request, study, LabelsForm(study=study), brought=_shown(brought), file_name=file.name
    )


def _bring(request: HttpRequest, study: Study, form: LabelsForm, file: LabelFile) -> BroughtLabels:
    assert isinstance(request.user, User)
    data = form.cleaned_data
    file = LabelFile(file.path, file.name, importing_files.BOUNDS)
    if data["kind"] == RUBRIC:
        return importing_files.bring_grades(
            study=study, file=file, by=request.user, now=timezone.now(), unknown=data["unknown"]
        )
    return importing_files.bring_labels(
        study=study,
        file=file,
        grader=form.grader(),
        by=request.user,
        now=timezone.now(),
        question=data["question"],
        unknown=data["unknown"],
        values=ValueMapping.of_pairs(
            _decided((value, answer) for _, value, answer in _chosen(request)),
            _decided(_chosen_questions(request)),
        ),
    )


def _decided(choices: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [
        (value, "" if answer == LEAVE else answer.removeprefix(AS))
        for value, answer in choices
        if answer != REFUSE
    ]


def _chosen_questions(request: HttpRequest) -> list[tuple[str, str]]:
    """Return name and choice of each question that the page offered to map."""
    columns = (request.POST.getlist(name) for name in ("asked", "asks"))
    return list(zip(*columns, strict=False))[:MOST_VALUES]


def _questions(request: HttpRequest, report: LabelReport) -> list[dict[str, Any]]:
    """Return the questions to map: those of the last file, and those with a choice."""
    chosen = dict(_chosen_questions(request))
    counts = dict.fromkeys(chosen, 0) | dict(report.foreign_questions.most_common(MOST_VALUES))
    return [
        {"name": name, "count": n, "choice": chosen.get(name, REFUSE)}
        for name, n in list(counts.items())[:MOST_VALUES]
    ]


def _chosen(request: HttpRequest) -> list[tuple[str, str, str]]:
    """Return question, value and choice of each value that the page offered to map."""
    columns = (request.POST.getlist(name) for name in ("of_question", "value", "answer"))
    return list(zip(*columns, strict=False))[:MOST_VALUES]


def _values(
    request: HttpRequest, study: Study, foreign: Counter[tuple[str, str]]
) -> list[dict[str, Any]]:
    """Return the values to map: those of the last file, and those with a choice."""
    chosen = {(question, value): answer for question, value, answer in _chosen(request)}
    counts = dict.fromkeys(chosen, 0) | dict(foreign.most_common(MOST_VALUES))
    questions = {question for question, _ in counts}
    answers = {
        question: [(f"{AS}{code}", words) for code, words in choices_of(study, question)]
        for question in questions
    }
    return [
        {
            "question": question,
            "value": value,
            "count": n,
            "choice": chosen.get((question, value), REFUSE),
            "answers": answers[question],
        }
        for (question, value), n in list(counts.items())[:MOST_VALUES]
    ]


def _page(
    request: HttpRequest,
    study: Study,
    form: LabelsForm,
    *,
    status: int = 200,
    report: LabelReport | None = None,
    **more: Any,
) -> HttpResponse:
    report = report or LabelReport("")
    is_in = "brought" in more
    context = {
        "study": study,
        "form": form,
        "most": importing_files.MOST_BYTES,
        "most_megabytes": megabytes(importing_files.MOST_BYTES),
        "values": [] if is_in else _values(request, study, report.foreign),
        "asked": [] if is_in else _questions(request, report),
        "questions": [(f"{AS}{key}", text) for key, text in questions_of(study)],
        "stored": study.corpus.labels.defer("content") if study.corpus else (),
        "chosen_labels": request.POST.get("stored", ""),
        "is_of_corpus": "file" not in request.FILES,
        **more,
    }
    return render(request, "console/labels.html", context, status=status)


def _shown(brought: BroughtLabels) -> dict[str, Any]:
    remarks = [remark for _, report in brought.reports for remark in report.remarks]
    return {
        "reports": brought.reports,
        "left_out": brought.left_out,
        "remarks": _cells(remarks),
        "remark_count": sum(report.remark_count for _, report in brought.reports),
        "of_others": sum(report.of_others for _, report in brought.reports),
    }


def _cells(lines: list[BadLine]) -> list[dict[str, str]]:
    return [
        {"place": _place(line), "field": line.field, "reason": line.reason[:500]}
        for line in lines[:MOST_LINES]
    ]


def _place(line: BadLine) -> str:
    """Return the file and the line; line 0 is the file as a whole."""
    if not line.line:
        return line.file
    return gettext("{file}, line {line}").format(file=line.file, line=line.line)
