"""Keys of answers that come without one: by their topic and their system. Pure."""

from collections import Counter
from dataclasses import dataclass, field

from annotation.corpora.formats.reranking import digest


@dataclass
class AnswerKeys:
    """Keys of the answers of a file: the same answer of a system to a topic has one key."""

    keys: dict[tuple[str, str, str], str] = field(default_factory=dict)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def key_of(self, topic: str, system: str, text: str) -> tuple[str, bool]:
        """Return the key of an answer, and whether it is new."""
        answer = topic, system, digest(text)
        if answer in self.keys:
            return self.keys[answer], False
        self.counts[topic, system] += 1
        number = self.counts[topic, system]
        self.keys[answer] = f"{topic}/{system}" + (f"/{number}" if number > 1 else "")
        return self.keys[answer], True
