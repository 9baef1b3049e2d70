"""Page that fills in the rest of a trial."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from annotation.clock import database_now
from annotation.models import Assignment
from judging.answering.views import while_judging
from judging.simulation import filling


@csrf_exempt
@require_POST
@while_judging
def fill_rest(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Answer the remaining pages of a trial and go on to the end. Studies have no such page."""
    filling.fill_rest(assignment=assignment, now=database_now())
    return redirect("judging:finish", assignment.token)
