"""Problems and settings of an upload as rows of its page, each with its choices. Only reads."""

from typing import Any

from annotation.console import problem_choices
from annotation.corpora.remedies import Problem, Remedy
from annotation.corpora.uploads.places import place_of

FOLDER = "console/upload/problems"
MOST_SAMPLES = 1


def rows_of(page: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the upload that `page` describes, what is refused first."""
    rows = [
        *_problems(page),
        *_without_remedy(page["report"]),
        *_citations(page),
        *_origin(page),
        *_passages(page),
        *([{"name": "copies"}] if page["has_summaries"] else []),
        *({"name": "doubt", "sentence": doubt} for doubt in page["report"].get("doubts", ())),
    ]
    return [{"template": f"{FOLDER}/{row['name']}.html", **row} for row in rows]


def _problems(page: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the classes of rows with problems, those without a choice first."""
    problems = [
        problem
        for problem in problem_choices.problems_of(page["report"])
        if not (problem["code"] == Problem.UNKNOWN_CITATION and _is_dropped(page))
    ]
    rows = [{"name": "problem", "problem": problem | _shown(problem, page)} for problem in problems]
    return sorted(rows, key=lambda row: not row["problem"]["is_open"])


def _shown(problem: dict[str, Any], page: dict[str, Any]) -> dict[str, Any]:
    """Return the selected remedy, the options and the first places of a class.

    The usual remedy is selected; one that needs words from a person is not.
    """
    usual = next((one for one in problem["remedies"] if one != Remedy.MAP), Remedy.ASK)
    needs_words = problem["remedies"][0] == Remedy.MAP
    selected = usual if problem["is_open"] and not needs_words else problem["chosen"]
    return {
        "selected": selected,
        "options": [
            option for option in problem["options"] if option[0] != Remedy.ASK or needs_words
        ],
        "samples": [
            sample | {"place": _place(sample, page)} for sample in problem["samples"][:MOST_SAMPLES]
        ],
        "has_values": any(option[0] == Remedy.MAP for option in problem["options"]),
    }


def _place(sample: dict[str, Any], page: dict[str, Any]) -> str:
    return place_of(
        sample["file"],
        sample["line"],
        sample["row"],
        is_table=sample["file"] in page["tables"],
        is_only=len(page["files"]) == 1,
    )


def _without_remedy(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the reasons for which a file has to be corrected."""
    places = report.get("without_remedy", ())
    return [{"name": "reason", **report["reasons"][place]} for place in places]


def _citations(page: dict[str, Any]) -> list[dict[str, Any]]:
    report = page["report"]
    rows: list[dict[str, Any]] = []
    if page["is_counted"] or (report.get("cites_no_0") and page["may_count_from_1"]):
        rows.append({"name": "counting", "is_counted": page["is_counted"]})
    if _is_dropped(page):
        problems = problem_choices.problems_of(report)
        titles = [one["title"] for one in problems if one["code"] == Problem.UNKNOWN_CITATION]
        rows.append({"name": "citations", "title": next(iter(titles), "")})
    return rows


def _is_dropped(page: dict[str, Any]) -> bool:
    """Return whether citations of unknown passages are ignored, in all files."""
    return bool(page["has_responses"] and page["choices"]["drops_citations"])


def _origin(page: dict[str, Any]) -> list[dict[str, Any]]:
    is_asked = page["wrote"].is_open or page["lacks_origin"] or page["choices"]["origin"]
    return [{"name": "origin"}] if page["has_responses"] and is_asked else []


def _passages(page: dict[str, Any]) -> list[dict[str, Any]]:
    is_refused = any(line[2] == "passage" for line in page["report"].get("lines", ()))
    is_shown = page["has_rankings"] and (is_refused or page["choices"]["drops_passages"])
    return [{"name": "passages"}] if is_shown else []
