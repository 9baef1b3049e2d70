"""What score does each response get on average?"""

from analysis.inputs.asked import Asked, Tables, table
from analysis.stats.effects.means import mean_scores


def means(asked: Asked) -> Tables:
    """The mean score of each item, with its interval and n."""
    frame = asked.frame[asked.frame["counted"]]
    result = mean_scores(frame, confidence=asked.confidence)
    return {"means": table(result.frame[["item", "mean", "low", "high", "n", "sd"]])}
