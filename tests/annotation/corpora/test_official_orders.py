"""Official orders of a corpus: matched to its systems, imported by page, command and API."""

import gzip
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.importing_orders import (
    MOST_BYTES,
    MOST_ORDERS,
    CannotImportOrder,
    import_order,
    text_of,
)
from annotation.corpora.official_orders import matched_names, matched_orders
from annotation.models import AuditEntry, OfficialOrder, System
from tests.cast import rita, small_corpus
from tests.coded_errors import command_ends


@pytest.fixture
def corpus():
    corpus = small_corpus()
    for key, name in (("bm25", "BM25"), ("dense", "Dense retriever"), ("ours", "Ours")):
        System.objects.create(corpus=corpus, key=key, name=name)
    return corpus


@pytest.mark.parametrize(
    ("given_names", "expected"),
    [
        (["bm25"], {"bm25": "k1"}),
        (["K1"], {}),  # in another case it is both keys
        (["Dense"], {"Dense": "k2"}),
        (["DENSE"], {"DENSE": "k2"}),
        (["Dense", "DENSE"], {"Dense": "k2"}),
        (["dense", "DENSE"], {}),  # both mean one
        (["other"], {}),
    ],
)
def test_names_are_keys_names_or_either_in_another_case(given_names, expected):
    systems = {"k1": "bm25", "K1": "first", "k2": "Dense"}
    if given_names == ["K1"]:
        given_names = ["FIRST ", "k2 "]
    assert matched_names(given_names, systems) == expected


NAMES = st.text("abAB", min_size=1, max_size=2)


@given(st.lists(NAMES), st.dictionaries(NAMES, NAMES))
def test_no_system_is_matched_twice(given_names, systems):
    keys = matched_names(given_names, systems)
    assert len(set(keys.values())) == len(keys)
    assert set(keys) <= set(given_names)
    assert all(keys[name] == name for name in keys if name in systems)


@pytest.mark.django_db
@pytest.mark.storage
def test_ranks_are_turned_so_that_more_is_better(corpus):
    text = '{"bm25": 2, "DENSE RETRIEVER": 1, "gone": 3}'
    order = import_order(corpus=corpus, text=text, file="official.json")
    assert (order.name, order.better) == ("official.json", "lower")
    (matched,) = matched_orders(corpus)
    assert matched.scores == {"bm25": -2, "dense": -1}
    assert matched.unmatched == ("gone",)
    assert matched.without == ("Ours",)


@pytest.mark.django_db
def test_the_same_name_is_replaced(corpus):
    import_order(corpus=corpus, text='{"bm25": 2, "dense": 1}', file="o.json")
    import_order(corpus=corpus, text='{"bm25": 0.5}', file="o.json")
    assert OfficialOrder.objects.get().values == {"bm25": 0.5}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "chosen", "code", "field"),
    [
        ("system,a,b\nx,1.5,2\n", {}, "WhichMeasure", "measure"),
        ("system,a,b\nx,1.5,2\n", {"measure": "c"}, "NoSuchMeasure", "measure"),
        ("x 10\ny 20\nz 40\n", {}, "WhichIsBetter", "better"),
        ("x 10\n", {"better": "sideways"}, "WhichIsBetter", "better"),
        ("nothing", {}, "Unreadable", "file"),
        ("", {}, "Unreadable", "file"),
        ("x\x00 1\n", {}, "Unreadable", "file"),
    ],
)
def test_what_is_unclear_is_asked_at_its_field(corpus, text, chosen, code, field):
    with pytest.raises(CannotImportOrder) as refused:
        import_order(corpus=corpus, text=text, **chosen)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert not OfficialOrder.objects.exists()


@pytest.mark.django_db
def test_a_corpus_has_a_limit_of_orders(corpus):
    for number in range(MOST_ORDERS):
        import_order(corpus=corpus, text='{"x": 0.5}', name=f"o{number}")
    import_order(corpus=corpus, text='{"x": 0.6}', name="o0")  # it is there already
    with pytest.raises(CannotImportOrder):
        import_order(corpus=corpus, text='{"x": 0.5}', name="one more")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (gzip.compress(b" " * (MOST_BYTES + 1)), "TooLarge"),
        (b" " * (MOST_BYTES + 1), "TooLarge"),
        (b"\x1f\x8bdamaged", "Unreadable"),
        (b"\xff\x00\x01\x80 1\n", "Unreadable"),
    ],
)
def test_a_file_that_is_too_large_or_no_text_is_refused(content, code):
    with pytest.raises(CannotImportOrder) as refused:
        text_of(io.BytesIO(content))
    assert refused.value.code == code


def test_a_packed_file_and_another_encoding_are_read():
    assert text_of(io.BytesIO(gzip.compress(b"x 1\n"))) == "x 1\n"
    assert text_of(io.BytesIO("\ufeffx 1\n".encode("utf-16"))).strip("\ufeff") == "x 1\n"


def file(text, name="official.csv"):
    return SimpleUploadedFile(name, text.encode())


@pytest.mark.django_db
def test_the_page_keeps_the_file_while_it_asks(corpus, client):
    client.force_login(rita())
    at = reverse("corpus_official_orders", args=[corpus.slug])
    text = "system,P@20,cost\nbm25,0.4,10\ndense,0.5,20\nunheard,0.1,40\n"
    asked = client.post(at, {"file": file(text)})
    assert asked.status_code == 400
    page = asked.content.decode()
    assert 'name="measure"' in page
    assert "data-kept" in page
    kept = {"text": asked.context["values"]["text"], "file_name": "official.csv"}
    asked = client.post(at, {**kept, "measure": "cost"})
    assert asked.context["fault"].field == "better"
    assert 'name="measure" value="cost"' in asked.content.decode()
    done = client.post(at, {**kept, "measure": "cost", "better": "lower"}, follow=True)
    assert 'data-unmatched="1"' in done.content.decode()
    assert OfficialOrder.objects.get().values == {"bm25": 10, "dense": 20, "unheard": 40}
    assert AuditEntry.objects.get().act == "imported an official order"


@pytest.mark.django_db
def test_the_page_deletes_an_order(corpus, client):
    client.force_login(rita())
    order = import_order(corpus=corpus, text='{"bm25": 0.5}')
    at = reverse("delete_corpus_official_order", args=[corpus.slug, order.pk])
    for _ in range(2):
        assert client.post(at).status_code == 302
    assert not OfficialOrder.objects.exists()
    assert AuditEntry.objects.get().act == "deleted an official order"


@pytest.mark.django_db
def test_the_command_names_what_is_unmatched(corpus, tmp_path, capsys):
    path = tmp_path / "order.json"
    path.write_text('{"bm25": 1, "unheard": 2}')
    call_command("import_official_order", corpus.slug, str(path))
    output = capsys.readouterr().out
    assert "1 systems matched" in output
    assert "unheard" in output
    assert "Dense retriever" in output
    path.write_text("bm25 100\ndense 50\n")
    with command_ends(CannotImportOrder, match="higher"):
        call_command("import_official_order", corpus.slug, str(path))
    with pytest.raises(CommandError, match="nowhere"):
        call_command("import_official_order", "nowhere", str(path))
    with command_ends(FileNotFoundError):
        call_command("import_official_order", corpus.slug, str(tmp_path / "none"))


@pytest.mark.django_db
def test_names_that_are_no_systems_are_matched_to_responses(corpus):
    key = corpus.responses.values_list("key", flat=True).first()
    text = f"response_id,bertscore\n{key},0.5\nunheard,0.75\n"
    order = import_order(corpus=corpus, text=text)
    (matched,) = matched_orders(corpus)
    assert (matched.order, matched.scores, matched.texts) == (order, {}, {key: 0.5})
    assert (matched.unmatched, matched.without) == (("unheard",), ())


@pytest.mark.django_db
def test_the_api_imports_and_lists(corpus, client):
    client.force_login(rita())
    at = reverse("api_corpus_official_orders", args=[corpus.slug])
    content = "system,a,b\nbm25,0.5,0.6\n"
    asked = client.post(at, {"content": content}, "application/json")
    assert (asked.status_code, asked.json()["field"]) == (400, "measure")
    assert asked.json()["choices"] == ["a", "b"]
    made = client.post(at, {"content": content, "measure": "a"}, "application/json")
    assert (made.status_code, made.json()["matched"]) == (201, ["bm25"])
    assert client.get(at).json() == [made.json()]
