"""The console's pages of judging studies, and their raters for programs."""

from django.urls import path

from judging.design import picking_views
from judging.machines import views as machine_views
from judging.raters import api, label_views
from judging.raters import views as rater_views

urlpatterns = [
    path("drafts/<int:pk>/items/pick/", picking_views.pick_item, name="draft_pick_item"),
    path("studies/<slug:slug>/<int:version>/raters/", rater_views.raters, name="raters"),
    path(
        "studies/<slug:slug>/<int:version>/raters/change/",
        rater_views.change,
        name="change_raters",
    ),
    path(
        "studies/<slug:slug>/<int:version>/raters/labels/",
        label_views.labels,
        name="bring_labels",
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
    path("api/studies/<slug:slug>/<int:version>/raters/", api.Raters.as_view(), name="api_raters"),
    path("api/studies/<slug:slug>/<int:version>/labels/", api.Labels.as_view(), name="api_labels"),
]
