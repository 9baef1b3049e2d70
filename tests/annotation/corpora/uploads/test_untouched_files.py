"""What was recognised or chosen for a file stays, whatever is done to others, or checked."""

import pytest

from annotation.console.upload_views import KINDS
from annotation.corpora.uploads import checking, gathering
from annotation.corpora.uploads.questions import AS_THEY_ARE, open_questions
from annotation.models import UploadedFile
from tests.annotation.corpora.uploads.cast import uploaded
from tests.annotation.corpora.uploads.sending import sent_by_a_browser

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

BROUGHT = {
    "topics.tsv": b"qid\tquery\n1\twhy do leaves turn red?\n",
    "passages.csv": b"qid,rank,docid,passage\n1,1,p0,Sugar.\n1,2,p1,Frost.\n",
    "responses.jsonl": b'{"qid": "1", "run_id": "gpt", "answer": "Sugar [0, 1]."}\n',
}
# Of each kind a file as others have it, and one that wants to be explained.
OTHERS = {
    "rag.jsonl": b'{"id": "7", "title": "do bees sleep?"}\n',
    "documents.csv": b"qid,did,document\n1,p9,Cold nights.\n",
    "answers.csv": b"qid,agent,answer\n1,bing,Sugar.\n",
    "systems.csv": b"system,name\nbing,Bing\n",
    "rankings.csv": b"system,topic,passage,rank\nbing,1,p0,1\n",
    "table.csv": b"question,system,answer\ndo bees sleep?,bing,They do.\n",
    "lines.csv": b'topic,"the\ntext",response\n1,Frost.,r7\n',
    "odd.csv": b"Nr,Words\n1,?\n",
}


def press(client, upload, button, **chosen):
    """As a browser does: the whole form goes with the button."""
    page = client.get(upload.get_absolute_url()).text
    sent = {**sent_by_a_browser(page), **chosen, "act": button}
    return client.post(f"{upload.get_absolute_url()}change/", sent, follow=True)


def read_as(upload, *, but=()):
    return {
        file.name: (file.mapping.get("kind") or file.look["kind"], file.mapping)
        for file in upload.files.all()
        if file.name not in but
    }


def test_a_file_of_topics_stays_one_when_another_file_is_numbered(researcher):
    upload = uploaded(BROUGHT)
    before = read_as(upload, but=["responses.jsonl"])
    other = upload.files.get(name="responses.jsonl")
    press(researcher, upload, f"number:{other.pk}")
    assert read_as(upload, but=["responses.jsonl"]) == before
    files = upload.files.all()
    assert not any(open_questions(file.look, file.mapping) for file in files)


def test_a_check_changes_no_file(researcher):
    upload = uploaded({**BROUGHT, "topics.tsv": BROUGHT["topics.tsv"]})
    gathering.number_rows(upload=upload, pk=upload.files.get(name="responses.jsonl").pk)
    before = read_as(upload)
    press(researcher, upload, "check", origin="llm")
    checking.work_on(pk=upload.pk)
    upload.refresh_from_db()
    assert upload.report["bad"] == 0, upload.report
    assert read_as(upload) == before


@pytest.mark.parametrize("button", ["remove", "number", "map", "kind", "check"])
def test_no_button_of_a_file_changes_another_one(researcher, button):
    upload = uploaded({**BROUGHT, **OTHERS})
    lines = upload.files.get(name="lines.csv")
    said = {"response": "column:response", "topic": "column:topic", "text": "column:the\ntext"}
    gathering.say_kind(upload=upload, pk=lines.pk, kind="responses")
    gathering.map_columns(upload=upload, pk=lines.pk, said=said)
    other = upload.files.get(name="systems.csv")
    before = read_as(upload, but=[other.name])
    press(researcher, upload, f"{button}:{other.pk}")
    assert read_as(upload, but=[other.name]) == before


def test_an_old_page_does_not_take_back_what_was_said_elsewhere(researcher):
    upload = uploaded({**BROUGHT, **OTHERS})
    old = sent_by_a_browser(researcher.get(upload.get_absolute_url()).text)
    odd, passages = (upload.files.get(name=name) for name in ("odd.csv", "passages.csv"))
    gathering.say_kind(upload=upload, pk=odd.pk, kind="topics")
    said = {"topic": "column:qid", "passage": "column:docid", "text": "column:passage"}
    gathering.map_columns(upload=upload, pk=passages.pk, said=said)
    before = read_as(upload, but=["systems.csv"])
    other = upload.files.get(name="systems.csv")
    address = f"{upload.get_absolute_url()}change/"
    researcher.post(address, {**old, "act": f"remove:{other.pk}"})
    assert read_as(upload) == before


def test_what_a_file_is_called_is_among_what_it_may_be(researcher):
    upload = uploaded({**BROUGHT, **OTHERS})
    sent = sent_by_a_browser(researcher.get(upload.get_absolute_url()).text)
    for file in upload.files.all():
        kind = file.mapping.get("kind") or file.look["kind"]
        assert sent.get(f"kind-{file.pk}", "") == kind


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in AS_THEY_ARE])
def test_the_kind_of_a_file_can_be_said_again_and_its_columns_stay(researcher, kind):
    upload = uploaded({"topics.tsv": BROUGHT["topics.tsv"]})
    file = upload.files.get()
    UploadedFile.objects.filter(pk=file.pk).update(look=file.look | {"kind": str(kind)})
    press(researcher, upload, f"kind:{file.pk}")
    assert read_as(upload) == {"topics.tsv": (kind, file.mapping)}


def test_topics_are_called_topics_whatever_their_columns_are_called(researcher):
    upload = uploaded({"topics.tsv": BROUGHT["topics.tsv"], "rag.jsonl": OTHERS["rag.jsonl"]})
    files = researcher.get(upload.get_absolute_url()).context["files"]
    assert len({file["kind_name"] for file in files}) == 1
