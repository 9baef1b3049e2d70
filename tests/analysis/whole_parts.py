"""Addresses of parts of the results with all their sections open."""

from django.urls import reverse


def whole_part(slug: str, version: int, part: str) -> str:
    return reverse("results_part", args=[slug, version, part]) + "?section=all"
