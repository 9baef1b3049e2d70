"""The addresses of proposed queries. They stand before those of corpora, which have any name."""

from django.urls import path

from judging.queries import api, deciding_views, views

HERE = "corpora/<slug:slug>/queries/"
urlpatterns = [
    path(HERE, views.rounds, name="corpus_queries"),
    path(f"{HERE}new/", views.round_new, name="corpus_queries_new"),
    path(f"{HERE}review/", deciding_views.review, name="corpus_query_review"),
    path(f"{HERE}decide/", deciding_views.decide, name="corpus_query_decide"),
    path(f"{HERE}queries.csv", deciding_views.file, {"form": "csv"}, name="corpus_queries_csv"),
    path(
        f"{HERE}queries.jsonl", deciding_views.file, {"form": "jsonl"}, name="corpus_queries_jsonl"
    ),
    path(f"{HERE}<int:pk>/", views.round_page, name="corpus_query_round"),
    path(f"{HERE}<int:pk>/act/", views.round_act, name="corpus_query_act"),
    path("api/corpora/<slug:slug>/rounds/", api.Rounds.as_view(), name="api_corpus_rounds"),
    path(
        "api/corpora/<slug:slug>/proposals/", api.Proposals.as_view(), name="api_corpus_proposals"
    ),
]
