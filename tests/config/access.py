"""Who gets what at which address: the tables of test_access.py, and how they are read.

A cell is a status, or an arrow and the name of the address that a redirect leads to. A method
that has no row of its own is answered 405.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver, resolve

# `active` work has no answer and no text yet, `complete` work can be handed in. Nobody took the
# place of `expired` work, somebody that of `late` work. What is sent is in test_access.py.
ANY_KIND = """
                    arrived        active         complete       submitted  accepted  rejected  returned  expired     late   withdrawn
GET   work          200            →kind:work     →kind:work     →done      →done     →done     →done     →kind:work  410    →done
POST  consent       →instructions  →instructions  →instructions  410        410       410       410       410         410    410
GET   instructions  →work          200            200            →work      →work     →work     →work     →work       →work  →work
GET   return_task   200            200            200            410        410       410       →done     410         410    410
POST  return_task   →done          →done          →done          410        410       410       →done     410         410    410
GET   withdraw      200            200            200            200        200       200       200       200         200    →done
POST  withdraw      →done          →done          →done          →done      →done     →done     →done     →done       →done  →done
GET   done          →work          →work          →work          200        200       200       200       200         200    200
"""  # noqa: E501 - a table
JUDGING = """
                       arrived  active         complete         submitted  accepted  rejected  returned  expired  late   withdrawn
GET   judging:work     →work    →judging:item  →judging:finish  →work      →work     →work     →work     →work    →work  →work
GET   judging:item     →work    200            200              →work      →work     →work     →work     →work    →work  →work
POST  judging:here     410      200            200              410        410       410       410       200      410    410
POST  judging:answers  410      200            200              410        410       410       410       200      410    410
GET   judging:finish   →work    200            200              →work      →work     →work     →work     →work    →work  →work
POST  judging:finish   →work    422            →done            →work      →work     →work     →work     →work    →work  →work
"""  # noqa: E501
WRITING = """
                      arrived  active          complete        submitted  accepted  rejected  returned  expired  late   withdrawn
GET   writing:work    →work    →writing:entry  →writing:write  →work      →work     →work     →work     →work    →work  →work
GET   writing:entry   →work    200             200             →work      →work     →work     →work     →work    →work  →work
POST  writing:entry   →work    →writing:write  →writing:write  →work      →work     →work     →work     →work    →work  →work
GET   writing:write   →work    →writing:entry  200             →work      →work     →work     →work     →work    →work  →work
POST  writing:here    410      409             200             410        410       410       410       409      410    410
POST  writing:log     410      200             200             410        410       410       410       200      410    410
GET   writing:finish  →work    →writing:entry  200             →work      →work     →work     →work     →work    →work  →work
POST  writing:finish  →work    →writing:entry  →done           →work      →work     →work     →work     →work    →work  →work
"""  # noqa: E501
# Who asks: somebody who is not logged in; a researcher on a judging study with work handed in
# and nothing analysed, on such a writing study, on a study that does not exist.
CONSOLE = """
                        anonymous  judging    writing    unknown
GET   api_studies       403        200        200        200
GET   api_findings      403        404        404        404
GET   results           →login     200        200        404
GET   results_part      →login     200        200        404
GET   results_rows      →login     404        404        404
GET   results_table     →login     404        404        404
GET   results_plot      →login     404        404        404
POST  analyse           →login     →results   →results   404
POST  cancel_analysis   →login     →results   →results   404
GET   export            →login     200        200        404
GET   studies           →login     200        200        200
GET   study             →login     200        200        404
POST  close_batch       →login     →study     →study     404
GET   corpora           →login     200        200        200
GET   corpus            →login     200        200        404
GET   corpus_part       →login     200        200        404
GET   corpus_topic      →login     200        200        404
GET   corpus_response   →login     200        404        404
GET   corpus_settings   →login     200        200        404
POST  corpus_settings   →login     →corpus_settings  →corpus_settings  404
POST  delete_corpus     →login     400        400        404
POST  bring_back_corpus  →login    →corpus    →corpus    404
GET   judged            →login     200        404        404
POST  judged_decide     →login     →judged    404        404
GET   raters            →login     200        404        404
GET   review            →login     404        200        404
GET   review_backup     →login     404        200        404
POST  review_backup     →login     404        422        404
GET   review_logs       →login     404        200        404
GET   review_work       →login     404        200        404
GET   review_playback   →login     404        409        404
GET   review_evidence   →login     404        200        404
POST  review_decide     →login     404        →review    404
GET   arrive            200        200        200        410
POST  arrive            200        200        200        410
GET   login             200        200        200        200
POST  login             200        200        200        200
GET   login_code        →login     →login     →login     →login
POST  login_code        →login     →login     →login     →login
GET   two_step          →login     200        200        200
POST  two_step_prepare  →login     →two_step  →two_step  →two_step
POST  two_step_on       →login     →two_step  →two_step  →two_step
POST  two_step_off      →login     →two_step  →two_step  →two_step
POST  logout            →login     →login     →login     →login
"""
# Who follows the link of a study on Prolific and names Bob, who has this work there: with the same
# submission, with another one in the same browser, with nothing but his id. They look (GET) or
# agree (POST) and are asked (200), told why not, or led to Bob's work or to other, new work.
ARRIVALS = """
                     arrived  active  submitted  rejected  returned  expired  withdrawn
GET   submission     →bobs    →bobs   200        200       200       200      410
POST  submission     →bobs    →bobs   →new       →new      →new      →bobs    410
GET   browser        →bobs    →bobs   200        200       200       200      410
POST  browser        →bobs    →bobs   →new       →new      →new      →bobs    410
GET   id             409      409     200        200       200       200      200
POST  id             409      409     →new       →new      →new      →new     →new
"""


@dataclass(frozen=True)
class Row:
    """A method at an address; `cells`: column -> what is answered."""

    method: str
    name: str
    cells: dict[str, str]


def rows_of(table: str) -> list[Row]:
    head, *lines = (line.split() for line in table.strip().splitlines())
    return [Row(m, name, dict(zip(head, cells, strict=True))) for m, name, *cells in lines]


def answer(response: object) -> str:
    """A response as a cell says it."""
    place = getattr(response, "url", "")
    if not place:
        return str(response.status_code)  # type: ignore[attr-defined]
    return f"→{resolve(place.partition('?')[0]).view_name}"


def addresses(
    resolver: URLResolver | None = None, prefix: str = "", namespace: str = ""
) -> Iterator[tuple[str, str]]:
    """Path and name of every address of the site, from the URL configuration."""
    for each in (resolver or get_resolver()).url_patterns:
        path = prefix + str(each.pattern)
        if isinstance(each, URLPattern):
            yield path, f"{namespace}{each.name}"
        else:
            inside = f"{namespace}{each.namespace}:" if each.namespace else namespace
            yield from addresses(each, path, inside)
