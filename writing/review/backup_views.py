"""The page where a researcher brings in the backup file that a writer sent."""

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from annotation.clock import database_now
from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act
from annotation.people.access.budgets import budgeted
from annotation.texts.translation import translated_error
from annotation.texts.untrusted import storable
from writing.log import backups
from writing.review import restoring


class BackupForm(forms.Form):
    file = forms.FileField(
        error_messages={"required": "Please choose the file that the writer sent."}
    )
    submit = forms.BooleanField(required=False)


@login_required
@budgeted(per_minute=20)
@require_http_methods(["GET", "POST"])
def backup(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Take a backup, and say what became of each of its chunks."""
    study = access.study_for(
        request.user, slug=slug, version=version, may=Act.REVIEW, kind=Study.Kind.WRITING
    )
    posted = request.method == "POST"
    form = BackupForm(request.POST, request.FILES) if posted else BackupForm()
    restored = None
    if form.is_bound and form.is_valid():
        try:
            restored = restoring.restore(
                backup=backups.read(form.cleaned_data["file"].read()),
                now=database_now(),
                study=study,
                submit=form.cleaned_data["submit"],
            )
        except (backups.BadBackup, restoring.CannotRestore) as error:
            form.add_error("file", translated_error(error))
        else:
            name = storable(form.cleaned_data["file"].name or "")
            access.record(user=request.user, act="imported a backup", what=name, of=study)
    context = {
        "study": study,
        "form": form,
        "restored": restored,
        "sentences": restoring.sentences(restored) if restored else [],
        "most": settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    }
    status = 422 if posted and restored is None else 200
    return render(request, "console/backup.html", context, status=status)
