"""The status page of the server, for administrators."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from annotation.texts.sentences import marked
from config import health, metric_gauges

CHECKS = {
    "database": marked("Database"),
    "migrations": marked("Database schema"),
    "broker": marked("Job queue"),
    "clock": marked("Scheduled jobs"),
    "disk": marked("Disk space for uploads"),
    "key": marked("Key for platform IDs"),
    "journal": marked("Journal of withdrawals"),
}
# Of metric_gauges: name, values of its labels, title.
FACTS = (
    ("queue_jobs", (), marked("Jobs waiting")),
    ("queue_oldest_seconds", (), marked("Oldest waiting job, seconds")),
    ("analysis_steps", ("queued",), marked("Analysis steps waiting")),
    ("analysis_steps", ("running",), marked("Analysis steps running")),
    ("analysis_steps", ("failed",), marked("Analysis steps failed")),
    ("uploads_busy", (), marked("Uploads in progress")),
    ("mails_refused", (), marked("E-mails refused by the mail server")),
    ("budgets", ("nearly_spent",), marked("Studies near their budget")),
    ("budgets", ("spent",), marked("Studies with a spent budget")),
)


@login_required
@require_GET
def server_status(request: HttpRequest) -> HttpResponse:
    """Show the checks of /ready and what waits; a part that is away has no number."""
    if not request.user.is_superuser:
        raise Http404("There is no such page.")
    findings = health.kept.current()
    gauges = metric_gauges.read()
    facts = [
        (gettext(title), round(gauges[name][2].get(labels, 0)) if name in gauges else None)
        for name, labels, title in FACTS
    ]
    context = {
        "checks": [(name, gettext(title), findings[name].is_ok) for name, title in CHECKS.items()],
        "facts": facts,
        "version": settings.VERSION,
    }
    return render(request, "console/server_status.html", context)
