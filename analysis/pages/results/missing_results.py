"""Reasons for results that a run could not compute, each once, with their remedy.

Sections with nothing but reasons share one list.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from analysis.pages.results.sections import ResultsSection

# Reasons are stored as analyses wrote them; those of older runs say "it takes 10 and there are 2".
# One that goes on ("3 people (you have 0) with 30 items each") asks for something else; one with
# its counts last ("6 topics and 6 participants (you have 3 topics and 4 …)") would mix them up.
TAKES = re.compile(
    r"(\d+) (participants|workers|people|topics|systems|items(?: or topics| with two votes or more"
    r"| of one (?:worker|participant))?) (?:and there (?:is|are) |\(you have )(\d+)"
    r"(?!\d|\)? with | \w+ and \d)"
)
TWO_VOTES = re.compile(r"[Nn]o item has (?:at least two votes|two votes|more)\b")
OLDER = {"workers": "participants", "items of one worker": "items of one participant"}


@dataclass(frozen=True)
class Lack:
    """Reason with its analyses: the title of each, and the name at its first mention."""

    reason: str
    about: Sequence[tuple[str, str]]


def is_empty(section: ResultsSection, computed: Iterable[str]) -> bool:
    """Return whether a section has nothing but reasons on the page."""
    if not section.sentences:
        return False
    has_panel = section.name in computed and (section.panel.above or section.panel.below)
    return not (section.figures or section.tables or section.long or has_panel)


def lacks_of(sections: Iterable[ResultsSection]) -> list[Lack]:
    """Return the reasons of empty sections; shared reasons appear once."""
    names_by_reason: dict[str, list[tuple[str, str]]] = {}
    for section in sections:
        for number, reason in enumerate(section.sentences):
            name = "" if number else section.name
            names_by_reason.setdefault(reason, []).append((section.analysis.title, name))
    return [Lack(reason, about) for reason, about in names_by_reason.items()]


def needed(reasons: Iterable[str]) -> str:
    """Return a sentence with the remedies that the reasons name; or ''."""
    every = list(dict.fromkeys(reasons))
    cured = sum(bool(TAKES.search(sentence) or TWO_VOTES.search(sentence)) for sentence in every)
    wanted: dict[str, tuple[int, int]] = {}
    for reason in every:
        for least, called, present in TAKES.findall(reason):
            name = OLDER.get(called, called)
            most = max(int(least), wanted.get(name, (0, 0))[0])
            wanted[name] = (most, int(present))
    if "topics" in wanted and "items or topics" in wanted:
        del wanted["items or topics"]
    takes = [
        gettext("{least} {name} (you have {there})").format(least=least, name=name, there=present)
        for name, (least, present) in wanted.items()
    ]
    if any(TWO_VOTES.search(reason) for reason in every):
        takes.append(gettext("two votes on the same item"))
    if not takes:
        return ""
    listed = ", ".join(takes[:-1])
    together = gettext("{some} and {last}").format(some=listed, last=takes[-1])
    return _for_how_much(cured, len(every)).format(takes=together if listed else takes[-1])


def _for_how_much(cured: int, reasons: int) -> str:
    """Return how many of the reasons more people or texts would remove."""
    if cured == reasons:
        return gettext("All missing results need at least {takes}.")
    if 2 * cured > reasons:
        return gettext("Most missing results need at least {takes}.")
    return gettext("Some missing results need at least {takes}.")
