"""URLs of banks, which precede those of corpora with any name."""

from django.urls import path

from judging.pages import bank_api

API = "api/corpora/<slug:slug>/banks/"
urlpatterns = [
    path(API, bank_api.Banks.as_view(), name="api_corpus_banks"),
    path(f"{API}<int:pk>/entries/", bank_api.Entries.as_view(), name="api_corpus_bank_entries"),
    path(f"{API}<int:pk>/file/", bank_api.BankFile.as_view(), name="api_corpus_bank_file"),
]
