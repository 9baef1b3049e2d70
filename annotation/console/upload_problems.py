"""Problems of an upload as rows of its page, each with its count, first place and choices."""

from typing import Any

FOLDER = "console/upload/problems"


def problems_of(page: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the problems of the upload that `page` describes, what is refused first."""
    problems = [
        *_refused(page),
        *_citations(page),
        *_origin(page),
        *_passages(page),
        *([{"code": "copies"}] if page["has_summaries"] else []),
        *({"code": "doubt", "sentence": doubt} for doubt in page["report"].get("doubts", ())),
    ]
    return [{"template": f"{FOLDER}/{problem['code']}.html", **problem} for problem in problems]


def _refused(page: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the reasons why rows are refused; those with a choice of their own come once."""
    report = page["report"]
    problems: list[dict[str, Any]] = [
        {"code": "reason", **reason} for reason in report.get("reasons", ())
    ]
    if report.get("empty_answers"):
        problems.append({"code": "empty_answers", "count": report["empty_answers"]})
    return problems


def _citations(page: dict[str, Any]) -> list[dict[str, Any]]:
    report = page["report"]
    problems: list[dict[str, Any]] = []
    if page["is_counted"] or (report.get("cites_no_0") and page["may_count_from_1"]):
        problems.append({"code": "counting", "is_counted": page["is_counted"]})
    is_dropped = page["choices"]["drops_citations"]
    if page["has_responses"] and (report.get("cites_unknown") or is_dropped):
        count = report.get("cites_unknown", 0)
        problems.append(
            {"code": "cites_unknown", "count": count, "is_dropped": is_dropped or bool(count)}
        )
    return problems


def _origin(page: dict[str, Any]) -> list[dict[str, Any]]:
    is_asked = page["wrote"].is_open or page["lacks_origin"] or page["choices"]["origin"]
    return [{"code": "origin"}] if page["has_responses"] and is_asked else []


def _passages(page: dict[str, Any]) -> list[dict[str, Any]]:
    is_refused = any(line[2] == "passage" for line in page["report"].get("lines", ()))
    is_shown = page["has_rankings"] and (is_refused or page["choices"]["drops_passages"])
    return [{"code": "passages"}] if is_shown else []
