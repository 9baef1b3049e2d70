"""Expectations of the errors of analyses and exports by their codes."""

from functools import partial

from analysis.exports.source import CannotExport
from analysis.plots.markup import CannotPlot
from analysis.stats.errors import CannotCompute
from tests.coded_errors import raises

cannot_compute = partial(raises, CannotCompute)
cannot_export = partial(raises, CannotExport)
cannot_plot = partial(raises, CannotPlot)
