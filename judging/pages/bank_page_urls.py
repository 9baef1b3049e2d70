"""URLs of bank pages; they must come before the corpus URLs, which match any name."""

from django.urls import path

from judging.pages import bank_adding, bank_decisions, bank_grid, bank_rounds, banks

HERE = "corpora/<slug:slug>/banks/"
BANK = f"{HERE}<int:pk>/"
ROUND = f"{BANK}rounds/<int:round>/"
urlpatterns = [
    path(HERE, banks.banks, name="corpus_banks"),
    path(f"{HERE}entry/", bank_adding.entry_new, name="corpus_entry_new"),
    path(BANK, banks.bank_page, name="corpus_bank"),
    path(f"{BANK}grid/", bank_grid.bank_grid, name="corpus_bank_grid"),
    path(f"{BANK}grid/block/", bank_grid.bank_grid_block, name="corpus_bank_grid_block"),
    path(f"{BANK}grid/cell/", bank_grid.bank_grid_cell, name="corpus_bank_grid_cell"),
    path(f"{BANK}study/", banks.bank_study, name="corpus_bank_study"),
    path(f"{BANK}act/", bank_decisions.bank_act, name="corpus_bank_act"),
    path(f"{BANK}delete/", bank_decisions.bank_delete, name="corpus_bank_delete"),
    path(f"{BANK}entries/<int:entry>/", banks.bank_entry, name="corpus_bank_entry"),
    path(f"{BANK}rounds/new/", bank_rounds.round_new, name="corpus_bank_round_new"),
    path(ROUND, bank_rounds.round_page, name="corpus_bank_round"),
    path(f"{ROUND}act/", bank_rounds.round_act, name="corpus_bank_round_act"),
]
