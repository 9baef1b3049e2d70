"""What the console's page of a study shows of a writing study."""

from django import template

from annotation.models import Study
from writing.studies import progress

register = template.Library()


@register.simple_tag
def texts_progress(study: Study) -> progress.TextsProgress:
    return progress.progress_of(study)
