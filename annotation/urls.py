"""The researcher's pages of the platform."""

from django.urls import path

from annotation.console import views as console

urlpatterns = [
    path("", console.studies, name="studies"),
    path("studies/<slug:slug>/<int:version>/", console.study, name="study"),
    path("studies/<slug:slug>/<int:version>/close/", console.close, name="close_batch"),
]
