"""The places of a study: the same rail for drafts and for launched studies, of both kinds.

A new page of a study names itself in `pages` of its place. Only reads, and asks no database.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from annotation.models import Draft, Study
from annotation.people.access.roles import Act, may
from annotation.texts.sentences import marked


@dataclass(frozen=True)
class RailPlace:
    """A place in the navigation of a study.

    `address` is the name of its first page, `pages` the names of the others. `not_yet` is the
    reason why a draft has no such place.
    """

    title: str
    address: str
    pages: frozenset[str] = frozenset()
    may: Act = Act.VIEW
    not_yet: str = ""


THINGS = [
    *("worker_list", "worker_page", "erase_worker", "work_list", "task_list", "place_list"),
    "assignment_page",
    *("topic_list", "topic_page"),
    *("item_list", "item_page", "response_list", "response_page", "vote_list"),
    *("comment_list", "reason_list", "form_comment_list"),
    *("sessions", "session"),
    *("codings", "codebook_new", "coding", "code_unit", "reconcile_coding"),
    *("coder", "coder_new"),
    "submission_list",
    "call_list",
]  # analysis/pages/entities
DESIGN = RailPlace(marked("Design"), "study_design", frozenset({"study_design_section"}))
PLACES = (
    RailPlace(
        marked("Overview"),
        "study",
        not_yet=marked("Available after launch."),
    ),
    DESIGN,
    RailPlace(
        marked("Recruit"),
        "recruit",
        frozenset(
            {
                "batch_act",
                "sample",
                "study_data",
                "at_prolific",
                "contact_participant",
                "money",
                "entry_list",
                "contracts",
                "contract_change",
                "money_order",
                "money_bonus",
                "money_reject",
                "qualifications",
                "held_up",
            }
        ),
        not_yet=marked("Available after launch."),
    ),
    RailPlace(
        marked("Review"),
        "review",
        frozenset(
            {
                "review_panel",
                "review_together",
                "review_work",
                "review_backup",
                "machines",
                "machine_new",
                "machine",
                "authors",
                "author_new",
                "author",
                *THINGS,
            }
        ),
        not_yet=marked("Available after launch."),
    ),
    RailPlace(
        marked("Results"),
        "results",
        frozenset(
            {
                "results_part",
                "results_rows",
                "analysis_settings",
                "raters",
                "bring_labels",
                "label_upload",
                "judges",
                "vote_plans",
            }
        ),
        not_yet=marked("Available after launch."),
    ),
    RailPlace(
        marked("Export"),
        "exports",
        may=Act.EXPORT,
        not_yet=marked("Available after launch."),
    ),
)


@dataclass(frozen=True)
class RailEntry:
    """A place as displayed: a link, or muted with a reason.

    `current` is the value of aria-current: "page" on its first page, "true" on the others.
    """

    title: str
    address: str = ""
    why: str = ""
    current: str = ""


def of_study(study: Study, page: str) -> Iterator[RailEntry]:
    """Yield the places of a launched study that its reader may open; `page` is the current one."""
    for place in PLACES:
        if may(study, place.may):
            address = reverse(place.address, args=[study.slug, study.version])
            here = page == place.address
            deeper = "true" if page in place.pages else ""
            yield RailEntry(place.title, address, current="page" if here else deeper)


def of_draft(draft: Draft) -> Iterator[RailEntry]:
    """Every page of a draft is its design; the rest is still to come."""
    for place in PLACES:
        if place is DESIGN:
            yield RailEntry(place.title, draft.get_absolute_url(), current="true")
        else:
            yield RailEntry(place.title, why=place.not_yet)
