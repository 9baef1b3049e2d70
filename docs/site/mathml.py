"""Formulas as MathML, which browsers draw without a script or a font from elsewhere."""

from typing import Any

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


def mathml(node: nodes.math | nodes.math_block) -> str:
    """Return a LaTeX formula as a MathML element; warn of a formula that has none."""
    formula = node.astext()
    try:
        return str(latex2mathml.tex2mathml(formula, as_block=isinstance(node, nodes.math_block)))
    except MathError as error:
        LOGGER.warning("No MathML for %s: %s", formula, error, location=node)
        return ""


def visit_math(writer: Any, node: nodes.math) -> None:
    writer.body.append(mathml(node))
    raise nodes.SkipNode


def visit_displaymath(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="math">{mathml(node)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_displaymath, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
