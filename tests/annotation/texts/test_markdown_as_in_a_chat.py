"""Answers of models on the page where they are judged: as a chat window shows them."""

import re
import time
from html import unescape

import nh3
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.texts.markdown import rendered
from annotation.texts.markdown.cleaning import ATTRIBUTES, CLASSES, TAGS
from annotation.texts.markdown.images import embedded, image_addresses, name_of


def formulas(text):
    found = re.findall(r'<span data-formula="(\w+)">(.*?)</span>', rendered(text), re.DOTALL)
    return [(kind, unescape(source)) for kind, source in found]


def visible(text, **options):
    return unescape(nh3.clean(rendered(text, **options), tags=set()))


# -- Formulas ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "kind", "source"),
    [
        ("Inline $E = mc^2$ here", "inline", "$E = mc^2$"),
        ("a $x$, b", "inline", "$x$"),
        ("salt ($NaCl$)", "inline", "$NaCl$"),
        ("the $n$th item", "inline", "$n$"),
        (r"so \(a_b * c_d\) is", "inline", r"\(a_b * c_d\)"),
        (
            "$$\\int_0^1 x^2\\,dx = \\frac{1}{3}$$",
            "display",
            "$$\\int_0^1 x^2\\,dx = \\frac{1}{3}$$",
        ),
        ("\\[ a^2 + b^2 = c^2 \\]", "display", "\\[ a^2 + b^2 = c^2 \\]"),
        ("so $$x < y$$ holds", "display", "$$x < y$$"),
        ("text\n$$\na \\\\\n- b\n$$\nmore", "display", "$$\na \\\\\n- b\n$$"),
        ("> \\[\n> x_1\n> \\]", "display", "\\[\nx_1\n\\]"),
        ("1. one\n\n   $$\n   x\n   $$", "display", "$$\nx\n$$"),
        (r"price $x\$y$ in", "inline", r"$x\$y$"),
        ("**$a_1$** bold", "inline", "$a_1$"),
        ("| a |\n|---|\n| $x_1$ |", "inline", "$x_1$"),
        ("$2\\text{ cm}$", "inline", "$2\\text{ cm}$"),
    ],
)
def test_a_formula_keeps_every_byte(text, kind, source):
    assert formulas(text) == [(kind, source)]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $10.",
        "between $5-$10 or $20/$30",
        "US$5 and A$6",
        "It costs $5 or 10$ in total",
        "($5 + tax) and (3$)",
        "$HOME/$USER and $PATH:$HOME/bin",
        "$1 million in 2020, and about 20$ today",
        "`$x^2$` in code",
        "```\n$x^2$\n\\(y\\)\n```",
        "    $x^2$ in an indented block",
        "$ x $ with spaces",
        "a $$ b",
        "$$\nnever closed",
        "$$\n\nan empty line\n\n$$",
        r"\(see below\)",
        r"as \[1\] and \[2, 3\] say",
        r"\[sic\]",
        r"\$x^2\$",
    ],
)
def test_money_code_and_escapes_are_no_formulas(text):
    assert formulas(text) == []


# -- What else chat windows show -----------------------------------------------------------------
def test_a_table_keeps_its_alignment_and_every_cell():
    html = rendered("| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 | 4 |\n| x<br>y |")
    assert re.findall(r'<th class="(\S+) short">', html) == ["at-start", "at-center", "at-end"]
    assert '<td class="short">4</td>' in html
    assert re.search(r"x<br>\s*y", html)
    assert "style" not in html


def test_tasks_have_boxes():
    html = rendered("- [x] done\n- [ ] todo\n- [z] other\n\n[x] outside")
    assert html.count("☑") == 1
    assert html.count("☐") == 1
    assert "[z] other" in html
    assert "[x] outside" in html
    assert "<input" not in html


def test_footnotes_of_two_texts_have_different_ids_and_lose_no_words():
    text = "a[^3] b[^x] c[^3]\n\n[^x]: ex\n[^3]: three\n[^3]: again\n[^9]: nobody refers to it"
    left, right = rendered(text, name="left"), rendered(text, name="right")
    ids = re.findall(r' id="([^"]+)"', left + right)
    assert len(ids) == len(set(ids)) == 8
    for href in re.findall(r'href="#([^"]+)"', left):
        assert href in ids
    assert visible(text).split() == (
        [
            "a3",
            "bx",
            "c3",
            "3",
            "three",
            "↩︎",
            "x",
            "ex",
            "↩︎",
            "3",
            "again",
            "9",
            "nobody",
            "refers",
            "to",
            "it",
        ]
    )


def test_a_footnote_mark_without_its_note_stays():
    assert "[^1]" in visible("salty [^1] sea")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("H<sub>2</sub>O and x<sup>*n*</sup>", "H<sub>2</sub>O and x<sup><em>n</em></sup>"),
        ("a<br>b<br/>c<BR />d", "a<br>\nb<br>\nc<br>\nd"),
        ("<sup>open", "&lt;sup&gt;open"),
        ("*a <sup>b* c</sup>", "<em>a &lt;sup&gt;b</em> c&lt;/sup&gt;"),
        ("<sup>a<sub>b</sup>c</sub>", "&lt;sup&gt;a<sub>b&lt;/sup&gt;c</sub>"),
        ("`<br>`", "<code>&lt;br&gt;</code>"),
        ("<div>a</div>", "&lt;div&gt;a&lt;/div&gt;"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("<sup onclick=x>a</sup>", "&lt;sup onclick=x&gt;a&lt;/sup&gt;"),
        ("~~gone~~", "<s>gone</s>"),
    ],
)
def test_few_tags_are_tags_and_all_others_are_text(text, html):
    assert rendered(text) == f'<p dir="auto">{html}</p>\n'


def test_thoughts_of_a_model_stay_visible():
    words = visible("<think>\nHm, *salt*.\n</think>\n\nBecause of rivers.")
    assert words.split() == ["<think>", "Hm,", "salt.", "</think>", "Because", "of", "rivers."]


def test_details_fold_markdown():
    html = rendered("<details>\n<summary>More *here*</summary>\n\n- a\n- b\n\n</details>\n\nafter")
    start = "<details>\n<summary>More <em>here</em></summary>"
    assert html.startswith(start)
    assert html.index("<li>b</li>") < html.index("</details>") < html.index("after")
    assert "&lt;details&gt;" in rendered("<details>\n<summary>x</summary>\nnever closed")
    assert "&lt;/details&gt;" in rendered("closed only\n</details>")


@pytest.mark.parametrize("language", ["python", "js", "html", "tex", "perl", "brainfuck", ""])
def test_code_stays_as_it_is(language):
    code = 'def salt(x):\n\treturn x * 0.035  # **not bold** [1]\r\n\n<b a="1">$x$</b>\n'
    html = rendered(f"```{language}\n{code}```")
    inside = re.search(r"<code>(.*)</code>", html, re.DOTALL)[1]
    assert unescape(nh3.clean(inside, tags=set())) == code.replace("\r\n", "\n")
    assert ("hl-" in inside) == (language not in ("brainfuck", ""))


def test_the_language_of_code_stays_visible():
    assert 'data-language="python title=x.py"' in rendered("```python title=x.py\nx\n```")


def test_each_block_has_its_own_direction():
    html = rendered("المحيط مالح\n\nEnglish\n\n- النقطة\n\n> quote")
    assert html.count('dir="auto"') == 4
    assert "<li>" in html


def linked(text, **options):
    marks = [[match.start(), match.end(), 0] for match in re.finditer(r"\[\d\]", text)]
    links = [f'<span class="cites">{text[start:end]}</span>' for start, end, _ in marks]
    return rendered(text, cited=marks, link=links.__getitem__, **options)


def test_links_of_citations_are_put_on_plain_words_only():
    text = "a [1] **b [2]** `x[3]` $y[4]$ [c [5]](https://example.org) ![d [6]](x.png)\n\n    z[7]"
    html = linked(text)
    assert re.findall(r'class="cites">\[(\d)\]', html) == ["1", "2"]
    assert all(f"[{n}]" in html for n in range(1, 8))


@pytest.mark.parametrize("name", ["[1]", "[^1]", "##1$$"])
def test_a_citation_is_no_link_of_markdown_and_its_definition_stays(name):
    text = f"Salt {name} is old.\n\n[1]: https://example.org\n[^1]: Of a book"
    start = text.index(name)
    marks = [[start, start + len(name), 0]]
    html = rendered(text, cited=marks, link=lambda number: f"<em>{number}</em>")
    assert "Salt <em>0</em> is old." in html
    assert "https://example.org" in visible(text, cited=marks)
    assert "Of a book" in html
    if name == "[1]":
        assert "Salt [1] is old." in visible(text, cited=marks)


def test_definitions_that_no_link_refers_to_are_shown():
    text = (
        "[a][2] and [3]\n\n[1]: https://one.example\n[2]: https://two.example\n"
        "[2]: https://again.example\n\n- x\n\n[3]: https://three.example"
    )
    html = rendered(text)
    assert re.findall(r'href="([^"]+)"', html) == ["https://two.example", "https://three.example"]
    words = visible(text)
    assert "[1]: https://one.example" in words
    assert "[2]: https://again.example" in words
    assert "[2]: https://two.example" not in words
    assert "[3]:" not in words
    assert "a and [3]" in words


@settings(max_examples=200, deadline=None)
@given(
    number=st.integers(1, 30),
    before=st.sampled_from(["", "a ", "**", "*a ", "- ", "> ", "# ", "| a |\n|---|\n| ", "~~"]),
    after=st.sampled_from(["", " b", "**", "*", "~~", ".", " |", "(x)", "[2]"]),
)
def test_stand_ins_change_nothing_where_no_definition_is(number, before, after):
    text = f"{before}[{number}]{after}"
    place = text.index(f"[{number}]")
    marks = [[place, place + len(f"[{number}]"), 0]]
    assert rendered(text, cited=marks) == rendered(text) or after == "(x)"


# -- Images --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        "![A chart](https://example.org/chart.png)",
        '![A chart](http://example.org/c.svg "seen")',
        "![A chart][c]\n\n[c]: https://example.org/x",
        "[![A chart](https://example.org/x)](https://other.example/)",
        "![A chart](//example.org/x)",
    ],
)
def test_a_remote_image_is_a_box_with_its_words_and_its_host(text):
    html = rendered(text)
    assert "<img" not in html
    assert "A chart" in visible(text)
    assert "example.org" in visible(text)
    assert 'class="image-away"' in html


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "data:image/svg+xml;base64,AAAA", "data:text/html,x", "a.png", "../w/"],
)
def test_an_image_that_did_not_come_along_is_a_box(address):
    assert "<img" not in rendered(f"![words]({address})")
    assert "words" in visible(f"![words]({address})")


def test_addresses_of_images():
    text = "![a](https://x.example/1.png) ![b]( <c d.png> ) ![c][ref] [no](image.png)"
    assert image_addresses(text) == ["https://x.example/1.png", "c", ""]
    assert name_of("./charts/a%20b.png") == "charts/a b.png"
    assert name_of("https://x.example/1.png") == ""
    assert embedded("data:image/png;base64,AAEC") == b"\x00\x01\x02"
    assert embedded("data:image/png;base64,%%%") is None


# -- Other ways of showing ----------------------------------------------------------------------
def test_plain_and_preformatted_texts_show_every_sign():
    text = "# not *a* heading\n  $x$ <b>\n\n- no list"
    plain, raw = rendered(text, rendering="plain"), rendered(text, rendering="preformatted")
    assert unescape(nh3.clean(raw, tags=set())) == text
    assert unescape(nh3.clean(plain, tags=set())).split() == text.split()
    assert "<h1" not in plain + raw
    assert "<ul" not in plain + raw


# -- Any text ------------------------------------------------------------------------------------
PIECES = st.sampled_from(
    [
        "*", "**", "_", "~~", "`", "```\n", "```python\n", "$", "$$", "\\(", "\\)", "\\[", "\\]",
        "[", "]", "(", ")", "![", "](", "[^1]", "[^1]: ", "[1]", "<", ">", "<sup>", "</sup>",
        "<sub>",
        "</sub>", "<br>", "<details>\n", "</details>\n", "<summary>", "</summary>", "<script>", "|",
        "|---|\n", "|:-:|--:|\n", "\n", "\n\n", "    ", "\t", "- ", "- [x] ", "1. ", "> ", "# ",
        "---\n", "===\n", "&amp;", "&#0;", "&", "\\", '"', "'",
        "https://example.org/", "javascript:",
        "data:image/png;base64,AAAA", "onclick=x ", "style=x ", "alpha ", "beta ", "مرحبا",
        "😀", "\r",
        "\x00", "\u2028", "{", "}", "^", "^2", "\\frac{1}{2}",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=60).map("".join)
TAG = re.compile(r"<(/?)([a-z0-9]+)((?: [a-z-]+=\"[^\"]*\")*) ?>")


@settings(max_examples=400, deadline=None)
@given(text=TEXTS)
def test_any_text_is_safe(text):
    html = rendered(text)
    assert "<" not in TAG.sub("", html)
    for _, tag, attributes in TAG.findall(html):
        assert tag in TAGS
        for name, value in re.findall(r' ([a-z-]+)="([^"]*)"', attributes):
            assert name in ATTRIBUTES.get(tag, set()) | {"rel"}
            assert name != "src"
            assert name != "class" or set(value.split()) <= CLASSES
            assert name != "href" or re.match(r"#(fn|fnref)-|https?://", unescape(value))


WORDS = st.from_regex(r"w[a-z]{3,6}", fullmatch=True)
PLACES = [
    "{}", "*{}*", "# {}", "- {}", "> {}", "`{}`", "```\n{}\n```", "    {}",
    "| a |\n|---|\n| {} | {} |",
    "$x {}$", "$${}$$", "<sup>{}", "<{}>", "[{}](https://example.org)",
    "![{}](https://example.org)",
    "![{}](x.png)", "<details>\n{}\n</details>", "[^1]: {}", "a[^1]\n\n[^1]: {}", "- [ ] {}",
    "<details>\n<summary>{}</summary>\n\n{}\n</details>", "> > - {}", "\\({}\\)", "<!-- {} -->",
    "[{}]", "```{}\nx\n```", "- [^2]: {}", "[^2]: [^2]: {}", "[{}][^1]",
]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(
    pieces=st.lists(st.tuples(st.sampled_from(PLACES), WORDS), min_size=1, max_size=8),
    between=st.sampled_from(["\n\n", "\n", " "]),
)
def test_no_word_of_any_text_is_lost(pieces, between):
    text = between.join(place.replace("{}", word) for place, word in pieces)
    html = rendered(text)
    shown = visible(text) + "".join(re.findall(r'data-language="([^"]*)"', html))
    shown += "".join(re.findall(r'href="([^"]*)"', html))  # `[a](<b>)` is an address
    for _, word in pieces:
        assert word in shown


@settings(max_examples=200, deadline=None)
@given(text=TEXTS, with_link=st.booleans())
def test_rendering_is_the_same_every_time(text, with_link):
    link = str if with_link else None
    assert rendered(text, cited=[], link=link) == rendered(text)


NESTED = [
    "[" * 100_000, "![" * 50_000, "[a](" * 25_000, "[a][b" * 20_000, "*a " * 33_000, "$" * 100_000,
    "\\(" * 50_000, "$$\n" * 33_000, "<details>\n" * 10_000, "> " * 50_000, "- " * 50_000 + "a",
    "1. a\n" * 20_000, "<sup>" * 20_000, "`" * 100_000, "[^a" * 33_000,
    "|" + "a|" * 99 + "\n|" + "-|" * 99 + "\n" + "|x\n" * 33_000,
    "|" + "a|" * 5_000 + "\n|" + "-|" * 5_000 + "\n" + "|x\n" * 10_000,
    "```python\n" + "'" * 100_000 + "\n```", "```html\n" + "<a " * 33_000 + "\n```",
    "".join(f"[^{n}]: a\n" for n in range(10_000)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(NESTED)))
def test_a_text_made_to_take_long_does_not(number):
    text = NESTED[number]
    start = time.process_time()
    whole = rendered(text)
    assert time.process_time() - start < 8  # 1 to 3 s: a quadratic one takes minutes
    assert len(whole) < 20 * len(text)


def test_what_is_nested_too_deeply_is_shown_as_written():
    text = "> " * 100 + "kept"
    assert visible(text) == text


def test_citations_are_linked_in_plain_and_preformatted_texts_too():
    for way in ("plain", "preformatted"):
        assert 'a <span class="cites">[1]</span> &lt;b&gt;' in linked("a [1] <b>", rendering=way)
