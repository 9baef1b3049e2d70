"""URLs of codings of a study, and of codebooks."""

from django.urls import path

from judging.pages import codebook_api, coder_api, coder_pages, coding_pages

HERE = "studies/<slug:slug>/<int:version>/coding/"
API = "api/studies/<slug:slug>/<int:version>/codebooks/"
CODERS = "api/studies/<slug:slug>/<int:version>/codings/<int:pk>/coders/"
urlpatterns = [
    path(HERE, coding_pages.codings, name="codings"),
    path(f"{HERE}codebooks/", coding_pages.codebook_new, name="codebook_new"),
    path(f"{HERE}codebooks/<int:pk>/", coding_pages.codebook_file, name="codebook_file"),
    path(f"{HERE}<int:pk>/code/", coding_pages.code, name="code_unit"),
    path(f"{HERE}<int:pk>/passage/", coding_pages.passage, name="mark_passage"),
    path(f"{HERE}<int:pk>/act/", coding_pages.coding_act, name="coding_act"),
    path(f"{HERE}<int:pk>/reconcile/", coding_pages.reconcile, name="reconcile_coding"),
    path(f"{HERE}<int:pk>/coders/new/", coder_pages.coder_new, name="coder_new"),
    path(f"{HERE}<int:pk>/coders/<int:round>/", coder_pages.coder, name="coder"),
    path(f"{HERE}<int:pk>/coders/<int:round>/act/", coder_pages.coder_act, name="coder_act"),
    path(CODERS, coder_api.Coders.as_view(), name="api_coders"),
    path(f"{CODERS}<int:round>/", coder_api.OneCoder.as_view(), name="api_coder"),
    path(API, codebook_api.Codebooks.as_view(), name="api_codebooks"),
    path(f"{API}<int:pk>/file/", codebook_api.CodebookFile.as_view(), name="api_codebook_file"),
]
