"""Permissions of the reader of a page, so that it offers nothing else."""

from django import template

from annotation.people.access.roles import may

register = template.Library()
register.filter("may", may)
