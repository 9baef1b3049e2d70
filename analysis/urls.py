"""Addresses of the pages of results and exports, and of their API.

Views are imported with the first request for one: pandas and scipy take a second, and every command
and every server that looks up an address reads this file.
"""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import path, register_converter
from django.urls.converters import StringConverter
from django.utils.module_loading import import_string

from analysis import api, bank_api


def later(name: str) -> Callable[..., HttpResponseBase]:
    def view(request: HttpRequest, **places: object) -> HttpResponseBase:
        answer: HttpResponseBase = import_string(f"analysis.{name}")(request, **places)
        return answer

    return view


class KeyConverter(StringConverter):
    """A key of a corpus, which may have any character."""

    regex = r"[\s\S]+"


register_converter(KeyConverter, "key")
OF_STUDY = "studies/<slug:slug>/<int:version>/"
API = "api/studies/<slug:slug>/<int:version>/"
BANK = "corpora/<slug:slug>/banks/<int:pk>/"
urlpatterns = [
    path(f"api/{BANK}board/", bank_api.Board.as_view(), name="api_corpus_bank_board"),
    path(
        f"api/{BANK}assignments/",
        bank_api.Assignments.as_view(),
        name="api_corpus_bank_assignments",
    ),
    path(f"api/{BANK}agreement/", bank_api.Agreement.as_view(), name="api_corpus_bank_agreement"),
    path(f"api/{BANK}grades/", bank_api.Grades.as_view(), name="api_corpus_bank_grades"),
    path(
        f"api/{BANK}entries/<int:entry>/impact/",
        bank_api.ImpactOfDecisions.as_view(),
        name="api_corpus_bank_impact",
    ),
    path(
        f"{BANK}oversight/",
        later("pages.banks.oversight_view.oversight"),
        name="corpus_bank_oversight",
    ),
    path(f"{BANK}board/", later("pages.banks.board_view.board"), name="corpus_bank_board"),
    path(
        f"{BANK}entries/<int:entry>/impact/",
        later("pages.banks.impact_view.impact"),
        name="corpus_bank_impact",
    ),
    path(f"{API}findings/", api.Findings.as_view(), name="api_findings"),
    path(f"{API}runs/", api.Runs.as_view(), name="api_runs"),
    path(f"{API}analysis-settings/", api.Settings.as_view(), name="api_analysis_settings"),
    path(f"{API}exports/", api.Exports.as_view(), name="api_exports"),
    path(f"{API}exports/<str:name>", api.Export.as_view(), name="api_export"),
    path(
        "studies/<slug:slug>/<int:version>/results/",
        later("pages.results.views.results"),
        name="results",
    ),
    path(
        f"{OF_STUDY}analysis-settings/",
        later("pages.results.settings_views.settings"),
        name="analysis_settings",
    ),
    path("papers/", later("replication.views.papers"), name="papers"),
    path(f"{OF_STUDY}more-votes/", later("pages.results.plans_views.plans"), name="vote_plans"),
    path(f"{OF_STUDY}judges/", later("pages.results.judges_views.judges"), name="judges"),
    path(
        "studies/<slug:slug>/<int:version>/results/<slug:part>/",
        later("pages.results.views.results"),
        name="results_part",
    ),
    path(
        "studies/<slug:slug>/<int:version>/results/tables/<str:name>",
        later("pages.results.views.table"),
        name="results_table",
    ),
    path(
        "studies/<slug:slug>/<int:version>/results/rows/<str:name>/",
        later("pages.results.views.rows"),
        name="results_rows",
    ),
    path(
        "studies/<slug:slug>/<int:version>/results/plots/<str:name>.svg",
        later("pages.results.views.plot"),
        name="results_plot",
    ),
    path(
        "studies/<slug:slug>/<int:version>/analyse/",
        later("pages.results.views.analyse"),
        name="analyse",
    ),
    path(
        "studies/<slug:slug>/<int:version>/cancel/",
        later("pages.results.views.cancel"),
        name="cancel_analysis",
    ),
    path(
        "studies/<slug:slug>/<int:version>/exports/",
        later("pages.exports.views.exports"),
        name="exports",
    ),
    path(
        "studies/<slug:slug>/<int:version>/exports/progress/",
        later("pages.exports.views.export_progress"),
        name="export_progress",
    ),
    path(
        "studies/<slug:slug>/<int:version>/export/<str:name>",
        later("pages.exports.views.export"),
        name="export",
    ),
    *(
        path(f"{OF_STUDY}{at}/", later("pages.entities.views.listed"), {"what": what}, name=name)
        for at, what, name in (
            ("workers", "workers", "worker_list"),
            ("work", "works", "work_list"),
            ("tasks", "tasks", "task_list"),
            ("places", "places", "place_list"),
            ("topics", "topics", "topic_list"),
            ("items", "items", "item_list"),
            ("responses", "responses", "response_list"),
            ("votes", "votes", "vote_list"),
            ("comments", "comments", "comment_list"),
            ("comments/reasons", "reasons", "reason_list"),
            ("comments/forms", "form_comments", "form_comment_list"),
            ("submissions", "submissions", "submission_list"),
            ("calls", "calls", "call_list"),
            ("ledger", "entries", "entry_list"),
        )
    ),
    path(
        f"{OF_STUDY}workers/<str:pseudonym>/",
        later("pages.entities.views.worker"),
        name="worker_page",
    ),
    path(
        f"{OF_STUDY}work/<int:pk>/",
        later("pages.entities.views.assignment"),
        name="assignment_page",
    ),
    path(f"{OF_STUDY}items/<int:pk>/", later("pages.entities.views.item"), name="item_page"),
    path(f"{OF_STUDY}topics/<key:key>/", later("pages.entities.views.topic"), name="topic_page"),
    path(
        f"{OF_STUDY}responses/<key:key>/",
        later("pages.entities.views.response"),
        name="response_page",
    ),
    path(f"{OF_STUDY}coding/<int:pk>/", later("pages.coding.views.coding"), name="coding"),
    path(f"{OF_STUDY}review/", later("pages.review.views.queue"), name="review"),
    path(f"{OF_STUDY}judged/", later("pages.review.views.before"), name="judged"),
    path(f"{OF_STUDY}review/decide/", later("pages.review.views.decide"), name="review_together"),
    path(f"{OF_STUDY}review/views/", later("pages.review.views.view"), name="review_view"),
    path(f"{OF_STUDY}review/undo/<int:pk>/", later("pages.review.views.undo"), name="review_undo"),
    path(
        f"{OF_STUDY}review/<int:pk>/panel/", later("pages.review.views.panel"), name="review_panel"
    ),
    path("drafts/<int:pk>/plan/", later("pages.planning.views.plan"), name="draft_plan"),
    path(
        "drafts/<int:pk>/plan/certainty/",
        later("pages.planning.views.certainty"),
        name="draft_certainty",
    ),
    path(
        "drafts/<int:pk>/plan/methods/",
        later("pages.planning.views.methods"),
        name="draft_plan_methods",
    ),
]
