"""Places of rows in words: the row of a spreadsheet, and the line of its file."""

from django.utils.translation import gettext


def place_of(file: str, line: int, row: int, *, is_table: bool, is_only: bool = False) -> str:
    """Return where a row is: in a table its row, and its line where that is another one.

    `is_only`: there is no other file, so its name is left out.
    """
    if not line:
        return file
    if not is_table:
        place = gettext("Line {line:,}").format(line=line)
    elif row and row != line:
        place = gettext("Row {row:,} (line {line:,})").format(row=row, line=line)
    else:
        place = gettext("Row {row:,}").format(row=line)
    return place if is_only else gettext("{place} in {file}").format(place=place, file=file[:60])
