"""Filters for placeholders: `{{ assignment|instructions_shown|filled:assignment|markdown }}`."""

from django import template

from annotation.fieldwork.work import arms, placeholders

register = template.Library()
register.filter(arms.instructions_shown)
register.filter(placeholders.filled)
register.filter(placeholders.names_pay)
register.filter(placeholders.time_told)
