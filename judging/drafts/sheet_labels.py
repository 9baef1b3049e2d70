"""Labels of choices in a method's form: kinds of items, designers, scales, roles."""

from annotation.texts.sentences import marked

KIND_NAMES = {
    "pair": marked("two texts side by side"),
    "response": marked("one text"),
    "block": marked("four texts"),
    "passage": marked("a passage"),
    "passage_criterion": marked("a passage and a point"),
    "pair_documents": marked("two texts, with documents"),
    "statement_documents": marked("a statement and the documents it cites"),
    "overview": marked("an overview and the documents it cites"),
    "overview_sections": marked("an overview, its sections and the documents it cites"),
    "heading_statement": marked("a statement and its heading"),
    "heading_section": marked("a heading and its section"),
    "section_summary": marked("a section beside another summary"),
}
DESIGNER_NAMES = {
    "all_pairs": marked("every pair"),
    "pool": marked("every text by itself"),
    "blocks": marked("blocks of four"),
    "cross": marked("everything with everything of its topic"),
    "citations": marked("what cites something"),
    "overviews": marked("overviews with their sections"),
    "headings": marked("statements under headings"),
    "own_headings": marked("headings with their sections"),
    "coverage": marked("sections with other summaries"),
}
SCALES = (
    ("options", marked("answers to choose from")),
    ("range", marked("numbers")),
    ("text", marked("a text")),
)
ARITIES = (
    ("item", marked("once for the page")),
    ("slot", marked("for each text")),
    ("choose", marked("by choosing a text")),
)
LEVELS = (
    ("", marked("as its kind has it")),
    ("nominal", "categories"),
    ("ordinal", marked("an order")),
    ("interval", "numbers"),
)
ROLES = (
    ("slot", marked("chooses a text")),
    ("tie", marked("they are equal")),
    ("both_bad", marked("both are bad")),
    ("abstain", marked("cannot say")),
    ("score", marked("has a score")),
    ("label", marked("is a category")),
)
POLARITIES = (
    ("", "–"),
    ("best", marked("the best")),
    ("worst", marked("the worst")),
    ("positive", marked("the better label")),
)
