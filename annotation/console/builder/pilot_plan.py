"""A launch with a pilot: how many tasks go first, and what they and the rest cost. Only reads."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.studies.act_effects import Money, price
from annotation.studies.drafts.kinds import Outline
from annotation.studies.drafts.schema import Document
from annotation.studies.pilot_results import pilot_size


@dataclass(frozen=True)
class PilotPlan:
    """So many tasks `of` those of the main batch, and the rest that waits for what they teach."""

    tasks: int
    of: int
    places: int
    cost: Money
    rest_places: int
    rest_cost: Money

    @property
    def is_small(self) -> bool:
        """True if it costs little of the study; otherwise it is half a study to wait for."""
        return 3 * self.tasks < self.of


def pilot_tasks(sent: Mapping[str, str]) -> int:
    """Return the number of pilot tasks that a form wants: 0 for no pilot, -1 if it gives none."""
    if sent.get("first") != "pilot":
        return 0
    number = sent.get("pilot", "").strip()
    return int(number) if number.isascii() and number.isdigit() and len(number) < 9 else -1


def pilot_of(outline: Outline, document: Document, sent: Mapping[str, str]) -> PilotPlan | None:
    """Return the pilot that was typed or a default one; None if there are too few tasks."""
    main = outline.waves[-1]
    usual = pilot_size(main.tasks)
    if not usual:
        return None
    tasks = pilot_tasks({"first": "pilot", "pilot": sent.get("pilot", str(usual))})
    tasks = tasks if 0 < tasks < main.tasks else usual
    votes = main.votes
    recruitment = document.recruitment

    def costs(places: int) -> Money:
        return price(
            places=places, pay=outline.pay, platform=recruitment.platform, currency=outline.currency
        )

    places, rest = tasks * votes, main.places - tasks * votes
    return PilotPlan(tasks, main.tasks, places, costs(places), rest, costs(rest))
