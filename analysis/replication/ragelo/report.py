"""Report of a replication of RAGElo as one HTML file, with the known printed numbers."""

from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from analysis.replication.report import stylesheet

# Table 8 of the paper: averages of rows, in per cent, as printed; and table 6, its mean rating.
PRINTED_AVERAGE = {"RAG-Hybrid": 36.0, "RAGF-Hybrid": 44.3}
PRINTED_MEAN = 501.8


def report(found: dict[str, Any]) -> str:
    return render_to_string(
        "analysis/replication_ragelo.html",
        {
            **shown(found),
            "printed_mean": PRINTED_MEAN,
            "version": settings.VERSION,
            "styles": mark_safe(stylesheet()),
        },
    )


def shown(found: dict[str, Any]) -> dict[str, Any]:
    """Return the agents, best first, with the rows, means and counts that pages show."""
    ratings = found["elo"]
    agents = sorted(ratings["float"], key=lambda agent: -ratings["float"][agent]["mean"])
    rows = [
        {
            "agent": agent,
            "float": ratings["float"][agent],
            "truncated": ratings["truncated"][agent],
            "average": _percent(found["win_average"][agent]),
            "printed": PRINTED_AVERAGE.get(agent),
            "wins": [_percent(found["win_matrix"][agent].get(other)) for other in agents],
        }
        for agent in agents
    ]
    return {
        "agents": agents,
        "rows": rows,
        "means": {mode: _mean(mode_ratings) for mode, mode_ratings in ratings.items()},
        "counts": found["counts"],
        "set": found["settings"],
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _mean(ratings: dict[str, dict[str, float]]) -> float:
    return sum(rating["mean"] for rating in ratings.values()) / len(ratings)
