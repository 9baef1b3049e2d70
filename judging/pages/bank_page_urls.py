"""URLs of the pages of banks, which precede those of corpora with any name."""

from django.urls import path

from judging.pages import bank_adding, bank_decisions, banks

HERE = "corpora/<slug:slug>/banks/"
BANK = f"{HERE}<int:pk>/"
urlpatterns = [
    path(HERE, banks.banks, name="corpus_banks"),
    path(f"{HERE}entry/", bank_adding.entry_new, name="corpus_entry_new"),
    path(BANK, banks.bank_page, name="corpus_bank"),
    path(f"{BANK}act/", bank_decisions.bank_act, name="corpus_bank_act"),
    path(f"{BANK}delete/", bank_decisions.bank_delete, name="corpus_bank_delete"),
    path(f"{BANK}entries/<int:entry>/", banks.bank_entry, name="corpus_bank_entry"),
]
