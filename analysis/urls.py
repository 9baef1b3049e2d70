"""The researcher's pages of results and exports."""

from django.urls import path

from analysis import api
from analysis.exports import views as export_views
from analysis.results import views

API = "api/studies/<slug:slug>/<int:version>/"
urlpatterns = [
    path(f"{API}findings/", api.Findings.as_view(), name="api_findings"),
    path(f"{API}runs/", api.Runs.as_view(), name="api_runs"),
    path(f"{API}exports/", api.Exports.as_view(), name="api_exports"),
    path(f"{API}exports/<str:name>", api.Export.as_view(), name="api_export"),
    path("studies/<slug:slug>/<int:version>/results/", views.results, name="results"),
    path(
        "studies/<slug:slug>/<int:version>/results/<slug:part>/", views.results, name="results_part"
    ),
    path(
        "studies/<slug:slug>/<int:version>/results/tables/<str:name>",
        views.table,
        name="results_table",
    ),
    path(
        "studies/<slug:slug>/<int:version>/results/rows/<str:name>/",
        views.rows,
        name="results_rows",
    ),
    path(
        "studies/<slug:slug>/<int:version>/results/plots/<str:name>.svg",
        views.plot,
        name="results_plot",
    ),
    path("studies/<slug:slug>/<int:version>/analyse/", views.analyse, name="analyse"),
    path("studies/<slug:slug>/<int:version>/cancel/", views.cancel, name="cancel_analysis"),
    path("studies/<slug:slug>/<int:version>/export/<str:name>", export_views.export, name="export"),
]
