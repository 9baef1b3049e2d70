"""Words that a page of the console may have: in its `main`, as somebody sees it who opens it.

Not counted: what is hidden, choices of lists, texts in fields, plots, frames, and what a budget
leaves to others. Numbers count as words.
"""

from dataclasses import dataclass
from html.parser import HTMLParser

STUDY = "/studies/demo-pairwise/1/"
PARTS = ("systems", "responses", "agreement", "orders", "workers", "texts", "cost")
WRITING = "/studies/demo-writing/1/"
REVIEW = f"{WRITING}review/"
NEVER_COUNTED = {
    "script",
    "style",
    "template",
    "dialog",
    "svg",
    "select",
    "textarea",
    "iframe",
    "noscript",
}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
ROWS = ("data-row",)
PANEL = ("data-panel",)
FOLDS = ("data-folds",)
DOCK = ("data-dock", "data-sum", "data-beside")  # plan of the draft, preview
SUBMITTED = ("data-submitted-text",)
OWN = ("data-elements", "data-systems", "data-text-preview")  # words of the study itself


@dataclass(frozen=True)
class Budget:
    """At most `most` words at an address.

    without: attributes of elements that are not counted. within: the attribute of the element that
    alone is counted, in place of `main`. opens_folds: also counts what is in closed <details>.
    newcomer: as somebody sees it who has no study yet.
    """

    page: str
    address: str
    most: int
    without: tuple[str, ...] = ()
    within: str = ""
    opens_folds: bool = True
    newcomer: bool = False


SECTIONS = ("texts", "instructions", "forms", "design", "recruitment", "quality")
SHORT = (  # page, address, words with all folds closed
    ("Corpus", "/corpora/demo/", 140),
    ("Banks", "/corpora/demo/banks/", 60),
    ("Proposed queries", "/corpora/demo/queries/", 70),
    ("Generate queries", "/corpora/demo/queries/new/", 180),
    ("Papers", "/papers/", 80),
    ("Recruit", f"{STUDY}recruit/", 200),
    ("Data retention", f"{STUDY}recruit/data/", 200),
    ("Screening", f"{STUDY}recruit/screening/", 150),
    ("Sessions", f"{STUDY}sessions/", 60),
    ("Coding", f"{STUDY}coding/", 60),
    ("Comments", f"{STUDY}comments/", 60),
    ("LLM judges", f"{STUDY}machines/", 80),
    ("Set up LLM judge", f"{STUDY}machines/new/", 170),
    ("LLM authors", f"{WRITING}authors/", 60),
    ("Set up LLM author", f"{WRITING}authors/new/", 140),
    ("Export", f"{STUDY}exports/", 250),
)
BUDGETS = (
    Budget("First page", "/", 120, newcomer=True),
    Budget("Methods", "/methods/", 420),
    Budget("Upload check", "{upload}", 200),  # of files without a problem; 25 more for each
    Budget("Import labels", f"{STUDY}raters/labels/", 100),
    Budget("Label check", "{labels}", 150),  # of a file without a problem; 25 more for each
    *(
        Budget(f"Builder: {section}", f"{{draft}}{section}/", 120, without=(*DOCK, *OWN))
        for section in SECTIONS
    ),
    *(
        Budget(page, f"{{draft}}{page.lower()}/", 180, without=DOCK)
        for page in ("Plan", "Check", "Launch")
    ),
    Budget("Overview", STUDY, 180),
    Budget("Overview: writing", WRITING, 180, without=ROWS),
    *(Budget(page, address, most, opens_folds=False) for page, address, most in SHORT),
    Budget("Review", REVIEW, 60, without=(*ROWS, *PANEL)),
    Budget("Review: panel", "{panel}", 90, SUBMITTED, within="data-work", opens_folds=False),
    Budget("Review: judging panel", "{judging_panel}", 90, within="data-work", opens_folds=False),
    Budget("Results", f"{STUDY}results/", 300, opens_folds=False),
    *(
        Budget(f"Results: {part}", f"{STUDY}results/{part}/", 500, opens_folds=False)
        for part in PARTS
    ),
    Budget("Results: above the folds", f"{STUDY}results/", 150, without=FOLDS, opens_folds=False),
)


class _Words(HTMLParser):
    """Counts the words of a page within a budget."""

    def __init__(self, budget: Budget) -> None:
        super().__init__()
        self.budget = budget
        self.words = 0
        self.open: list[tuple[str, bool, bool]] = []  # tag, is it counted, is it a closed fold

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        named = dict(attrs)
        above = self.open[-1] if self.open else ("", False, False)
        within = self.budget.within
        begins = within in named if within else tag == "main"
        counted = (above[1] or begins) and not self._is_left_out(tag, named)
        if above[2] and tag != "summary":
            counted = False
        folded = tag == "details" and "open" not in named and not self.budget.opens_folds
        self.open.append((tag, counted, folded))

    def _is_left_out(self, tag: str, named: dict[str, str | None]) -> bool:
        classes = (named.get("class") or "").split()
        return (
            tag in NEVER_COUNTED
            or "hidden" in named
            or "popover" in named
            or "unseen" in classes
            or "menu-list" in classes  # a closed menu
            or any(name in named for name in self.budget.without)
        )

    def handle_endtag(self, tag: str) -> None:
        while self.open and any(tag == each[0] for each in self.open):
            if self.open.pop()[0] == tag:
                return

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1][1]:
            self.words += sum(any(map(str.isalnum, word)) for word in data.split())


def words_of(html: str, budget: Budget) -> int:
    """Return the words of a page that count for a budget."""
    parser = _Words(budget)
    parser.feed(html)
    return parser.words
