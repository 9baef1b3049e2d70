"""Filters for figures."""

from django import template

from annotation.texts import figures

register = template.Library()
for function in (
    figures.span,
    figures.span_exactly,
    figures.minutes,
    figures.inside,
    figures.clock,
    figures.figure,
    figures.money,
    figures.percentage,
):
    register.filter(function)
