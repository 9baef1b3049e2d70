"""URLs of proposed queries, which precede those of corpora with any name."""

from django.urls import path

from judging.pages import queries, query_api, query_decisions

HERE = "corpora/<slug:slug>/queries/"
urlpatterns = [
    path(HERE, queries.rounds, name="corpus_queries"),
    path(f"{HERE}new/", queries.round_new, name="corpus_queries_new"),
    path(f"{HERE}review/", query_decisions.review, name="corpus_query_review"),
    path(f"{HERE}decide/", query_decisions.decide, name="corpus_query_decide"),
    path(f"{HERE}queries.csv", query_decisions.file, {"form": "csv"}, name="corpus_queries_csv"),
    path(
        f"{HERE}queries.jsonl", query_decisions.file, {"form": "jsonl"}, name="corpus_queries_jsonl"
    ),
    path(f"{HERE}<int:pk>/", queries.round_page, name="corpus_query_round"),
    path(f"{HERE}<int:pk>/act/", queries.round_act, name="corpus_query_act"),
    path("api/corpora/<slug:slug>/rounds/", query_api.Rounds.as_view(), name="api_corpus_rounds"),
    path(
        "api/corpora/<slug:slug>/proposals/",
        query_api.Proposals.as_view(),
        name="api_corpus_proposals",
    ),
]
