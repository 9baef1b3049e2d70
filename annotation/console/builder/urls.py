"""URLs of the editor: instruments, drafts, the document of a study."""

from django.contrib.auth.decorators import login_required
from django.urls import path
from django.views.generic import RedirectView

from annotation.console.builder import choosing_views as choosing
from annotation.console.builder import launched_design_views as frozen
from annotation.console.builder import methods_views, topic_views
from annotation.console.builder import views as builder

DESIGN = "studies/<slug:slug>/<int:version>/design/"
urlpatterns = [
    path(DESIGN, frozen.design, name="study_design"),
    path(f"{DESIGN}page/<slug:screen>/", frozen.page, name="study_page"),
    path(f"{DESIGN}<slug:section>/", frozen.design, name="study_design_section"),
    path(
        "studies/<slug:slug>/<int:version>/document.json",
        choosing.study_document,
        name="study_document",
    ),
    path(
        "studies/<slug:slug>/<int:version>/new-version/", choosing.new_version, name="new_version"
    ),
    path("methods/", methods_views.methods, name="instruments"),
    path("methods/<str:study_kind>/<str:method>/page/", builder.method_page, name="method_page"),
    path(
        "instruments/",
        login_required(
            RedirectView.as_view(
                pattern_name="instruments",
                permanent=True,
                query_string=True,
                http_method_names=["get", "head"],
            )
        ),
        name="old_instruments",
    ),
    path("drafts/begin/", choosing.begin, name="begin_draft"),
    path("drafts/bring/", choosing.bring, name="bring_draft"),
    path("drafts/<int:pk>/", builder.draft, name="draft"),
    path("drafts/<int:pk>/topics/", topic_views.choose, name="draft_topics"),
    path("drafts/<int:pk>/check/", choosing.check, name="draft_check"),
    path("drafts/<int:pk>/launch/", choosing.launch, name="draft_launch"),
    path("drafts/<int:pk>/delete/", choosing.delete, name="draft_delete"),
    path("drafts/<int:pk>/restore/", choosing.restore, name="draft_restore"),
    path("drafts/<int:pk>/document.json", choosing.document, name="draft_document"),
    path("drafts/<int:pk>/changes/", choosing.changes, name="draft_changes"),
    path("drafts/<int:pk>/undo/", builder.undo, name="draft_undo"),
    path("drafts/<int:pk>/redo/", builder.redo, name="draft_redo"),
    path("drafts/<int:pk>/here/", builder.here, name="draft_here"),
    path("drafts/<int:pk>/as-read/", builder.as_read, name="draft_as_read"),
    path("drafts/<int:pk>/page/<slug:screen>/", builder.page, name="draft_page"),
    path("drafts/<int:pk>/<slug:section>/", builder.section, name="draft_section"),
]
