"""The logs of a writing study to download."""

import tempfile
import zipfile

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.http import require_GET

from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act
from writing.exports.logfiles import ENDINGS, log_files


@login_required
@require_GET
def logs(request: HttpRequest, slug: str, version: int, kind: str) -> FileResponse:
    """Return a ZIP with a log for each submitted text; `left-out.txt` lists texts without one."""
    study = access.study_for(
        request.user, slug=slug, version=version, may=Act.EXPORT, kind=Study.Kind.WRITING
    )
    if kind not in ENDINGS:
        raise Http404("No such format.")
    access.record(user=request.user, act="downloaded logs", what=kind, of=study)
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
    left_out = []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for log_file in log_files(study, kind):
            if log_file.fault:
                left_out.append(f"{log_file.name}: {log_file.fault}\n")
            else:
                archive.writestr(log_file.name, log_file.text)
        if left_out:
            archive.writestr("left-out.txt", "".join(left_out))
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{slug}-{version}-logs-{kind}.zip")
