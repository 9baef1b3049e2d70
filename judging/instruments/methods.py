"""Uses of each method of judging: docs/choose-a-method.md as data."""

from annotation.studies.drafts.kinds import Method

PAIRS, FOUR, ONE = "Compare two texts", "Pick the best and worst of four", "Rate one text"
PARTS, PASSAGES = "Check parts of a summary and sources", "Grade retrieved passages"

_NO_LEVEL = "Doesn't show whether any text is good: the best of bad texts wins too."
_GRADES = "Misses small differences: most texts of current systems get the same grade."
_SHOWS_LEVEL = "Gives a level that you can compare between studies with the same criteria."
_SHOWS_RANKING = "Gives a ranking that shows small differences, and the position bias."
_BEST_WORST = "Gives a ranking of many texts at lower cost."
_LONG = "Unsuitable for long texts: each page shows four."

METHODS = {
    "crowdrag-pairwise": Method(
        PAIRS,
        "Asks which of two texts is better on seven criteria. Six allow Equal.",
        _SHOWS_RANKING,
        _NO_LEVEL,
        paper="The judging study of the CrowdRAG paper: Gienapp et al., The Viability of "
        "Crowdsourcing for RAG Evaluation, SIGIR 2025.",
    ),
    "ab-comparison": Method(
        PAIRS,
        "Asks which of two texts is better on ten criteria, with equally good and both bad.",
        _SHOWS_RANKING,
        "Costly for more than about eight systems: pairs grow with the square of their number.",
    ),
    "summary-preference": Method(
        PAIRS,
        "Asks once which of two summaries is better, without ties.",
        "Gives a ranking, and the preferences to which the weights of a score are fitted.",
        "Unsuitable if many people see no difference: they have to guess.",
    ),
    "documents-pairwise": Method(
        PAIRS,
        "Asks which of two texts answers better, with the top passages of the topic below.",
        "Gives preferences of raters who can check the facts.",
        "Unsuitable if the texts use sources other than these passages.",
    ),
    "next-turn": Method(
        PAIRS,
        "Asks which of two replies is better, with the earlier turns above.",
        "Shows which system continues a conversation better.",
        "Rates only the last turn, not the whole conversation.",
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
        ONE, "Asks for a grade from 1 to 5 on ten criteria.", _SHOWS_LEVEL, _GRADES
    ),
    "answer-quality": Method(
        ONE,
        "Asks for a grade from 0 to 2 on four criteria, with a reason.",
        _SHOWS_LEVEL,
        _GRADES,
    ),
    "crowdrag-pointwise": Method(
        ONE,
        "Asks for a rating between two poles on seven criteria.",
        _SHOWS_LEVEL,
        _GRADES,
        paper="The pointwise pilot study of the CrowdRAG paper: Gienapp et al., SIGIR 2025.",
    ),
    "quality-agreement": Method(
        ONE,
        "Asks whether a text meets ten criteria: yes, no or don't know.",
        "Gives the share of yes: easy to answer and to report.",
        "Can't rank systems that nearly always or hardly ever meet a criterion.",
    ),
    "whole-conversation": Method(
        ONE,
        "Asks for a rating of a whole conversation from 1 to 5 on four criteria.",
        "Shows how an assistant performs over many turns.",
        _GRADES,
    ),
    "statement-support": Method(
        PARTS,
        "Asks whether the cited documents support a statement: yes, partly or no.",
        "Shows how faithful a text is to its sources, statement by statement.",
        "Doesn't measure quality: a dull list of quotations is fully supported.",
    ),
    "overview": Method(
        PARTS,
        "Asks for the sufficiency, faithfulness and representativeness of an overview.",
        "Shows whether an overview answers the query and matches its sources and sections.",
        "Unsuitable for texts without an overview.",
    ),
    "heading-statement": Method(
        PARTS,
        "Asks how relevant a statement is to its heading and to the search query.",
        "Shows where a summary goes off topic.",
        "Unsuitable for texts without headings.",
    ),
    "heading-section": Method(
        PARTS,
        "Asks how well a heading represents its section.",
        "Shows how well headings guide a reader, with one answer per section.",
        "Doesn't show which statement is off topic: heading-statement asks about each.",
    ),
    "section-coverage": Method(
        PARTS,
        "Asks how far a summary covers the aspect of another summary's section.",
        "Shows comprehensiveness relative to all summaries of the topic.",
        "Unsuitable for a single system: other summaries' sections are the reference.",
    ),
    "summary-comprehensiveness": Method(
        PARTS,
        "Asks how comprehensive a summary is as a whole.",
        "Gives a cheap overall impression to compare with section coverage.",
        "Weak on its own: raters can't miss aspects that they don't know.",
    ),
    "retrieval-relevance": Method(
        PASSAGES,
        "Asks how relevant a passage is, in three grades.",
        "Shows how good the retrieval is, and gives qrels.",
        "Doesn't show how well a text uses its passages.",
    ),
    "nuggets": Method(
        PASSAGES,
        "Asks how fully a passage covers a nugget, from 0 to 5.",
        "Shows which content the passages cover.",
        "Needs your own nuggets: those in the file are general examples.",
    ),
    "exam-questions": Method(
        PASSAGES,
        "Asks how well a passage answers an exam question, from 0 to 5, and for its answer.",
        "Shows the reason for a grade: you can check grades that have no answer.",
        "Not worth the effort if nobody reads the answers: use nuggets.",
    ),
}
