"""Pieces of a judging page that are remembered with holes for what is always another's.

A hole stands for attributes of a tag: a template has `{{ hole }}` there.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

HOLE = mark_safe('data-hole="\x00"')  # no escaped or cleaned text has a NUL beside a quotation mark


def pieces(template: str, **context: object) -> list[str]:
    """Return the HTML around the holes of a template, one piece more than there are holes."""
    return render_to_string(template, {**context, "hole": HOLE}).split(HOLE)


def filled(pieces: Sequence[str], attributes: Iterable[SafeString]) -> SafeString:
    """Return the HTML with these attributes in the holes."""
    pairs = chain.from_iterable(zip(pieces, attributes, strict=False))
    return mark_safe("".join([*pairs, pieces[-1]]))  # rendered by a template
