"""The section of a draft where a design of low power is changed."""

from types import SimpleNamespace

import pytest

from annotation.studies.drafts.plan_results import Chance, PlannedPower
from annotation.studies.drafts.warnings import power

PLANNED, MOST = Chance(5, 0.3, "", 20), Chance(20, 0.6, "", 80)
ENOUGH = Chance(8, 0.85, "", 32)


@pytest.mark.parametrize(
    ("found", "tasks", "path"),
    [
        ({"enough": ENOUGH}, 3, "quota"),
        ({"lever": "raters"}, 3, "recruitment/tasks_per_worker"),
        ({"lever": "raters"}, 1, "design/topics"),
        ({"lever": "topics"}, 3, "design/topics"),
    ],
)
def test_low_power_points_to_its_lever(found, tasks, path):
    sureness = PlannedPower(planned=PLANNED, most=MOST, systems=3, topics=24, **found)
    look = SimpleNamespace(
        outline=True,
        foresight=SimpleNamespace(sureness=sureness),
        document=SimpleNamespace(recruitment=SimpleNamespace(tasks_per_worker=tasks)),
        of_first=lambda *_: "quota",
    )
    [fault] = power(look)
    assert fault.path == path
