"""Images of texts: stored with the corpus, encoded anew, shown from here and gone with it."""

import base64
import io
import re
import struct
import zlib
from contextlib import suppress
from datetime import timedelta

import pytest
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from annotation.corpora import curating
from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.images import encoding
from annotation.corpora.images.encoding import BadImage, encoded
from annotation.corpora.importing import import_corpus
from annotation.models import Corpus, CorpusImage
from annotation.texts.markdown.images import digest_of
from tests.cast import NOW, begun, bob, charlie, draft_study, open_study, rita, small_corpus
from tests.coded_errors import raises

pytestmark = pytest.mark.django_db


def picture(size=(40, 30), kind="PNG", mode="RGB", **options):
    written = io.BytesIO()
    Image.new(mode, size, 120).save(written, format=kind, **options)
    return written.getvalue()


def data(content, kind="png"):
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def imported(tmp_path, texts, **options):
    topics, responses = tmp_path / "topics.jsonl", tmp_path / "responses.jsonl"
    topics.write_text('{"topic": "t1", "query": "Why?"}\n')
    rows = [
        f'{{"response": "r{n}", "topic": "t1", "style": "free", "origin": "llm", "text": {text}}}'
        for n, text in enumerate(map(_json, texts))
    ]
    responses.write_text("\n".join(rows))
    files = [CorpusFile(topics), CorpusFile(responses)]
    return import_corpus(slug="salt", name="Salt", files=files, **options)


def _json(text):
    import json

    return json.dumps(text)


# -- Encoding ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("kind", "mode", "media_type"),
    [
        ("PNG", "RGB", "image/png"),
        ("PNG", "RGBA", "image/png"),
        ("PNG", "L", "image/png"),
        ("PNG", "P", "image/png"),
        ("PNG", "1", "image/png"),
        ("PNG", "I;16", "image/png"),
        ("GIF", "P", "image/png"),
        ("JPEG", "RGB", "image/jpeg"),
        ("JPEG", "CMYK", "image/jpeg"),
        ("JPEG", "L", "image/jpeg"),
        ("WEBP", "RGBA", "image/webp"),
    ],
)
def test_an_image_is_encoded_anew(kind, mode, media_type):
    image = encoded(picture(kind=kind, mode=mode))
    assert (image.media_type, image.width, image.height) == (media_type, 40, 30)
    with Image.open(io.BytesIO(image.content)) as again:
        assert again.size == (40, 30)


def test_metadata_do_not_stay():
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = "taken at home", 6  # a description, and held upright
    image = encoded(picture(kind="JPEG", exif=exif))
    assert b"taken at home" not in image.content
    assert (image.width, image.height) == (30, 40)


def test_a_large_image_is_made_smaller():
    image = encoded(picture(size=(4000, 1000)))
    assert (image.width, image.height) == (2000, 500)


def bomb(width, height):
    """Return a PNG that says it is large and has a few bytes."""

    def chunk(kind, content):
        check = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def test_a_bomb_is_refused_before_it_is_decoded():
    for width, height in ((50_000, 50_000), (2_000_000_000, 1), (7_000, 7_000)):
        with raises(BadImage, "TooLarge"):
            encoded(bomb(width, height))


def test_a_file_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(encoding, "MAX_BYTES", 50)
    with raises(BadImage, "TooLarge"):
        encoded(picture())


@pytest.mark.parametrize(
    "content", [b"", b"GIF89a", b"<svg/>", b"\x89PNG\r\n\x1a\n", bomb(10, 10), picture()[:60]]
)
def test_what_is_no_image_is_refused(content):
    with raises(BadImage, "NotAnImage"):
        encoded(content)


@settings(max_examples=150, deadline=None)
@given(
    kind=st.sampled_from(["PNG", "JPEG", "GIF", "WEBP"]),
    places=st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=8),
    cut=st.integers(0, 2000),
)
def test_any_bytes_are_an_image_or_refused(kind, places, cut):
    content = bytearray(picture(kind=kind))
    for place, value in places:
        content[place % len(content)] = value
    with suppress(BadImage):  # and nothing else
        assert encoded(bytes(content[: max(1, cut)])).width <= encoding.MAX_SIDE


# -- Importing -----------------------------------------------------------------------------------
def test_images_of_an_import_are_stored_once_and_the_text_keeps_every_byte(tmp_path):
    mine, other = picture(), picture(size=(8, 8))
    texts = [
        f"![a]({data(mine)})",
        f'![again]({data(mine)} "t") and ![b](charts/b.png)',
        "![c](https://example.org/c.png) ![d](https://example.org/d.png)",
        "![e](missing.png)",
        f"![f]({data(b'no image')})",
        "no image",
    ]
    files = [("charts/b.png", other), ("charts/same.png", other), ("notes.png", b"no image")]
    report = imported(tmp_path, texts, images=files)
    corpus = Corpus.objects.get()
    assert list(corpus.responses.order_by("pk").values_list("text", flat=True)) == texts
    names = dict(CorpusImage.objects.values_list("digest", "names"))
    assert names == {
        digest_of(mine): [],
        digest_of(other): ["charts/b.png", "charts/same.png"],
    }
    counts = report.images
    assert (counts.remote, counts.missing, counts.broken) == (1, 1, 1)
    assert len(report.other_remarks) == 3


def test_an_import_counts_its_own_texts_only(tmp_path):
    imported(tmp_path, ["![c](https://example.org/c.png)"])
    report = imported(tmp_path, ["![c](https://example.org/c.png)"])
    assert report.images.remote == 0


def test_the_import_counts_what_is_not_shown_as_in_a_chat(tmp_path):
    texts = [
        "A <table><tr> and <IMG src='https://example.org/x.png'>",
        "`<table>` in code, <tablespoon>, <think>x</think>",
        "word " * 50_000,
        f"![long](data:image/png;base64,{'A' * 300_000})",
    ]
    counts = imported(tmp_path, texts).images
    assert (counts.html, counts.long) == (1, 1)


def test_images_of_earlier_turns_are_stored_and_counted(tmp_path):
    mine = picture()
    turns = [
        {"role": "user", "content": f"![a]({data(mine)})"},
        {"role": "assistant", "content": "![far](https://example.org/c.png) <svg>"},
        {"role": "user", "content": "![gone](gone.png)"},
    ]
    path = tmp_path / "conversations.jsonl"
    path.write_text(_json({"id": "t", "messages": turns}))
    counts = import_corpus(slug="salt", name="Salt", files=[CorpusFile(path)]).images
    assert set(CorpusImage.objects.values_list("digest", flat=True)) == {digest_of(mine)}
    assert (counts.remote, counts.missing, counts.html) == (1, 1, 1)


def test_images_end_with_their_corpus(tmp_path):
    imported(tmp_path, [f"![a]({data(picture())})"])
    curating.delete(corpus=Corpus.objects.get(), typed="Salt", now=NOW)
    assert curating.end_deleted(now=NOW + timedelta(days=2)) == 1
    assert not CorpusImage.objects.exists()


# -- Showing -------------------------------------------------------------------------------------
def shown_study(slug, content):
    """Return a study of two texts with an image, a file, and code that has its address."""
    corpus = small_corpus(slug=slug, responses=2)
    text = f"![A *chart*]({data(content)})\n\n`{data(content)}`\n\n![b](b.png)"
    corpus.responses.update(text=text)
    image = encoded(content)
    CorpusImage.objects.create(
        corpus=corpus,
        digest=digest_of(content),
        names=["b.png"],
        media_type=image.media_type,
        width=image.width,
        height=image.height,
        content=image.content,
    )
    draft = draft_study(instrument="crowdrag-pairwise", corpus=corpus, slug=slug)
    return open_study(draft), text


def test_a_worker_sees_the_images_of_the_own_study_alone(client):
    mine, other = picture(), picture(size=(8, 8))
    study, _ = shown_study("mine", mine)
    shown_study("other", other)
    token = begun(study, bob()).token
    page = client.get(reverse("judging:item", args=[token, 1])).content.decode()
    address = reverse("image", args=[token, digest_of(mine)])
    tag = f'<img src="{address}" alt="A *chart*" width="40" height="30" loading="lazy">'
    assert page.count(tag) == 2
    assert page.count(f'<img src="{address}" alt="b"') == 2
    assert page.count(f"<code>{data(mine)}</code>") == 2  # in code it is no image
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/png"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in answer["Cache-Control"]
    assert "private" in answer["Cache-Control"]
    with Image.open(io.BytesIO(answer.content)) as image:
        assert image.size == (40, 30)
    assert client.get(reverse("image", args=[token, digest_of(other)])).status_code == 404
    assert client.get(reverse("image", args=["no-token", digest_of(mine)])).status_code != 200
    charlie()


def test_pages_of_a_study_and_of_its_corpus_have_their_own_addresses(client):
    content = picture()
    study, _ = shown_study("mine", content)
    digest = digest_of(content)
    of_study = reverse("study_image", args=[study.slug, study.version, digest])
    of_corpus = reverse("corpus_image", args=[study.corpus.slug, digest])
    for address in (of_study, of_corpus):
        assert client.get(address).status_code == 302  # to sign in
    client.force_login(rita())
    response = study.corpus.responses.first()
    item = study.items.get()
    pages = {
        reverse("item_page", args=[study.slug, study.version, item.pk]): of_study,
        reverse("response_page", args=[study.slug, study.version, response.key]): of_study,
        reverse("corpus_response", args=[study.corpus.slug, response.pk]): of_corpus,
    }
    for page, address in pages.items():
        html = client.get(page).content.decode()
        assert set(re.findall(r'<img src="([^"]+)"', html)) == {address}
        assert client.get(address).status_code == 200
