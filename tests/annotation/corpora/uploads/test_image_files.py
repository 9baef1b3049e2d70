"""Images beside the texts of an upload, alone or in a zip file, and what the check says of them."""

import io
import json
import zipfile

import pytest
from django.urls import reverse
from PIL import Image

from annotation.corpora.uploads import gathering
from annotation.corpora.uploads.image_files import image_files, image_sizes
from annotation.models import Corpus, CorpusImage
from tests.annotation.corpora.uploads.cast import arrived, checked, imported, uploaded

pytestmark = pytest.mark.django_db
CASE = {  # as an answer of a chat window: two images, one of them remote
    "question": "Why is the sea salty?",
    "system": "Markdown",
    "answer": "![A chart](https://example.org/chart.png)\n\n![inline](data:image/png;base64,{})",
    "contexts": ["Rivers carry salts.", "Water evaporates."],
    "style": "free",
    "origin": "llm",
}


def picture(size=(6, 4)):
    written = io.BytesIO()
    Image.new("RGB", size).save(written, format="PNG")
    return written.getvalue()


def answers(*texts):
    rows = [CASE | {"answer": text, "system": f"s{n}"} for n, text in enumerate(texts)]
    return "\n".join(map(json.dumps, rows)).encode()


def packed(files):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return written.getvalue()


TEXTS = ("![a](images/a.png)", "![b](./images/b%20c.png)", "![no](images/no.png)")


@pytest.mark.parametrize("folder", ["", "set/"])
def test_images_of_a_zip_file_come_into_the_corpus(client, folder):
    files = {
        f"{folder}answers.jsonl": answers(*TEXTS),
        f"{folder}images/a.png": picture(),
        f"{folder}images/b c.png": picture((2, 2)),
        f"{folder}images/.DS_Store": b"",
        "__MACOSX/images/._a.png": b"x",
    }
    upload = uploaded({"all.zip": packed(files)})
    assert [file.name for file in upload.files.all()] == ["answers.jsonl"]
    assert set(image_sizes(upload)) == {"images/a.png", "images/b c.png"}
    client.force_login(upload.owner)
    page = client.get(reverse("upload", args=[upload.pk])).content.decode()
    assert 'data-images="2"' in page
    upload = checked(upload)
    assert not upload.report["bad"]
    assert upload.report["images"].items() >= {"remote": 0, "missing": 1, "broken": 0}.items()
    assert not CorpusImage.objects.exists()
    imported(upload)
    corpus = Corpus.objects.get()
    names = {name for names in corpus.images.values_list("names", flat=True) for name in names}
    assert names == {"images/a.png", "images/b c.png"}


def test_an_image_is_sent_beside_the_texts_and_replaced_by_name():
    upload = uploaded({"answers.jsonl": answers("![a](a.png)"), "a.png": picture()})
    newer = picture((9, 9))
    gathering.add_files(upload=upload, files=[arrived("a.png", newer)])
    assert dict(image_files(upload)) == {"a.png": newer}
    imported(checked(upload))
    assert CorpusImage.objects.get().width == 9


def test_what_is_called_an_image_and_is_none_changes_nothing():
    files = {"answers.jsonl": answers("![a](a.png)"), "a.png": b"<svg onload=alert(1)>"}
    upload = checked(uploaded(files))
    assert not upload.report["bad"]
    assert upload.report["images"].items() >= {"remote": 0, "missing": 0, "broken": 1}.items()
    imported(upload)
    assert not CorpusImage.objects.exists()


def test_the_check_counts_texts_with_remote_images():
    texts = ["![a](https://example.org/a.png)", "![b](http://example.org/b.png) again", "none"]
    upload = checked(uploaded({"answers.jsonl": answers(*texts)}))
    assert upload.report["images"].items() >= {"remote": 2, "missing": 0, "broken": 0}.items()
    assert any(remark.startswith("2 ") for remark in upload.report["remarks"])
