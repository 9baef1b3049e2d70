"""What the person in front of a page may do, so that it offers nothing else."""

from django import template

from annotation.people.access.roles import may

register = template.Library()
register.filter("may", may)
