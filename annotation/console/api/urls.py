"""The addresses of the programming interface, but for those of analysis/api.py."""

from django.urls import path

from annotation.console.api import corpora, drafts, official_orders, participants, studies, uploads
from annotation.console.api.description import Description
from annotation.studies.batch_acts import ACTS

CORPUS = "corpora/<slug:slug>/"
UPLOAD = "uploads/<int:pk>/"
STUDY = "studies/<slug:slug>/<int:version>/"
urlpatterns = [
    path("schema/", Description.as_view(), name="api_schema"),
    path("corpora/", corpora.Corpora.as_view(), name="api_corpora"),
    path(CORPUS, corpora.OneCorpus.as_view(), name="api_corpus"),
    path(f"{CORPUS}topics/", corpora.Topics.as_view(), name="api_corpus_topics"),
    path(f"{CORPUS}labels/", corpora.LabelsOfCorpus.as_view(), name="api_corpus_labels"),
    path(f"{CORPUS}responses/", corpora.Responses.as_view(), name="api_corpus_responses"),
    path(
        f"{CORPUS}official-orders/",
        official_orders.OfficialOrders.as_view(),
        name="api_corpus_official_orders",
    ),
    path("uploads/", uploads.Uploads.as_view(), name="api_uploads"),
    path(UPLOAD, uploads.OneUpload.as_view(), name="api_upload"),
    path(f"{UPLOAD}files/", uploads.Files.as_view(), name="api_upload_files"),
    path(f"{UPLOAD}files/<int:file>/", uploads.OneFile.as_view(), name="api_upload_file"),
    path(f"{UPLOAD}files/<int:file>/remove/", uploads.Remove.as_view(), name="api_remove_file"),
    path(f"{UPLOAD}check/", uploads.UploadCheck.as_view(), name="api_check_upload"),
    path(f"{UPLOAD}import/", uploads.Import.as_view(), name="api_import_upload"),
    path(f"{UPLOAD}discard/", uploads.Discard.as_view(), name="api_discard_upload"),
    path("methods/", drafts.Methods.as_view(), name="api_methods"),
    path("drafts/", drafts.Drafts.as_view(), name="api_drafts"),
    path("drafts/<int:pk>/", drafts.OneDraft.as_view(), name="api_draft"),
    path("drafts/<int:pk>/changes/", drafts.Changes.as_view(), name="api_draft_changes"),
    path("drafts/<int:pk>/launch/", drafts.Launch.as_view(), name="api_draft_launch"),
    path("studies/", studies.Studies.as_view(), name="api_studies"),
    path(STUDY, studies.OneStudy.as_view(), name="api_study"),
    path(
        f"{STUDY}workers/<str:pseudonym>/erase/",
        participants.Erase.as_view(),
        name="api_erase_worker",
    ),
    *(
        path(
            f"{STUDY}batches/<int:number>/{key}/",
            studies.BatchActResource.as_view(does=key),
            name=f"api_{key}_batch",
        )
        for key in ACTS
    ),
]
