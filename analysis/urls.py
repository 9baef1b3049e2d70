"""The researcher's pages of results and exports."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
