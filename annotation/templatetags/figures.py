"""Filters for figures."""

from django import template

from annotation.texts import number_formats

register = template.Library()
for function in (
    number_formats.span,
    number_formats.span_exactly,
    number_formats.minutes,
    number_formats.inside,
    number_formats.clock,
    number_formats.figure,
    number_formats.money,
    number_formats.percentage,
):
    register.filter(function)
