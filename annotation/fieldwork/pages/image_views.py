"""Images in the texts that a worker reads. The token in the address is the authority."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotation.corpora.images.shown import image_response
from annotation.fieldwork.pages.assignment_lookup import while_active
from annotation.models import Assignment


@require_GET
@while_active()
def image(request: HttpRequest, assignment: Assignment, digest: str) -> HttpResponse:
    """Send an image of the corpus of the worker's study."""
    return image_response(assignment.study.corpus_id, digest)
