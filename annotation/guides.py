"""Addresses of guides: pages of docs/ and their sections, as the server has them under /help/."""

import re

from django.urls import reverse

_TARGET = re.compile(r"([a-z0-9-]+(?:/[a-z0-9-]+)*)(#[\w-]+)?")


def guide_url(target: str) -> str:
    """Return the address of a guide, `read-the-results#trust`: a file of docs/ and a heading.

    Raises
    ------
    ValueError
        The target has another form. Whether it exists is for tests/config/test_guide_links.py.
    """
    parts = _TARGET.fullmatch(target)
    if parts is None:
        raise ValueError(f"{target!r} is no guide")
    page, section = parts.groups(default="")
    folder = f"{page}/".removesuffix("index/")
    return (reverse("help_page", args=[folder]) if folder else reverse("help")) + section
