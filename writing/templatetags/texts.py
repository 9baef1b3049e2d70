"""Parts of the console's page of a writing study."""

from django import template

from annotation.models import Assignment, Study
from writing.review import progress

register = template.Library()


@register.simple_tag
def texts_progress(study: Study) -> progress.TextsProgress:
    return progress.progress_of(study)


@register.simple_tag
def writers_at_work(study: Study) -> int:
    return Assignment.objects.filter(study=study, state__in=Assignment.LIVE).count()
