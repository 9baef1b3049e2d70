"""Uses of each method of judging: docs/choose-a-method.md as data."""

from annotation.studies.drafts.kinds import Method

PAIRS, FOUR, ONE = "Compare two texts", "The best of four", "Judge one text"
PARTS, PASSAGES = "Parts of a summary, and sources", "Retrieved passages"

_NO_LEVEL = "Not to learn whether any of them is good: the best of bad texts wins too."
_GRADES = "Not for small differences: most texts of today get the same grade."
_SHOWS_LEVEL = "Shows a level, which can be compared with other studies of the same criteria."
_SHOWS_RANKING = "Shows a ranking with small differences, and position bias, since sides are drawn."
_BEST_WORST = "Shows a ranking of many texts for less."
_LONG = "Not for long texts: a page has four of them."

METHODS = {
    "crowdrag-pairwise": Method(
        PAIRS,
        "Asks which of two texts is better, by seven criteria, six of them with Equal.",
        _SHOWS_RANKING,
        _NO_LEVEL,
        paper="This is the judging study of the CrowdRAG paper: Gienapp et al., The Viability of "
        "Crowdsourcing for RAG Evaluation, SIGIR 2025.",
    ),
    "ab-comparison": Method(
        PAIRS,
        "Asks which of two texts is better, by ten criteria, with equally good and both bad.",
        _SHOWS_RANKING,
        "Not for more than about eight systems: the number of pairs grows with their square.",
    ),
    "summary-preference": Method(
        PAIRS,
        "Asks which of two summaries is better, once, without a tie.",
        "Shows a ranking; its answers are what weights of a score are fitted to.",
        "Not where many see no difference: without a tie they answer by chance.",
    ),
    "documents-pairwise": Method(
        PAIRS,
        "Asks which of two texts answers better, with the best passages of the topic below.",
        "Shows preferences of raters who can check.",
        "Not where the texts draw on other sources than those passages.",
    ),
    "next-turn": Method(
        PAIRS,
        "Asks which of two next turns of a conversation is better, with the earlier turns above.",
        "Shows which system goes on better, by its help, its use of what was said, and overall.",
        "Not for whole conversations: only the last turn is judged.",
    ),
    "best-worst": Method(
        FOUR, "Asks for the best and the worst of four texts.", _BEST_WORST, _LONG
    ),
    "best-worst-two": Method(
        FOUR,
        "Asks for the best and the worst of four texts, by honesty and by comprehensibility.",
        _BEST_WORST,
        _LONG,
    ),
    "direct-quality": Method(
        ONE, "Asks for a grade of one text by ten criteria, from 1 to 5.", _SHOWS_LEVEL, _GRADES
    ),
    "answer-quality": Method(
        ONE,
        "Asks for four qualities of one text, from 0 to 2, with a reason.",
        _SHOWS_LEVEL,
        _GRADES,
    ),
    "crowdrag-pointwise": Method(
        ONE,
        "Asks for seven qualities of one text, each between two poles.",
        _SHOWS_LEVEL,
        _GRADES,
        paper="This is what the CrowdRAG paper asked of single texts, beside its pairs: Gienapp et "
        "al., SIGIR 2025.",
    ),
    "quality-agreement": Method(
        ONE,
        "Asks whether a text meets ten criteria: yes, no, don't know.",
        "Shows the share of yes: easy to answer, easy to say.",
        "Not to rank systems that nearly always, or hardly ever, meet a criterion.",
    ),
    "whole-conversation": Method(
        ONE,
        "Asks for four qualities of a whole conversation, from 1 to 5.",
        "Shows how an assistant does over many turns, not at its last one alone.",
        _GRADES,
    ),
    "statement-support": Method(
        PARTS,
        "Asks whether the documents that a statement cites support it: yes, partly, no.",
        "Shows how faithful a text is to its sources, statement by statement.",
        "Not for quality: a dull text of quotations is fully supported.",
    ),
    "overview": Method(
        PARTS,
        "Asks for the sufficiency, faithfulness and representativeness of an overview.",
        "Shows whether an overview answers, follows from its sources and sums up its sections.",
        "Not for texts without an overview.",
    ),
    "heading-statement": Method(
        PARTS,
        "Asks how relevant a statement is to its heading, and to the search question.",
        "Shows where a summary goes astray.",
        "Not for texts without headings.",
    ),
    "heading-section": Method(
        PARTS,
        "Asks how well a heading represents the section below it.",
        "Shows how far headings guide a reader, with one answer a section.",
        "Not to find the statement that goes astray: “heading-statement” asks about each.",
    ),
    "section-coverage": Method(
        PARTS,
        "Asks how far a summary deals with the aspect of another summary's section.",
        "Shows comprehensiveness relative to the sections of all summaries on the topic.",
        "Not for a single system: the sections of other summaries are the reference.",
    ),
    "summary-comprehensiveness": Method(
        PARTS,
        "Asks how comprehensive a summary is as a whole.",
        "Shows an impression, cheap, to set beside the coverage of sections.",
        "Not alone: raters cannot miss what they do not know.",
    ),
    "retrieval-relevance": Method(
        PASSAGES,
        "Asks how relevant a passage is, in three steps.",
        "Shows how good retrieval is, and gives qrels.",
        "Not for what a text makes of its passages.",
    ),
    "nuggets": Method(
        PASSAGES,
        "Asks how fully a passage deals with a point, 0 to 5.",
        "Shows which content is covered, also by passages that nobody has judged as a whole.",
        "Not without points of your own: those of the file are examples for any topic.",
    ),
    "exam-questions": Method(
        PASSAGES,
        "Asks how well a passage answers a question, 0 to 5, and for the answer in its words.",
        "Shows why a grade was given: grades without an answer can be looked at.",
        "Not where nobody will read the answers: take nuggets.",
    ),
}
