"""What the console's page of a study shows of a judging study."""

from django import template

from annotation.models import Study
from judging.review import views as review_views

register = template.Library()


@register.simple_tag
def held_in(study: Study) -> int:
    return review_views.held_in(study)
