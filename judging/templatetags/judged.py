"""What the console's page of a study shows of a judging study."""

from typing import Any

from django import template

from annotation.models import Study

register = template.Library()


@register.simple_tag
def parts_of(study: Study) -> list[dict[str, Any]]:
    """What a study of several instruments asks, one row an instrument."""
    instruments = list(study.instruments.all())
    if len(instruments) < 2:
        return []
    return [
        {
            "key": each.key,
            "title": each.title,
            "items": each.task_items.filter(item__check_of=None).values("item").distinct().count(),
            "questions": each.questions.count(),
        }
        for each in instruments
    ]
