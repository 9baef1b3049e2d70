"""The address that Prolific sends its webhooks to. Whoever has the secret is Prolific."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from annotation import jobs, tasks
from annotation.clock import database_now
from annotation.fieldwork.recruiting.prolific import receiving_webhooks
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error


@csrf_exempt
@require_POST
def webhook(request: HttpRequest) -> HttpResponse:
    """Take a message once; another time it is answered as if it were taken again."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdigit() or int(length) > receiving_webhooks.MAX_BODY_BYTES:
        return JsonResponse({"sentence": "The body is too large."}, status=413)
    try:
        event = receiving_webhooks.hear(
            body=request.body,
            timestamp=request.headers.get("X-Prolific-Request-Timestamp", ""),
            signed=request.headers.get("X-Prolific-Request-Signature", ""),
            event_id=request.headers.get("X-Event-ID", ""),
            now=database_now(),
        )
    except Refusal as error:
        return JsonResponse({"sentence": translated_error(error)}, status=error.status)
    if event is not None:
        jobs.send(tasks.ask_after, event.pk)
    return HttpResponse(status=204)
