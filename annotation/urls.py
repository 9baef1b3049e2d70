"""The researcher's pages of the platform."""

from django.urls import include, path

from annotation.console import contact_views as contacts
from annotation.console import contracts_views as contracting
from annotation.console import corpora_views as corpora
from annotation.console import data_views as data
from annotation.console import erasing_views as erasing
from annotation.console import fusing_views, official_order_views, trial_views
from annotation.console import keys_views as keys
from annotation.console import letting_in_views as holding
from annotation.console import money_views as paying
from annotation.console import people_views as people
from annotation.console import prolific_views as at_prolific
from annotation.console import prolific_webhook as prolific
from annotation.console import qualification_views as screening
from annotation.console import recruit_views as recruiting
from annotation.console import sample_views as samples
from annotation.console import upload_views as uploads
from annotation.console import views as console
from annotation.console import webhooks_views as hooks
from annotation.console.api.uploads import MaySend

STUDY = "studies/<slug:slug>/<int:version>/"
TEAM = "people/teams/<int:pk>/"
urlpatterns = [
    path("", console.studies, name="studies"),
    path("search/", console.search, name="search"),
    path("hooks/prolific/", prolific.webhook, name="prolific_webhook"),
    path("prolific/webhooks/", hooks.webhooks, name="prolific_webhooks"),
    path("people/", people.people, name="people"),
    path("people/qualifications/", screening.all_qualifications, name="all_qualifications"),
    path(TEAM, people.team, name="team"),
    path(f"{TEAM}change/", people.change, name="team_change"),
    path(f"{TEAM}invite/", people.invite, name="team_invite"),
    path(f"{TEAM}revoke/", people.revoke, name="team_revoke"),
    path(f"{TEAM}audit/", people.audit, name="audit"),
    path("invitations/<str:token>/", people.invitation, name="invitation"),
    path(STUDY, console.study, name="study"),
    path(f"{STUDY}recruit/", recruiting.recruit, name="recruit"),
    path(f"{STUDY}recruit/sample/", samples.sample, name="sample"),
    path(f"{STUDY}recruit/sample/sample.csv", samples.sample_csv, name="sample_csv"),
    path(f"{STUDY}recruit/data/", data.study_data, name="study_data"),
    path(f"{STUDY}recruit/data/ids/delete/", data.forget_ids, name="forget_ids"),
    path(f"{STUDY}workers/<str:pseudonym>/erase/", erasing.erase_worker, name="erase_worker"),
    path(f"{STUDY}recruit/<int:number>/<slug:act>/", recruiting.batch_act, name="batch_act"),
    path(f"{STUDY}recruit/people/", contracting.contracts, name="contracts"),
    path(f"{STUDY}recruit/people/<int:pk>/", contracting.contract_change, name="contract_change"),
    path(f"{STUDY}recruit/screening/", screening.qualifications, name="qualifications"),
    path(f"{STUDY}recruit/qualify/", screening.give_qualification, name="give_qualification"),
    path(f"{STUDY}recruit/held-up/", holding.held_up, name="held_up"),
    path(f"{STUDY}recruit/held-up/<int:pk>/", holding.let_in, name="let_in"),
    path(f"{STUDY}recruit/held-up/<int:pk>/leave/", holding.leave, name="leave_held_up"),
    path(f"{STUDY}recruit/money/", paying.money, name="money"),
    path(f"{STUDY}recruit/money/statement.csv", paying.money_statement, name="money_statement"),
    path(f"{STUDY}recruit/money/bonus/<int:pk>/", paying.money_bonus, name="money_bonus"),
    path(f"{STUDY}recruit/money/reject/<int:pk>/", paying.money_reject, name="money_reject"),
    path(f"{STUDY}recruit/money/budget/", paying.money_budget, name="money_budget"),
    path(f"{STUDY}recruit/money/say/<int:pk>/", paying.money_say, name="money_say"),
    path(f"{STUDY}recruit/money/<slug:order>/", paying.money_order, name="money_order"),
    path(f"{STUDY}recruit/prolific/", at_prolific.at_prolific, name="at_prolific"),
    path(
        f"{STUDY}recruit/prolific/submissions/<int:pk>/",
        contacts.contact_participant,
        name="contact_participant",
    ),
    path(
        f"{STUDY}recruit/prolific/<slug:act>/", at_prolific.act_at_prolific, name="act_at_prolific"
    ),
    path("corpora/", corpora.corpora, name="corpora"),
    path("corpora/<slug:slug>/", corpora.corpus, name="corpus"),
    path("corpora/<slug:slug>/settings/", corpora.corpus_settings, name="corpus_settings"),
    path("corpora/<slug:slug>/delete/", corpora.delete_corpus, name="delete_corpus"),
    path("corpora/<slug:slug>/bring-back/", corpora.bring_back_corpus, name="bring_back_corpus"),
    path(
        "corpora/<slug:slug>/official-orders/",
        official_order_views.official_orders,
        name="corpus_official_orders",
    ),
    path(
        "corpora/<slug:slug>/official-orders/<int:pk>/delete/",
        official_order_views.delete_official_order,
        name="delete_corpus_official_order",
    ),
    path("corpora/<slug:slug>/fuse/", fusing_views.fuse_rankings, name="fuse_corpus_rankings"),
    path("corpora/<slug:slug>/topics/<int:pk>/", corpora.corpus_topic, name="corpus_topic"),
    path("corpora/<slug:slug>/images/<slug:digest>/", corpora.corpus_image, name="corpus_image"),
    path(f"{STUDY}images/<slug:digest>/", corpora.study_image, name="study_image"),
    path(
        "corpora/<slug:slug>/responses/<int:pk>/", corpora.corpus_response, name="corpus_response"
    ),
    path("corpora/<slug:slug>/<str:part>/", corpora.corpus_part, name="corpus_part"),
    path("uploads/new/", uploads.new_upload, name="new_upload"),
    path("uploads/may-send/", MaySend.as_view(), name="may_send"),
    path("uploads/samples/<slug:kind>.csv", uploads.upload_sample, name="upload_sample"),
    path("uploads/example/", uploads.example_corpus, name="example_corpus"),
    path("uploads/<int:pk>/", uploads.upload, name="upload"),
    path("uploads/<int:pk>/files/", uploads.upload_files, name="upload_files"),
    path("uploads/<int:pk>/change/", uploads.change_upload, name="change_upload"),
    path("uploads/<int:pk>/bad-lines.csv", uploads.upload_faults, name="upload_faults"),
    path("api/", include("annotation.console.api.urls")),
    path("account/keys/", keys.keys, name="api_keys"),
    path("account/keys/<int:pk>/revoke/", keys.revoke, name="revoke_api_key"),
    path("drafts/<int:pk>/try/", trial_views.try_it, name="draft_try"),
    path("drafts/<int:pk>/try/variant/", trial_views.try_variant, name="draft_try_variant"),
    path("drafts/<int:pk>/try/end/", trial_views.end_trial, name="draft_try_end"),
    path("drafts/<int:pk>/simulate/", trial_views.simulate, name="draft_simulate"),
    path("drafts/<int:pk>/simulate/end/", trial_views.end_simulation, name="draft_simulate_end"),
    path("", include("annotation.console.builder.urls")),
]
