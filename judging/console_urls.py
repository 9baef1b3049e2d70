"""The console's pages of judging studies."""

from django.urls import path

from judging.raters import views as rater_views

urlpatterns = [
    path("studies/<slug:slug>/<int:version>/raters/", rater_views.raters, name="raters"),
    path(
        "studies/<slug:slug>/<int:version>/raters/change/",
        rater_views.change,
        name="change_raters",
    ),
]
