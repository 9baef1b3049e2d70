"""Page *Papers*: check and compare printed tables in uploaded files, of which nothing is stored."""

import csv
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from analysis.replication.contradictions import check_table
from analysis.replication.paper_replication import RAGELO, outcome_of
from analysis.replication.papers.report import rows_of
from analysis.replication.papers.table_files import BadTable, lines_of
from analysis.replication.ragelo.games import GAMES, BadGames, is_results
from analysis.replication.ragelo.report import shown as shown_games
from analysis.replication.table_rules import read_table
from analysis.stats.errors import CannotCompute
from annotation.people.access.budgets import budgeted
from annotation.texts.translation import translated_error
from annotation.texts.untrusted import storable

MOST_BYTES, LONGEST_NAME = 1_000_000, 200
MOST_FILES = 30  # tables of a paper
MOST_LINES, MOST_COLUMNS = 100, 60  # a leaderboard of TREC has 62 lines
MAX_CELLS = 8_000  # of all tables together: a check takes a quarter of a millisecond a cell
MAX_GAMES = 20_000  # of RAGElo: computed in 1.5 s
TITLES = {
    RAGELO: gettext_lazy("RAGElo: Rackauckas, Câmara and Zavrel (2024)"),
    "popp": gettext_lazy("Six methods for evaluating texts by language models: Popp et al."),
    "rubric": gettext_lazy("Rubric: Dietz (2024)"),
    "sgss": gettext_lazy("Structured summaries: Sakai et al."),
}
FORMS = {"html": ("report.html", "text/html"), "json": ("tables.json", "application/json")}


class RefusedUpload(ValueError):
    """An upload cannot be accepted; the message gives the reason."""


@login_required
@budgeted(per_minute=10)
@require_http_methods(["GET", "POST"])
def papers(request: HttpRequest) -> HttpResponse:
    """Show the page; uploads are within the limit of any request, so they are read in memory."""
    if request.method == "GET":
        return _page(request)
    paper, files = request.POST.get("paper", ""), request.FILES.getlist("files")
    with tempfile.TemporaryDirectory(prefix="crowdwright-papers-") as scratch:
        folder = Path(scratch)
        try:
            names = _laid_out(folder, files, paper)
            if paper not in TITLES:
                return _page(request, checked=[_checked(folder / name) for name in names])
            outcome = outcome_of(paper, folder)
        except (BadTable, BadGames, CannotCompute, RefusedUpload) as error:
            message = (
                translated_error(error)
                .replace(f"{folder}/", "")
                .replace(str(folder), gettext("The upload"))
            )
            return _page(request, paper=paper, fault=message, status=422)
    if form := FORMS.get(request.POST.get("as", "")):
        name, kind = form
        data = outcome.report if name == "report.html" else outcome.tables_json
        response = HttpResponse(data, content_type=f"{kind}; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{paper}-{name}"'
        return response
    shown: dict[str, Any] = {"tables": rows_of(outcome.replica)} if outcome.replica else {}
    if paper == RAGELO:
        shown["ragelo"] = shown_games(outcome.found)
    return _page(request, paper=paper, outcome=outcome, title=TITLES[paper], **shown)


def _laid_out(folder: Path, files: Sequence[UploadedFile], paper: str) -> list[str]:
    """Write the files to the folder and return their names. Raises RefusedUpload, BadTable."""
    if not files:
        raise RefusedUpload(gettext("Choose CSV tables."))
    if sum(file.size or 0 for file in files) > MOST_BYTES:
        raise RefusedUpload(gettext("Together, the tables exceed 1 MB."))
    if len(files) > MOST_FILES:
        raise RefusedUpload(gettext("Choose at most {number} tables.").format(number=MOST_FILES))
    names, cells = [], 0
    for file in files:
        name = Path(storable(file.name or "")).name
        results = paper == RAGELO and is_results(name)
        if (
            not (name.endswith(".csv") or results)
            or name in names
            or len(name.encode()) > LONGEST_NAME
        ):
            message = gettext("{file} isn't a .csv file.")
            raise RefusedUpload(message.format(file=name[:80]))
        (folder / name).write_bytes(file.read())
        names.append(name)
        if results or (paper == RAGELO and name == GAMES):
            _require_few_games(folder / name)
        else:
            cells += _cells_of(folder / name)
    if cells > MAX_CELLS:
        raise RefusedUpload(
            gettext("The tables have {cells} cells; the limit is {limit}.").format(
                cells=f"{cells:,}", limit=f"{MAX_CELLS:,}"
            )
        )
    return names


def _cells_of(path: Path) -> int:
    """Return the number of cells of a table. Raises RefusedUpload where it is too large."""
    lines = lines_of(path)
    if len(lines) > MOST_LINES or len(lines[0]) > MOST_COLUMNS:
        raise RefusedUpload(
            gettext(
                "{file} has over {lines} lines or {columns} columns: check it on the command line."
            ).format(file=path.name, lines=MOST_LINES, columns=MOST_COLUMNS)
        )
    return len(lines) * len(lines[0])


def _require_few_games(path: Path) -> None:
    """Raise RefusedUpload where all games together would take long."""
    with path.open(newline="", encoding="utf-8", errors="replace") as lines:
        try:
            rows = lines if is_results(path.name) else csv.reader(lines)
            games = sum(1 for _ in rows) - (not is_results(path.name))
        except csv.Error:
            return  # the reader of games names the line
    if games <= MAX_GAMES:
        return
    raise RefusedUpload(
        gettext("{file} has over {limit} games: compare them on the command line.").format(
            file=path.name, limit=f"{MAX_GAMES:,}"
        )
    )


def _checked(path: Path) -> dict[str, Any]:
    return {"file": path.name, "table": check_table(read_table(lines_of(path)))}


def _page(request: HttpRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {"papers": TITLES.items(), "games": GAMES, **more}
    return render(request, "console/papers.html", context, status=status)
