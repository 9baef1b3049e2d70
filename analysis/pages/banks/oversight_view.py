"""Page of the work lists of a bank."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.pages.banks.evidence import shown_rows
from analysis.pages.banks.work_lists import WorkLists
from annotation.console.corpora_views import head
from annotation.lists import page_of, parameter
from annotation.people import access
from annotation.people.access import Act
from judging.pages.banks import OVERSIGHT, WEIGHTS, bank_of

ROWS_A_PAGE = 20


@login_required
@require_GET
def oversight(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a work list of entries or passages that need review."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    bank = bank_of(corpus, pk)
    lists = WorkLists.of(bank)
    by_name = lists.by_name
    fullest = next((name for name in OVERSIGHT if by_name[name]), OVERSIGHT[0])
    asked = parameter(request, "list")
    name = asked if asked in OVERSIGHT else fullest
    page = page_of(by_name[name], request, rows_a_page=ROWS_A_PAGE)
    secrets = access.may(corpus, Act.EDIT)
    rows = shown_rows(lists, list(page.object_list), secrets=secrets, systems=name in SYSTEMS)
    context = head(corpus, "banks") | {
        "bank": bank,
        "lists": {each: len(by_name[each]) for each in OVERSIGHT},
        "oversees": name,
        "page": page,
        "rows": rows,
        "weights": WEIGHTS,
        "level": lists.of_bank.level,
        "relevant": lists.of_bank.relevant,
        "has_judgments": lists.of_bank.has_judgments,
        "has_grades": bool(lists.findings.newest),
    }
    return render(request, "console/banks/oversight.html", context)


SYSTEMS = ("universal", "hard")
