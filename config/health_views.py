"""Health endpoints for a proxy, a container engine or a monitor."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from config import health


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
