"""Rows of a table of results: `{% cells row %}`.

Written by Python and not by a template: a page of results has thousands of cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

if TYPE_CHECKING:  # it loads pandas, and every command loads this: it checks the templates
    from analysis.exports.readable_tables import TableCell

register = template.Library()


@register.simple_tag
def cells(row: Sequence[TableCell]) -> SafeString:
    """Return the cells of a row, the first as its head; numbers carry their sort value."""
    first, *others = row
    value = f' class="num" data-value="{escape(first.value)}"' if first.number else ""
    written = [f'<th scope="row"{value}>{_text(first)}</th>']
    for cell in others:
        value = f' class="num" data-value="{escape(cell.value)}"' if cell.number else ""
        written.append(f"<td{value}>{_text(cell)}</td>")
    return mark_safe("".join(written))


def _text(cell: TableCell) -> str:
    text = escape(cell.text)
    return f'<a href="{escape(cell.link)}">{text}</a>' if cell.link else text
