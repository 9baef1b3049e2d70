"""API URLs of banks; they must come before the corpus URLs, which match any name."""

from django.urls import path

from judging.pages import bank_api, bank_grading_api, bank_round_api

API = "api/corpora/<slug:slug>/banks/"
urlpatterns = [
    path(API, bank_api.Banks.as_view(), name="api_corpus_banks"),
    path(f"{API}<int:pk>/entries/", bank_api.Entries.as_view(), name="api_corpus_bank_entries"),
    path(
        f"{API}<int:pk>/rounds/",
        bank_round_api.EntryRounds.as_view(),
        name="api_corpus_bank_rounds",
    ),
    path(
        f"{API}<int:pk>/rounds/<int:round>/",
        bank_round_api.OneEntryRound.as_view(),
        name="api_corpus_bank_round",
    ),
    path(
        f"{API}<int:pk>/graders/",
        bank_grading_api.Graders.as_view(),
        name="api_corpus_bank_graders",
    ),
    path(f"{API}<int:pk>/file/", bank_api.BankFileResource.as_view(), name="api_corpus_bank_file"),
]
