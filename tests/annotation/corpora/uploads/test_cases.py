"""Files as people have them: spreadsheets, odd dialects, lists, folders, long and wide tables."""

import csv
import html
import io
import json
import zipfile
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.corpora.uploads import checking, gathering
from annotation.corpora.uploads.questions import open_questions
from annotation.models import Citation, Corpus, CorpusUpload, Passage, Response, System, Topic
from tests.annotation.corpora.uploads.cast import checked, imported, uploaded
from tests.annotation.corpora.workbooks import Formula, packed, workbook
from tests.cast import rita
from tests.hooks import values

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

ROWS = [
    ("Why is the sea salty?", "Alpha", "Rivers carry salts; the sea keeps them.\nSalt stays."),
    ("Why is the sea salty?", "Beta", "Größere Mengen Salz – 3,5 % – bleiben."),
]
HEADER = ("question", "system", "answer")
OBJECTS = [dict(zip(HEADER, row, strict=True)) for row in ROWS]


def delimited(separator=",", end="\n", before=""):
    file = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if end == "\r" else csv.QUOTE_MINIMAL
    table = csv.writer(file, delimiter=separator, lineterminator=end, quoting=quoting)
    table.writerows([HEADER, *ROWS])
    return before + file.getvalue()


def parquet(rows):
    file = BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), file)
    return file.getvalue()


def by_llms(upload):
    upload.origin = "llm"
    upload.save()
    return upload


def is_read(upload):
    """Import an upload, and return its responses by system."""
    imported(by_llms(upload))
    return dict(Response.objects.values_list("system__key", "text"))


TEXTS = {system: text for _, system, text in ROWS}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("returns.csv", delimited(end="\r").encode()),
        ("pipe.csv", delimited("|", end="\r\n").encode()),
        ("semicolon.csv", delimited(";").encode()),
        ("tabs.txt", delimited("\t").encode()),
        ("caret.csv", delimited("^").encode()),
        ("announced.csv", delimited(";", before="sep=;\r\n").encode()),
        ("mark.csv", delimited().encode("utf-16")),
        ("no-mark.csv", delimited().encode("utf-16-le")),
        ("rows.json", json.dumps(OBJECTS, indent=1).encode()),
        ("wrapped.json", json.dumps({"version": 1, "data": OBJECTS}).encode()),
        (
            "columns.json",
            json.dumps(
                {key: {str(n): row[key] for n, row in enumerate(OBJECTS)} for key in HEADER}
            ).encode(),
        ),
        ("lines.json", "".join(json.dumps(row) + "\n" for row in OBJECTS).encode()),
        ("rows.parquet", parquet(OBJECTS)),
        ("rows.xlsx", workbook([HEADER, *ROWS])),
        ("rows.csv", workbook([HEADER, *ROWS])),
        ("title.xlsx", workbook([["Answers of May"], [], HEADER, *ROWS])),
    ],
)
def test_the_same_answers_are_read_from_each_container(name, content):
    upload = uploaded({name: content})
    assert [open_questions(file.look, file.mapping) for file in upload.files.all()] == [[]]
    assert is_read(upload) == TEXTS
    assert Topic.objects.get().query == "Why is the sea salty?"


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman"])
def test_a_code_page_is_confirmed_before_anything_else(client, encoding):
    client.force_login(rita())
    upload = uploaded({"a.csv": delimited(";").encode(encoding)})
    file = upload.files.get()
    page = client.get(upload.get_absolute_url()).content.decode()
    assert len(values(page, "data-encoding-guess")) == 1
    sent = {"act": f"open:{file.pk}", f"encoding-{file.pk}": encoding}
    client.post(f"{upload.get_absolute_url()}change/", sent)
    upload.refresh_from_db()
    assert is_read(upload) == TEXTS


def test_rows_without_content_are_passed_over_and_counted():
    content = "question,system,answer,,\nWhy?,Alpha,Rivers.,,\nWhy?,Beta,Salt.,,\n" + ",,,,\n" * 40
    upload = checked(by_llms(uploaded({"a.csv": content.encode()})))
    assert upload.report["bad"] == 0
    assert any(remark.startswith("40 empty rows") for remark in upload.report["remarks"])


def test_a_bad_row_is_named_by_its_line_and_by_its_row():
    content = 'topic,query\nt1,"two\nlines"\n,,\nt2,\n'
    upload = checked(uploaded({"topics.csv": content.encode()}))
    assert [line[:3] for line in upload.report["lines"]] == [["topics.csv", 5, "query"]]
    assert upload.report["sheet_rows"] == {"topics.csv:5": 4}


def test_a_list_of_alpaca_is_a_table_of_answers():
    row = {"dataset": "helpful_base", "output": "Sparrow", "generator": "gpt4"}
    rows = [row | {"instruction": "Name a bird."}, row | {"instruction": "Name a fish."}]
    imported(by_llms(uploaded({"a.json": json.dumps(rows).encode()})))
    assert set(Topic.objects.values_list("query", flat=True)) == {"Name a bird.", "Name a fish."}
    assert System.objects.get().key == "gpt4"


def test_a_row_for_each_passage_with_the_answer_in_the_first_one():
    content = (
        "query_id,query,passage_id,passage,generated_answer\r\n"
        "q1,Why is the sea salty?,[1],Rivers carry salts into it.,Rivers [1] and vents [2].\r\n"
        "q1,Why is the sea salty?,[2],Vents add their minerals.,\r\n"
        "q2,What makes bread rise?,[1],Yeast makes carbon dioxide.,Yeast does. [1]\r\n"
        "q3,Who bakes the bread?,[1],Bakers bake all the bread.,\r\n"
    )
    upload = imported(by_llms(uploaded({"a.csv": content.encode()})))
    assert upload.report["remarks"] == []
    assert Topic.objects.count() == 3
    found = Passage.objects.order_by("topic__key", "rank").values_list("topic__key", "key")
    assert list(found) == [("q1", "[1]"), ("q1", "[2]"), ("q2", "[1]"), ("q3", "[1]")]
    cited = Citation.objects.order_by("response__topic__key", "position")
    assert [one.passage.text[:5] for one in cited] == ["River", "Vents", "Yeast"]


WIDE = [
    ("Question", "GPT-4 answer", "Llama answer"),
    ("Why is the sea salty?", "Rivers carry salts into the sea.", "Salt comes from rocks on land."),
    ("What makes bread rise?", "Yeast makes gas in the dough.", ""),
]


def test_a_column_for_each_system_is_asked_about_and_becomes_answers(client):
    client.force_login(rita())
    upload = uploaded({"a.xlsx": workbook(WIDE)})
    page = client.get(upload.get_absolute_url()).content.decode()
    assert values(page, "data-candidate")[0] == "table"
    file = upload.files.get()
    client.post(f"{upload.get_absolute_url()}change/", {"act": f"take:{file.pk}:table"})
    upload.refresh_from_db()
    imported(by_llms(upload))
    found = Response.objects.values_list("system__key", "text")
    assert sorted(found) == [
        ("GPT-4", "Rivers carry salts into the sea."),
        ("GPT-4", "Yeast makes gas in the dough."),
        ("Llama", "Salt comes from rocks on land."),
    ]


def test_sheets_can_be_chosen_and_hidden_ones_come_last(client):
    client.force_login(rita())
    sheets = {
        "Hidden": [["x"], ["y"]],
        "Answers": [HEADER, *ROWS],
        "Notes": [["a", "b"], ["c", "d"]],
    }
    upload = uploaded({"a.xlsx": workbook(sheets, hidden=["Hidden"])})
    file = upload.files.get()
    assert file.look["opening"]["sheet"] == "Answers"
    [note] = file.look["opening"]["notes"]
    assert "“Notes”" in note
    assert "Hidden" not in note
    sent = {"act": f"open:{file.pk}", f"sheet-{file.pk}": "Notes"}
    client.post(f"{upload.get_absolute_url()}change/", sent)
    file.refresh_from_db()
    assert file.look["names"] == ["a", "b"]


def test_merged_cells_formulas_and_dates_are_read_as_they_look():
    rows = [
        (*HEADER, "day"),
        ("Why is the sea salty?", "Alpha", "Rivers carry salts.", 1),
        (None, "Beta", Formula('A2&"x"', "Salt stays there."), 2.5),
        (None, "Gamma", Formula("A2"), None),
    ]
    upload = uploaded({"a.xlsx": workbook(rows, merged=["A2:A4"])})
    look = upload.files.get().look
    assert [row[0] for row in look["rows"]] == ["Why is the sea salty?"] * 3
    assert [row[2] for row in look["rows"]] == ["Rivers carry salts.", "Salt stays there.", ""]
    assert [row[3] for row in look["rows"]] == ["1", "2.5", ""]
    assert look["opening"]["notes"][0].startswith("1 formula ")


def test_a_folder_of_a_data_set_is_unpacked():
    parts = {
        "set/README.md": "---\nconfigs: []\n---\n",
        "set/data/train-00000-of-00002.parquet": parquet(OBJECTS[:1]),
        "set/data/train-00001-of-00002.parquet": parquet(OBJECTS[1:]),
        "__MACOSX/set/._README.md": b"x",
        "set/dataset_infos.json": "{}",
    }
    upload = uploaded({"set.zip": packed(parts)})
    names = list(upload.files.values_list("name", flat=True))
    assert names == [f"data/train-0000{n}-of-00002.parquet" for n in (0, 1)]
    assert is_read(upload) == TEXTS


def test_what_a_zip_file_holds_beside_its_data_is_named(client):
    client.force_login(rita())
    upload = uploaded({})
    content = packed({"a.csv": delimited(), "notes.md": "x"})
    client.post(
        f"{upload.get_absolute_url()}files/", {"files": [SimpleUploadedFile("a.zip", content)]}
    )
    page = client.get(upload.get_absolute_url()).content.decode()
    assert list(upload.files.values_list("name", flat=True)) == ["a.csv"]
    assert "notes.md" in page


def bomb(size, name="a.csv"):
    file = BytesIO()
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(name, "w") as one,
    ):
        for _ in range(size // 10_000_000):
            one.write(bytes(10_000_000))
    return file.getvalue()


def sparse():
    cells = '<c r="A1"><v>1</v></c>', '<c r="XFD1048576"><v>1</v></c>'
    whole = workbook([["a", "b"], ["c", "d"]])
    parts = {}
    with zipfile.ZipFile(BytesIO(whole)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"].decode()
    rows = f'<row r="1">{cells[0]}</row><row r="1048576">{cells[1]}</row>'
    parts["xl/worksheets/sheet1.xml"] = (
        sheet.partition("<row")[0] + rows + "</sheetData></worksheet>"
    )
    return packed(parts)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.zip", lambda: bomb(200_000_000), "unpacks to"),
        ("a.xlsx", lambda: bomb(200_000_000, "xl/workbook.xml"), "unpacked"),
        ("a.xlsx", sparse, "16,384 columns"),
        ("a.xlsx", lambda: workbook([HEADER, *ROWS])[:-200], "damaged"),
        ("a.xlsx", lambda: packed({"xl/workbook.xml": "<workbook"}), "damaged"),
        ("a.parquet", lambda: parquet(OBJECTS)[:-20], "damaged"),
        ("a.zip", lambda: packed({"a.bin": b"x"}), "is a zip"),
        ("a.zip", lambda: packed({f"{n}.csv": b"x" for n in range(99)}), "99 files"),
        ("a.docx", lambda: packed({"word/document.xml": "<x/>"}), "Word"),
        ("a.csv", lambda: ("a," * 10_000 + "\n").encode(), "has 10,000 columns"),
        ("a.csv", lambda: b"question,answer\nwhy?," + b"x" * 50_000_000, "limit is 16,777,216"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(name, content, reason):
    upload = uploaded({name: content()})
    assert reason in upload.files.get().look["fault"]
    assert not Corpus.objects.exists()


def test_a_spreadsheet_with_unusual_columns_is_a_corpus_after_five_actions(client):
    """Name it, send the file, check, import: what is open is asked in between."""
    client.force_login(rita())
    header = ("Nr.", "Fragetext", "Pipeline", "Antwort des Modells (final)", "Kommentar")
    questions = ["Warum ist das Meer salzig?", "Warum geht Brot auf?", "Wie entsteht Regen?"]
    rows = [
        (
            str(n),
            questions[n // 2],
            f"rag-{n % 2}",
            f"Das liegt daran, dass {n} Dinge geschehen.",
            "",
        )
        for n in range(6)
    ]
    client.post("/uploads/new/", {"name": "Rain"})
    upload = CorpusUpload.objects.get()
    file = SimpleUploadedFile("final_v3.xlsx", workbook([header, *rows]))
    client.post(f"{upload.get_absolute_url()}files/", {"files": [file]})
    client.post(f"{upload.get_absolute_url()}change/", {"act": "check", "origin": "llm"})
    checking.work_on(pk=upload.pk)
    client.post(f"{upload.get_absolute_url()}change/", {"act": "import"})
    checking.work_on(pk=upload.pk)
    assert (Topic.objects.count(), System.objects.count(), Response.objects.count()) == (3, 2, 6)


def test_a_check_that_leaves_most_rows_and_texts_unread_is_not_green(client):
    client.force_login(rita())
    header = ("topic", "query", "LLM answer", "system")
    rows = [
        (f"t{n}", f"Why is it {n}?", f"It is {n} because of many long reasons.", f"s{m}")
        for n in range(12)
        for m in range(4)
    ]
    upload = uploaded({"a.xlsx": workbook([header, *rows])})
    gathering.say_kind(upload=upload, pk=upload.files.get().pk, kind="topics")
    upload.refresh_from_db()
    page = html.unescape(client.get(checked(upload).get_absolute_url()).content.decode())
    assert values(page, "data-report") == ["ignored"]
    assert values(page, "data-ignored-rows") == ["36/48"]
    assert values(page, "data-ignored-texts") == ["1"]
    assert page.count("button-primary") == 1
    assert 'button-primary" name="act" value="import"' not in page
