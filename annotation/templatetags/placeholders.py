"""Filters for placeholders: `{{ study.instructions|filled:assignment|markdown }}`."""

from django import template

from annotation.fieldwork.work import placeholders

register = template.Library()
register.filter(placeholders.filled)
register.filter(placeholders.names_pay)
register.filter(placeholders.time_told)
