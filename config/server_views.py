"""Pages about the server: health for a proxy or a container engine, metrics, its status."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_safe

from annotation.texts.sentences import marked
from config import health, metric_gauges

CHECKS = {
    "database": marked("Database"),
    "migrations": marked("Database schema"),
    "broker": marked("Job queue"),
    "clock": marked("Scheduled jobs"),
    "disk": marked("Disk space for uploads"),
    "key": marked("Key for platform IDs"),
    "journal": marked("Withdrawal log"),
}
# Of metric_gauges: name, values of its labels, title.
FACTS = (
    ("queue_jobs", (), marked("Jobs waiting")),
    ("queue_oldest_seconds", (), marked("Oldest waiting job, seconds")),
    ("analysis_steps", ("queued",), marked("Analysis steps waiting")),
    ("analysis_steps", ("running",), marked("Analysis steps running")),
    ("analysis_steps", ("failed",), marked("Analysis steps failed")),
    ("uploads_busy", (), marked("Uploads in progress")),
    ("mails_refused", (), marked("Emails refused by the mail server")),
    ("budgets", ("nearly_spent",), marked("Studies close to their budget limit")),
    ("budgets", ("spent",), marked("Studies with no budget left")),
)


@login_required
@require_GET
def server_status(request: HttpRequest) -> HttpResponse:
    """Show the checks of /ready and what waits; a part that is away has no number."""
    if not request.user.is_superuser:
        raise Http404("Page not found.")
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


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with all metrics; 404 unless the request has METRICS_TOKEN as its bearer token."""
    token = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "")
    if not token or not constant_time_compare(given, f"Bearer {token}"):
        raise Http404
    from config import metrics as counted  # which must know METRICS_DIR

    return HttpResponse(counted.page(), content_type="text/plain; version=0.0.4; charset=utf-8")


@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """Return 204, which shows that the process can still handle requests."""
    return HttpResponse(status=204)


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200, or 503 with the names of the checks that failed; no detail of any."""
    findings = health.kept.current()
    missing = [name for name, finding in findings.items() if not finding.is_ok]
    return JsonResponse(
        {
            "ready": not missing,
            "missing": missing,
            "checks": {name: {"ok": finding.is_ok} for name, finding in findings.items()},
        },
        status=503 if missing else 200,
    )
