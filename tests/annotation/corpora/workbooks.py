"""Excel workbooks as bytes, with what a test needs of them."""

import zipfile
from collections.abc import Sequence
from datetime import date
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from annotation.corpora.reading.headers import letters

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
RELATIONSHIPS = "application/vnd.openxmlformats-package.relationships+xml"
HIDDEN = ' state="hidden"'
Rows = Sequence[Sequence[Any]]


class Formula:
    """A formula, with the value that Excel has stored of it; None: it was never computed."""

    def __init__(self, text: str, value: Any = None) -> None:
        self.text, self.value = text, value


def workbook(
    sheets: dict[str, Rows] | Rows, *, hidden: Sequence[str] = (), merged: Sequence[str] = ()
) -> bytes:
    """Return a workbook; `merged` are ranges of its first sheet."""
    named = sheets if isinstance(sheets, dict) else {"Sheet1": sheets}
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Default Extension="rels" ContentType="{RELATIONSHIPS}"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{SHEET}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{SHEET}.styles+xml"/>'
        + "".join(
            f'<Override PartName="/xl/{_part(n)}" ContentType="{SHEET}.worksheet+xml"/>'
            for n in range(1, len(named) + 1)
        )
        + "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
        + "".join(
            f'<sheet name={quoteattr(name)} sheetId="{n}"{HIDDEN if name in hidden else ""} '
            f'r:id="rId{n}"/>'
            for n, name in enumerate(named, start=1)
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        + "".join(
            f'<Relationship Id="rId{n}" Type="{OFFICE}/worksheet" Target="{_part(n)}"/>'
            for n in range(1, len(named) + 1)
        )
        + f'<Relationship Id="rId99" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><cellXfs count="2"><xf numFmtId="0"/>'
        '<xf numFmtId="14"/></cellXfs></styleSheet>',
    }
    for n, (_, rows) in enumerate(named.items(), start=1):
        parts[f"xl/{_part(n)}"] = sheet_xml(rows, merged if n == 1 else ())
    return packed(parts)


def _part(number: int) -> str:
    return f"worksheets/sheet{number}.xml"


def sheet_xml(rows: Rows, merged: Sequence[str] = ()) -> str:
    lines = []
    for number, cells in enumerate(rows, start=1):
        filled = [
            _cell(f"{letters(place)}{number}", cell)
            for place, cell in enumerate(cells)
            if cell is not None
        ]
        lines.append(f'<row r="{number}">{"".join(filled)}</row>')
    ranges = "".join(f'<mergeCell ref="{one}"/>' for one in merged)
    tail = f"<mergeCells>{ranges}</mergeCells>" if ranges else ""
    return f'<worksheet xmlns="{MAIN}"><sheetData>{"".join(lines)}</sheetData>{tail}</worksheet>'


def _cell(place: str, value: Any) -> str:
    if isinstance(value, Formula):
        stored = "" if value.value is None else f"<v>{value.value}</v>"
        kind = ' t="str"' if isinstance(value.value, str) else ""
        return f'<c r="{place}"{kind}><f>{escape(value.text)}</f>{stored}</c>'
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{place}"><v>{value}</v></c>'
    if isinstance(value, date):
        return f'<c r="{place}" s="1"><v>{(value - date(1899, 12, 30)).days}</v></c>'
    if value == "#N/A":
        return f'<c r="{place}" t="e"><v>#N/A</v></c>'
    text = escape(str(value))
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def packed(parts: dict[str, str | bytes]) -> bytes:
    """Return a zip file with these parts."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()
