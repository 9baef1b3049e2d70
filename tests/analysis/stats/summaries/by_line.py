"""Measures of a summary line by line, against which those from labels are tested."""

from dataclasses import replace

import numpy as np

from analysis.stats.summaries.user_experience import PARTS, Weights, mean_gains, xux


def xux_by_chance(summary, weights, stops):
    """Return XUX_G; stops (L,) is the probability that a reader stops after each line.

    The probabilities add up to 1; readers beyond the end stop at the last line.
    """
    read = mean_gains(summary, weights)
    return float(np.asarray(stops) @ read)


def top_heavy_parts(summary, *, most_lines=None):
    """Return phi (6,): the contribution of each of PARTS to XUX at weight 1: XUX = w . phi.

    With comprehensiveness as a seventh part, SGSS = w . phi (preference_weights.py).
    """
    nothing = dict.fromkeys(PARTS, 0.0)
    alone = [Weights(**(nothing | {part: 1.0})) for part in PARTS]
    return np.array([xux(summary, weights, most_lines=most_lines) for weights in alone])


def without_headings(summary):
    """Return a degraded copy: its headings stay as empty lines that fit nothing."""
    sections = [
        replace(section, heading=[0.0] * len(section.heading)) for section in summary.sections
    ]
    return replace(summary, sections=sections)


def without_first_section(summary):
    """Return a degraded copy without its first section and its lines."""
    return replace(summary, sections=summary.sections[1:])
