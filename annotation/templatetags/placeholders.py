"""Figures in what workers read: `{{ study.instructions|filled:assignment|markdown }}`."""

import re

from django import template

from annotation.models import Assignment, Study, Task
from annotation.templatetags.figures import money

register = template.Library()
PLACEHOLDER = re.compile(r"\{(items|minutes|pay)\}")


@register.filter
def filled(text: str, of: Assignment | Study) -> str:
    """The text with {items}, {minutes} and {pay} in figures; without an assignment of any task."""
    study = of.study if isinstance(of, Assignment) else of
    figures = {"minutes": str(study.minutes), "pay": money(study.pay, study.currency)}
    if "{items}" in text:
        tasks = Task.objects.filter(batch__study=study)
        task = of.task if isinstance(of, Assignment) else tasks.first()
        figures["items"] = str(task.item_count) if task else "some"
    return PLACEHOLDER.sub(lambda match: figures.get(match[1], match[0]), text)
