"""Best system of each topic, by the scores of its responses."""

from collections import Counter
from dataclasses import dataclass

from analysis.analyses.groups import UNNAMED
from analysis.inputs.scores import response_scores
from analysis.pages.results.run_results import RunResults
from annotation.models import Response

DIGITS = 9  # closer scores are equal


@dataclass(frozen=True)
class TopicWinners:
    """Number of topics won by each system (its key), and the topics as (key, query, winner)."""

    won: Counter[str]
    topics: list[tuple[str, str, str]]

    @property
    def tied(self) -> int:
        """Number of topics without a single winner."""
        return sum(not winner for *_, winner in self.topics)

    def lost_by(self, group: str) -> list[tuple[str, str, str]]:
        """Return the topics that another system wins."""
        return [topic for topic in self.topics if topic[2] not in (group, "")]


def topic_winners(found: RunResults, question: str) -> TopicWinners:
    """Return the system with the highest mean score in each topic; '' where two share it."""
    return found.kept(f"topic-winners:{question}", lambda: _winners(found, question))


def _winners(found: RunResults, question: str) -> TopicWinners:
    scores = response_scores(found.run, questions=[question]).dropna(subset=["value"])
    rows = Response.objects.filter(corpus=found.run.study.corpus_id)
    named = {
        key: (topic, query, system or UNNAMED.get(origin, origin))
        for key, topic, query, system, origin in rows.values_list(
            "key", "topic__key", "topic__query", "system__key", "origin"
        )
    }
    values: dict[tuple[str, str], dict[str, list[float]]] = {}
    for response, value in zip(scores["response"], scores["value"], strict=True):
        if response in named:
            topic, query, system = named[response]
            values.setdefault((topic, query), {}).setdefault(system, []).append(value)
    topics = [
        (topic, query, _best(of_systems))
        for (topic, query), of_systems in values.items()
        if len(of_systems) > 1
    ]
    return TopicWinners(Counter(winner for *_, winner in topics if winner), topics)


def _best(of_systems: dict[str, list[float]]) -> str:
    means = {name: round(sum(of) / len(of), DIGITS) for name, of in of_systems.items()}
    highest = max(means.values())
    best = [name for name, mean in means.items() if mean == highest]
    return best[0] if len(best) == 1 else ""
