"""The address that Prometheus asks."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with all metrics; 404 unless the request has METRICS_TOKEN as its bearer token."""
    token = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "")
    if not token or not constant_time_compare(given, f"Bearer {token}"):
        raise Http404
    from config import metrics as counted  # which must know METRICS_DIR

    return HttpResponse(counted.page(), content_type="text/plain; version=0.0.4; charset=utf-8")
