"""Plots as SVG, drawn by the server: pure functions from plain data to a string.

Each plot is an image to assistive technology (title and description contain the main numbers),
follows the page's colours by classes, and is drawn in two widths: WIDE, and NARROW for a telephone.
An analysis draws its own by the families (forest, histogram, boxes, matrix, curves, scatter);
`agreement` and `citations` are shared by several. `standalone` makes a file of a plot, `stylesheet`
serves a page with many.
"""

from analysis.plots.curves import Curve, CurvePoint, curves
from analysis.plots.distribution import BoxSample, boxes, histogram
from analysis.plots.empty import empty
from analysis.plots.forest import ForestEstimate, forest
from analysis.plots.marks import NARROW, WIDE
from analysis.plots.matrix import matrix
from analysis.plots.rows import Reference
from analysis.plots.scatter import Spot, scatter
from analysis.plots.style import standalone, stylesheet

__all__ = [
    "NARROW",
    "WIDE",
    "BoxSample",
    "Curve",
    "CurvePoint",
    "ForestEstimate",
    "Reference",
    "Spot",
    "boxes",
    "curves",
    "empty",
    "forest",
    "histogram",
    "matrix",
    "scatter",
    "standalone",
    "stylesheet",
]
