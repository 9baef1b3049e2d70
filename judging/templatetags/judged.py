"""Parts of the console's page of a judging study."""

from typing import Any

from django import template

from annotation.models import Assignment, Study
from judging.models import Judgment

register = template.Library()


@register.simple_tag
def parts_of(study: Study) -> list[dict[str, Any]]:
    """Describe the instruments of a study with several, one row each."""
    instruments = list(study.instruments.all())
    if len(instruments) < 2:
        return []
    return [
        {
            "key": instrument.key,
            "title": instrument.title,
            "items": instrument.task_items.filter(item__check_of=None)
            .values("item")
            .distinct()
            .count(),
            "questions": instrument.questions.count(),
        }
        for instrument in instruments
    ]


@register.simple_tag
def saved_answers(study: Study) -> dict[str, int]:
    """Return the numbers of workers at work and of their answers so far."""
    at_work = Assignment.objects.filter(study=study, state__in=Assignment.LIVE)
    judgments = Judgment.objects.filter(assignment__in=at_work.values("pk"), item__check_of=None)
    return {"workers": at_work.count(), "answers": judgments.exclude(raw="").count()}
