"""GFM's tables without loss: cells beyond those of the head are shown, too."""

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_block.table import escapedSplit, getLine
from markdown_it.token import Token

MAX_COLUMNS = 100
MAX_FILLED = 2_000  # cells of short rows that are filled up: a few signs could grow without end


def table_plugin(md: MarkdownIt) -> None:
    """Replace the rule of tables in a parser."""
    md.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})


def _table(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    columns = getLine(state, start_line).count("|") - 1
    if start_line + 2 > end_line or columns > MAX_COLUMNS:
        return False
    if not table(state, start_line, end_line, True):
        return False
    if silent:
        return True
    begin = len(state.tokens)
    table(state, start_line, _last_row(state, start_line, end_line, columns), False)
    state.tokens[begin:] = _with_all_cells(state, state.tokens[begin:])
    return True


def _last_row(state: StateBlock, start_line: int, end_line: int, columns: int) -> int:
    """Return the line at which a table ends because its rows lack too many cells."""
    if "|" not in getLine(state, start_line):
        return end_line
    filled = 0
    for line in range(start_line + 2, end_line):
        row = getLine(state, line)
        filled += max(0, columns - row.count("|"))
        if filled > MAX_FILLED:
            return line
        if not row.strip():
            break
    return end_line


def _with_all_cells(state: StateBlock, tokens: list[Token]) -> list[Token]:
    kept: list[Token] = []
    columns, row = 0, (0, 0)
    for token in tokens:
        if token.type == "th_open":
            columns += 1
        elif token.type == "tr_open" and token.map:
            row = (token.map[0], token.level + 1)
        elif token.type == "tr_close" and columns and kept[-1].type == "td_close":
            for cell in _cells(state, row[0])[columns:]:
                kept += _cell(cell, *row)
        kept.append(token)
    return kept


def _cells(state: StateBlock, line: int) -> list[str]:
    """Return the cells of a row, as the rule splits it."""
    cells = escapedSplit(getLine(state, line).strip())
    if cells and cells[0] == "":
        cells.pop(0)
    if cells and cells[-1] == "":
        cells.pop()
    return cells


def _cell(content: str, line: int, level: int) -> list[Token]:
    lines = [line, line + 1]
    words = Token("inline", "", 0, map=lines, level=level + 1, content=content.strip(), block=True)
    words.children = []
    return [
        Token("td_open", "td", 1, level=level, block=True),
        words,
        Token("td_close", "td", -1, level=level, block=True),
    ]
