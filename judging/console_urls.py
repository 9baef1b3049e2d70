"""The console's pages of judging studies."""

from django.urls import path

from judging.raters import views as rater_views
from judging.review import views as review_views

JUDGED = "studies/<slug:slug>/<int:version>/judged/"
urlpatterns = [
    path("studies/<slug:slug>/<int:version>/raters/", rater_views.raters, name="raters"),
    path(
        "studies/<slug:slug>/<int:version>/raters/change/",
        rater_views.change,
        name="change_raters",
    ),
    path(JUDGED, review_views.queue, name="judged"),
    path(f"{JUDGED}<int:pk>/decide/", review_views.decide, name="judged_decide"),
]
