"""The reviewer's pages of writing studies."""

from django.urls import path

from writing.exports import log_views
from writing.review import backup_views
from writing.review import views as review_views

REVIEW = "studies/<slug:slug>/<int:version>/review/"
urlpatterns = [
    path(f"{REVIEW}backup/", backup_views.backup, name="review_backup"),
    path(f"{REVIEW}logs/<slug:kind>/", log_views.logs, name="review_logs"),
    path(f"{REVIEW}<int:pk>/", review_views.one, name="review_work"),
    path(f"{REVIEW}<int:pk>/playback/", review_views.playback, name="review_playback"),
    path(f"{REVIEW}<int:pk>/evidence/", review_views.evidence, name="review_evidence"),
    path(f"{REVIEW}<int:pk>/decide/", review_views.decide, name="review_decide"),
]
