"""Plots as SVG, drawn by the server: pure functions from plain data to a string.

Each plot is an image to assistive technology (title and description hold the main numbers),
follows the page's colours by classes, and is drawn in two widths: WIDE, and NARROW for a
telephone. `standalone` makes a file of it, `stylesheet` serves a page with many.
"""

from analysis.plots.empty import empty
from analysis.plots.forest import Estimate, forest
from analysis.plots.marks import NARROW, WIDE
from analysis.plots.rows import Reference
from analysis.plots.style import standalone, stylesheet

__all__ = [
    "NARROW",
    "WIDE",
    "Estimate",
    "Reference",
    "empty",
    "forest",
    "standalone",
    "stylesheet",
]
