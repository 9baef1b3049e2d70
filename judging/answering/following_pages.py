"""Pages of a questionnaire that are sent together, ahead of their turn.

A worker could open each of them by its address now: none is sent before the practice pages are
answered. They come from the same template as a page that is opened by its address, so that checks
look like all others.
"""

from dataclasses import dataclass

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from judging.answering.page_layout import Page
from judging.answering.pages import read_slots
from judging.answering.progress import PartView
from judging.answering.questionnaire import Questionnaire

# A request costs 6 ms of CPU, each page 1 ms more. 20 pages hold most questionnaires, and take a
# server no longer than about three pages that are opened by their address.
MIN_PAGES, MAX_PAGES = 2, 20
MAX_LENGTH = 400_000  # characters of HTML, after which no page is added to the first two


@dataclass(frozen=True)
class PageFragment:
    """A page without what surrounds it."""

    page: Page
    address: str
    html: SafeString


@dataclass(frozen=True)
class FollowingPages:
    """Pages in order, and the instructions of each part that they belong to.

    `more` is the address of those after them, which the browser asks for a moment later; empty
    after the last page, and where the pages are long.
    """

    pages: list[PageFragment]
    instructions: list[SafeString]
    more: str = ""


def fragments(whole: Questionnaire, position: int) -> FollowingPages:
    """Return the next pages after a position: up to 20, or two where they are long."""
    if whole.open_practice is not None:
        return FollowingPages([], [])
    wanted = [page for page in whole.pages if page.position > position and whole.is_kept(page)]
    sent: list[PageFragment] = []
    parts: dict[int, PartView] = {}
    length = 0
    read_slots([page.first.item for page in wanted[:MAX_PAGES]])
    for page in wanted[:MAX_PAGES]:
        if len(sent) >= MIN_PAGES and length > MAX_LENGTH:
            break
        fragment, part = _fragment(whole, page)
        length += len(fragment.html)
        sent.append(fragment)
        if part is not None:
            parts.setdefault(part.number, part)
    instructions = [_instructions(whole, part) for part in parts.values()]
    is_cut = len(sent) == MAX_PAGES < len(wanted) and length <= MAX_LENGTH
    more = _address("following", whole, sent[-1].page) if is_cut else ""
    return FollowingPages(sent, instructions, more)


def _fragment(whole: Questionnaire, page: Page) -> tuple[PageFragment, PartView | None]:
    is_last = page.number == len(whole.pages)
    following = None if is_last else whole.pages[page.number].position
    context = whole.context(page, next_position=following)
    address = _address("item", whole, page)
    html = render_to_string("judging/_page.html", context)
    return PageFragment(page, address, html), context["part"]


def _address(view: str, whole: Questionnaire, page: Page) -> str:
    return reverse(f"judging:{view}", args=[whole.assignment.token, page.position])


def _instructions(whole: Questionnaire, part: PartView) -> SafeString:
    context = {"assignment": whole.assignment, "study": whole.assignment.study, "part": part}
    return render_to_string("worker/_instructions.html", context)
