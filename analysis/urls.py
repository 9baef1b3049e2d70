"""The researcher's pages of results and exports."""

from django.urls import path

from analysis import views

urlpatterns = [
    path("studies/<slug:slug>/<int:version>/results/", views.results, name="results"),
    path("studies/<slug:slug>/<int:version>/analyse/", views.analyse, name="analyse"),
]
