"""Bringing a corpus through the browser: what each page says, and what an attack gets."""

import gzip
import html
import io
import re

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.corpora.uploads import checking, places, progress
from annotation.models import Corpus, CorpusUpload, Topic
from annotation.texts.time_left import seconds_left
from tests.annotation.corpora.small_corpora import (
    PASSAGE,
    RESPONSE,
    SYSTEM,
    TOPIC,
    as_csv,
    as_jsonl,
    plain,
)
from tests.annotation.corpora.uploads.cast import GOOD, checked, imported, uploaded
from tests.annotation.corpora.uploads.sending import sent_by_a_browser
from tests.hooks import element, elements, values

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
State = CorpusUpload.State


def page(client, upload) -> str:
    return client.get(upload.get_absolute_url()).content.decode()


def send(client, upload, **files):
    sent = [SimpleUploadedFile(name, content) for name, content in files["files"].items()]
    return client.post(f"{upload.get_absolute_url()}files/", {"files": sent}, follow=True)


def act(client, upload, what, **more):
    return client.post(f"{upload.get_absolute_url()}change/", {"act": what, **more}, follow=True)


def begun(client, name="Lamps") -> CorpusUpload:
    client.post("/uploads/new/", {"name": name})
    return CorpusUpload.objects.latest("pk")


def test_it_is_said_before_the_import_that_citations_may_count_from_1(researcher):
    response = as_jsonl([RESPONSE | {"text": "Because of sugar [1]."}])
    passages = as_csv([PASSAGE, PASSAGE | {"passage": "p1", "rank": 2}])
    files = GOOD | {"responses.jsonl": response, "passages.csv": passages}
    said = page(researcher, checked(uploaded(files)))
    assert values(said, "data-counts-from") == ["unsure"]
    assert values(said, "data-report") == ["good"]
    assert "data-counts-from" not in page(researcher, checked(uploaded(GOOD)))


def test_what_is_no_fault_of_a_new_corpus_is_said_calmly(researcher):
    named = as_jsonl([RESPONSE | {"response": f"r{n}", "system": f"s{n}"} for n in (1, 2)])
    files = {name: GOOD[name] for name in ("topics.jsonl", "passages.csv")}
    said = page(researcher, checked(uploaded(files | {"responses.jsonl": named})))
    assert len(elements(said, "data-note-of", "remark")) == 1
    assert "note-warn" not in re.sub("<template.*?</template>", "", said, flags=re.DOTALL)
    assert values(said, "data-shows") == []
    again = checked(uploaded(GOOD, corpus=imported(uploaded(GOOD)).corpus))
    said = page(researcher, again)
    assert values(said, "data-shows") == ["equal", "different"]


def test_a_corpus_is_brought_from_its_name_to_its_page(researcher):
    upload = begun(researcher)
    said = send(researcher, upload, files=GOOD).content.decode()
    assert "responses.jsonl" in said
    assert 'name="act" value="check"' in said
    act(researcher, upload, "check")
    assert "data-waits" in page(researcher, upload)
    checking.work_on(pk=upload.pk)
    assert values(page(researcher, upload), "data-report") == ["good"]
    act(researcher, upload, "import")
    act(researcher, upload, "import")
    checking.work_on(pk=upload.pk)
    assert "data-open-corpus" in page(researcher, upload)
    assert "why do leaves turn red?" in researcher.get("/corpora/lamps/topics/").content.decode()


def test_a_bad_line_is_named_and_listed_as_csv(researcher):
    upload = begun(researcher)
    send(
        researcher, upload, files={"a.jsonl": as_jsonl([{**TOPIC, "query": "<script>"}, {**TOPIC}])}
    )
    act(researcher, upload, "check")
    checking.work_on(pk=upload.pk)
    said = page(researcher, upload)
    assert values(said, "data-bad") == ["1"]
    assert re.search(r"&#x27;t1&#x27; .*\ba\.jsonl:1\b", said)
    assert '<script>"' not in said
    listed = researcher.get(f"{upload.get_absolute_url()}bad-lines.csv")
    assert b"a.jsonl,2,topic" in b"".join(listed.streaming_content)
    assert act(researcher, upload, "import").status_code == 200
    upload.refresh_from_db()
    assert upload.state == State.CHECKED


def test_who_wrote_texts_that_do_not_say_it_is_asked_beside_the_bad_lines(researcher):
    texts = as_jsonl([{key: said for key, said in RESPONSE.items() if key != "origin"}])
    system = as_jsonl([{key: said for key, said in SYSTEM.items() if key != "origin"}])
    upload = checked(uploaded(GOOD | {"responses.jsonl": texts, "systems.jsonl": system}))
    assert "data-asks-origin" in page(researcher, upload)
    act(researcher, upload, "check", origin="llm")
    checking.work_on(pk=upload.pk)
    said = page(researcher, upload)
    assert values(said, "data-report") == ["good"]
    assert "data-asks-origin" not in said


def test_progress_is_polled_and_the_page_comes_when_it_is_done(researcher):
    upload = uploaded(GOOD)
    act(researcher, upload, "check")
    polled = researcher.get(upload.get_absolute_url(), headers={"HX-Request": "true"})
    assert "HX-Refresh" not in polled
    assert b'data-busy="checking"' in polled.content
    checking.work_on(pk=upload.pk)
    polled = researcher.get(upload.get_absolute_url(), headers={"HX-Request": "true"})
    assert polled["HX-Refresh"] == "true"


def test_the_queries_of_an_upload_do_not_grow_with_its_files(researcher):
    counts = []
    for files in ({"a.jsonl": GOOD["topics.jsonl"]}, GOOD):
        upload = checked(uploaded(files))
        page(researcher, upload)
        with CaptureQueriesContext(connection) as captured:
            page(researcher, upload)
        counts.append(len(captured))
    assert counts[0] == counts[1] <= 6


def test_files_larger_than_the_limit_get_a_sentence(researcher, settings):
    settings.UPLOAD_MOST_BYTES = 2_000_000
    upload = begun(researcher)
    for size in (2_050_000, 9_000_000):  # found while it is read, and by what it says of itself
        said = send(researcher, upload, files={"a.jsonl": bytes(size)}).content.decode()
        assert re.search(r"\b2 MB\b", said)
    assert not upload.files.exists()


def test_a_page_that_takes_no_files_is_as_strict_as_before(researcher):
    assert researcher.post("/uploads/new/", {"name": "x" * 1_100_000}).status_code == 413
    assert Client().post("/login/", {"username": "x" * 1_100_000}).status_code == 413


def test_who_is_not_logged_in_comes_back_to_the_same_place(researcher):
    upload = begun(researcher)
    stranger = Client()
    for address in (upload.get_absolute_url(), "/uploads/new/?corpus=x"):
        assert stranger.get(address).url.startswith("/login/?next=/uploads/")
    file = SimpleUploadedFile("a.csv", b"x" * 3_000_000)
    said = stranger.post(f"{upload.get_absolute_url()}files/", {"files": [file]})
    assert said.url.startswith("/login/")


def test_files_without_the_token_of_the_page_are_refused(researcher):
    upload = begun(researcher)
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(User.objects.get())
    said = forged.post(
        f"{upload.get_absolute_url()}files/", {"files": [SimpleUploadedFile("a.csv", b"x")]}
    )
    assert said.status_code == 403
    assert not upload.files.exists()


def test_the_upload_of_somebody_else_does_not_exist(researcher):
    upload = uploaded(GOOD)
    stranger = Client()
    stranger.force_login(User.objects.create_user("charlie"))
    for address in ("", "bad-lines.csv"):
        assert stranger.get(upload.get_absolute_url() + address).status_code == 404
    for address in ("files/", "change/"):
        said = stranger.post(upload.get_absolute_url() + address, {"act": "discard"})
        assert said.status_code == 404
    assert stranger.get("/uploads/new/").content.decode().count("Lamps") == 0


@pytest.mark.parametrize(
    "sent",
    [
        {"act": "nonsense"},
        {"act": "remove"},
        {"act": "remove:١"},
        {"act": "remove:" + "9" * 40},
        {"act": "kind:x", "kind-x": "nonsense"},
        {"act": "map:0", "field-0-topic": "column:\x00"},
        {"act": "check", "origin": "martian"},
        {"act": "import"},
    ],
)
def test_nonsense_is_answered_and_changes_nothing(researcher, sent):
    upload = uploaded(GOOD)
    said = researcher.post(f"{upload.get_absolute_url()}change/", sent)
    assert said.status_code in (302, 404)
    upload.refresh_from_db()
    assert (upload.state, upload.files.count()) == (State.OPEN, 4)


def test_a_gzip_bomb_is_named_and_takes_no_time(researcher):
    upload = begun(researcher)
    head = as_jsonl([TOPIC])
    bomb = io.BytesIO()
    with gzip.GzipFile(fileobj=bomb, mode="wb") as file:
        file.write(head + bytes(300_000_000))
    send(researcher, upload, files={"a.jsonl.gz": bomb.getvalue()})
    act(researcher, upload, "check")
    checking.work_on(pk=upload.pk)
    assert "unpacks to" in page(researcher, upload)
    assert not Corpus.objects.exists()


def test_a_bad_name_keeps_the_rest_of_the_form(researcher):
    for name, reason in (("", "cannot be blank"), ("x" * 201, "at most 200 characters")):
        said = researcher.post("/uploads/new/", {"name": name, "licence": "CC BY"})
        assert said.status_code == 400
        assert reason in said.content.decode()
        assert 'value="CC BY"' in said.content.decode()


def test_a_newcomer_takes_the_example_with_one_click(researcher):
    assert 'action="/uploads/example/"' in researcher.get("/corpora/").content.decode()
    for _ in range(2):
        said = researcher.post("/uploads/example/", follow=True).content.decode()
        assert "Example corpus" in said
    assert Topic.objects.count() == 5


def test_degraded_copies_are_offered_of_summaries_alone(researcher):
    summary = {"summary": "s1", "topic": "t1", "overview": {"text": "Light."}, "sections": []}
    upload = uploaded(GOOD | {"summaries.jsonl": as_jsonl([summary])})
    assert 'name="makes_copies"' in page(researcher, upload)
    act(researcher, upload, "check", origin="llm", makes_copies="yes")
    upload.refresh_from_db()
    assert upload.makes_copies
    assert 'name="makes_copies"' not in page(researcher, uploaded(GOOD, name="Others"))


def test_what_is_chosen_for_any_file_is_kept_by_every_button(researcher):
    """A person chooses in two cards, and presses one button below both."""
    upload = begun(researcher)
    topics, texts = b"Nr,Question\n1,Why?\n", b"Key,Nr,Words\nr1,1,Because.\n"
    send(researcher, upload, files={"topics.csv": topics, "texts.csv": texts})
    first, second = upload.files.get(name="topics.csv"), upload.files.get(name="texts.csv")
    chosen = {f"kind-{first.pk}": "topics", f"kind-{second.pk}": "responses"}
    act(researcher, upload, "check", **chosen)
    chosen |= {
        f"field-{first.pk}-topic": "column:Nr",
        f"field-{first.pk}-query": "column:Question",
        f"field-{second.pk}-response": "column:Words",
        f"field-{second.pk}-text": "column:Words",
        f"field-{second.pk}-topic": "column:Nr",
    }
    said = html.unescape(act(researcher, upload, f"map:{first.pk}", **chosen).content.decode())
    assert "“Words”" in element(said, "data-question").text
    first.refresh_from_db(), second.refresh_from_db()
    assert first.mapping["columns"] == {"topic": "Nr", "query": "Question"}
    assert second.mapping["columns"] == {"response": "Words", "topic": "Nr", "text": "Words"}
    chosen[f"field-{second.pk}-response"] = "column:Key"
    act(researcher, upload, "check", origin="human", **chosen)
    checking.work_on(pk=upload.pk)
    upload.refresh_from_db()
    assert (upload.state, upload.report["bad"], upload.origin) == (State.CHECKED, 0, "human")


def test_a_field_that_holds_an_id_says_so(researcher):
    upload = begun(researcher)
    send(researcher, upload, files={"responses.csv": b"topic,handle,answer\nt1,a,Because.\n"})
    file = upload.files.get()
    said = act(researcher, upload, f"kind:{file.pk}", **{f"kind-{file.pk}": "responses"})
    assert len(elements(said.content.decode(), "data-question")) == 1
    assert f'value="number:{file.pk}"' in said.content.decode()


def test_an_upload_with_files_is_discarded_in_two_steps(researcher):
    page = researcher.get(uploaded(GOOD).get_absolute_url()).text
    assert '<button class="button button-danger button-small" name="act" value="discard">' in page


def test_what_needs_somebody_stands_at_the_top_and_leads_there(researcher):
    odd = {"odd.csv": b"Nr,Words\n1,?\n", "zip.csv": b"PK\x03\x04"}
    upload = uploaded({"topics.jsonl": GOOD["topics.jsonl"], **odd})
    said = page(researcher, upload)
    assert values(said, "data-asking") == ["2/3"]
    cards = [upload.files.get(name=name).pk for name in ("odd.csv", "zip.csv", "topics.jsonl")]
    shown = [row.attributes["id"] for row in elements(said, "data-file")]
    assert shown == [f"file-{pk}" for pk in cards]
    for pk in cards[:2]:
        assert f'<a href="#file-{pk}">' in said
    assert said.count("button-primary") == 1
    to = researcher.post(f"{upload.get_absolute_url()}change/", {"act": "check"}).url
    assert to.endswith(f"#file-{cards[0]}")


def test_a_page_has_one_primary_button_at_every_step(researcher):
    upload = uploaded(GOOD)
    assert page(researcher, upload).count("button-primary") == 1
    assert page(researcher, checked(upload)).count("button-primary") == 1
    said = page(researcher, imported(upload))
    assert said.count("button-primary") == 1
    assert '?corpus=lamps">' in said


def test_a_file_that_asks_can_be_read_as_something_else(researcher):
    upload = uploaded({"a.csv": b"topic,remark\nt1,?\n"})
    file = upload.files.get()
    act(researcher, upload, f"kind:{file.pk}", **{f"kind-{file.pk}": "topics"})
    said = page(researcher, upload)
    assert values(said, "data-file-state") == ["asking"]
    assert f'name="kind-{file.pk}"' in said


def test_each_column_shows_values_and_what_it_is_imported_as(researcher):
    upload = uploaded({"a.csv": b"topic,query,note\nt1,why?,x\nt2,how?,\n"})
    file = upload.files.get()
    columns = researcher.get(upload.get_absolute_url()).context["files"][0]["columns"]
    assert [(column["values"], column["chosen"]) for column in columns] == [
        (["t1", "t2"], "topic"),
        (["why?", "how?"], "query"),
        (["x"], ""),
    ]
    assert columns[2]["content"] == {"rows": 2, "filled": 1, "different": 1}
    said = page(researcher, upload)
    assert values(said, "data-unread") == ["1"]
    assert len(elements(said, "data-unread-column")) == 1
    assert f'name="column-{file.pk}-2"' in said


def test_a_column_that_is_given_a_field_takes_it_from_another(researcher):
    upload = uploaded({"a.csv": b"topic,query,note\nt1,why?,x\n"})
    file = upload.files.get()
    sent = sent_by_a_browser(page(researcher, upload)) | {f"column-{file.pk}-2": "query"}
    act(researcher, upload, f"map:{file.pk}", **sent)
    file.refresh_from_db()
    assert file.mapping["columns"] == {"topic": "topic", "query": "note"}


def test_a_page_that_changes_nothing_keeps_the_mapping(researcher):
    upload = uploaded({"a.csv": b"Nr,Question\n1,Why?\n"})
    file = upload.files.get()
    before = file.mapping
    act(researcher, upload, "remove:0", **sent_by_a_browser(page(researcher, upload)))
    file.refresh_from_db()
    assert file.mapping == before


def test_small_clear_files_are_checked_as_soon_as_they_arrive(researcher):
    upload = begun(researcher)
    sent = [SimpleUploadedFile("topics.jsonl", GOOD["topics.jsonl"])]
    address = f"{upload.get_absolute_url()}files/"
    researcher.post(address, {"files": sent, "then": "check"})
    upload.refresh_from_db()
    assert upload.state == State.CHECKING
    odd = begun(researcher, name="Odd")
    sent = [SimpleUploadedFile("odd.csv", b"Nr,Words\n1,?\n")]
    researcher.post(f"{odd.get_absolute_url()}files/", {"files": sent, "then": "check"})
    odd.refresh_from_db()
    assert odd.state == State.OPEN


def test_the_page_offers_separators_encodings_and_sheets(researcher):
    upload = uploaded({"a.csv": b"topic|query\n1|Why; how?\n2|Who; where?\n"})
    file = upload.files.get()
    said = page(researcher, upload)
    assert sent_by_a_browser(said)[f"separator-{file.pk}"] == "|"
    assert sent_by_a_browser(said)[f"encoding-{file.pk}"] == "utf-8"
    sent = {f"separator-{file.pk}": ";", f"encoding-{file.pk}": "utf-8"}
    act(researcher, upload, f"open:{file.pk}", **sent)
    file.refresh_from_db()
    assert len(file.look["names"]) == 1
    assert file.look["opening"]["separator"] == ";"


def test_progress_tells_rows_and_the_time_that_is_left(tmp_path):
    noted = progress.UploadProgress(tmp_path, {"a.csv": 1_000, "b.csv": 1_000})
    noted("a.csv", 500, 20)
    noted("a.csv", 100, 4)  # once more, for rows of another kind
    noted.note("a.csv")
    told = progress.progress_of(tmp_path)
    assert (told["read"], told["total"], told["rows"]) == (500, 2_000, 20)
    assert [seconds_left(*of) for of in ((10.0, 500, 2_000), (1.0, 500, 2_000))] == [30, 0]
    assert seconds_left(10.0, 2_000, 2_000) == 0
    assert seconds_left(10.0, 0, 0) == 0


@pytest.mark.parametrize(
    ("row", "is_table", "words"),
    [(21, True, ["21", "35"]), (0, True, ["35"]), (35, True, ["35"]), (0, False, ["35"])],
)
def test_a_place_has_the_row_and_the_line(row, is_table, words):
    said = places.place_of("a.csv", 35, row, is_table=is_table)
    assert re.findall(r"\d+", said) == words
    assert "a.csv" in said
    assert places.place_of("a.csv", 35, row, is_table=is_table, is_only=True) in said
    assert places.place_of("a.csv", 0, 0, is_table=is_table) == "a.csv"


def test_the_page_offers_the_row_of_the_header(researcher):
    upload = uploaded({"a.csv": b"Study,Lamps\ntopic,query\nt1,Why?\nt2,Who?\n"})
    file = upload.files.get()
    assert sent_by_a_browser(page(researcher, upload))[f"header-{file.pk}"] == ""
    act(researcher, upload, f"open:{file.pk}", **{f"header-{file.pk}": "2"})
    file.refresh_from_db()
    assert file.look["names"] == ["topic", "query"]
    assert sent_by_a_browser(page(researcher, upload))[f"header-{file.pk}"] == "2"


def test_the_page_offers_origins_of_answers_that_do_not_say_it(researcher):
    rows = [plain(text="One."), plain(response="r2", text="Two.", origin="")]
    upload = checked(uploaded({"topics.jsonl": as_jsonl([TOPIC]), "a.csv": as_csv(rows)}))
    said = page(researcher, upload)
    assert 'data-problem="missing_origin"' in said
    assert sent_by_a_browser(said)["to-missing_origin"] == ""
    act(researcher, upload, "check", **{
        "remedy-missing_origin": "map", "from-missing_origin": "", "to-missing_origin": "llm",
    })  # fmt: skip
    upload.refresh_from_db()
    assert upload.remedies["missing_origin"]["values"] == {"": "llm"}
