"""Where a draft is tried."""

from django.urls import path

from annotation.fieldwork.trials import views

urlpatterns = [
    path("drafts/<int:pk>/try/", views.try_it, name="draft_try"),
    path("drafts/<int:pk>/try/variant/", views.try_variant, name="draft_try_variant"),
    path("drafts/<int:pk>/try/end/", views.end_trial, name="draft_try_end"),
    path("drafts/<int:pk>/simulate/", views.simulate, name="draft_simulate"),
    path("drafts/<int:pk>/simulate/end/", views.end_simulation, name="draft_simulate_end"),
]
