"""URLs of the console's pages and API of judging studies."""

from django.urls import path

from judging.pages import author_api, authors, labels, picking, rater_api
from judging.pages import machines as machine_views
from judging.pages import raters as rater_views

urlpatterns = [
    path("drafts/<int:pk>/items/pick/", picking.pick_item, name="draft_pick_item"),
    path("studies/<slug:slug>/<int:version>/raters/", rater_views.raters, name="raters"),
    path(
        "studies/<slug:slug>/<int:version>/raters/change/",
        rater_views.change,
        name="change_raters",
    ),
    path(
        "studies/<slug:slug>/<int:version>/raters/labels/",
        labels.labels,
        name="bring_labels",
    ),
    path(
        "studies/<slug:slug>/<int:version>/raters/labels/<int:pk>/",
        labels.label_upload,
        name="label_upload",
    ),
    path("studies/<slug:slug>/<int:version>/machines/", machine_views.machines, name="machines"),
    path(
        "studies/<slug:slug>/<int:version>/machines/new/",
        machine_views.machine_new,
        name="machine_new",
    ),
    path(
        "studies/<slug:slug>/<int:version>/machines/<int:pk>/",
        machine_views.machine,
        name="machine",
    ),
    path(
        "studies/<slug:slug>/<int:version>/machines/<int:pk>/act/",
        machine_views.machine_act,
        name="machine_act",
    ),
    path("studies/<slug:slug>/<int:version>/authors/", authors.authors, name="authors"),
    path("studies/<slug:slug>/<int:version>/authors/new/", authors.author_new, name="author_new"),
    path("studies/<slug:slug>/<int:version>/authors/<int:pk>/", authors.author, name="author"),
    path(
        "studies/<slug:slug>/<int:version>/authors/<int:pk>/act/",
        authors.author_act,
        name="author_act",
    ),
    path(
        "api/studies/<slug:slug>/<int:version>/authors/",
        author_api.Authors.as_view(),
        name="api_authors",
    ),
    path(
        "api/studies/<slug:slug>/<int:version>/authors/<int:pk>/",
        author_api.OneAuthor.as_view(),
        name="api_author",
    ),
    path(
        "api/studies/<slug:slug>/<int:version>/raters/",
        rater_api.Raters.as_view(),
        name="api_raters",
    ),
    path(
        "api/studies/<slug:slug>/<int:version>/labels/",
        rater_api.LabelsOfStudy.as_view(),
        name="api_labels",
    ),
]
