"""Uses of each method of judging: docs/choose-a-method.md as data."""

from annotation.studies.drafts.kinds import Method
from annotation.texts.sentences import marked

RANKING, GRADES, SOURCES, CONTENT = "ranking", "grades", "sources", "content"

_RANKING = marked("A ranking with confidence intervals, and a test for position bias.")
_BEST_WORST = marked("A ranking of many texts at lower cost.")
_LEVEL = marked("Grades that are comparable across studies with the same criteria.")
_NO_LEVEL = marked("Evidence that any answer is good enough.")
_NO_DIFFERENCES = marked("Small differences. Most texts get the same grade.")
_NO_LONG_TEXTS = marked("Reliable votes on long texts. Each page shows four.")
MANY_SYSTEMS = 9

METHODS = {
    "crowdrag-pairwise": Method(
        RANKING,
        marked("Compare two answers"),
        marked("Up to 8 systems; seven criteria, ties allowed"),
        _RANKING,
        _NO_LEVEL,
        paper=marked("CrowdRAG judging study: Gienapp et al., SIGIR 2025"),
        systems=range(2, MANY_SYSTEMS),
    ),
    "documents-pairwise": Method(
        RANKING,
        marked("Compare two answers, with sources"),
        marked("Raters should check claims"),
        marked("Preferences by raters who can check the facts."),
        marked("Fair votes on texts that use other sources."),
    ),
    "best-worst": Method(
        RANKING,
        marked("Best and worst of four"),
        marked("Many systems, short answers"),
        _BEST_WORST,
        _NO_LONG_TEXTS,
        systems=range(MANY_SYSTEMS, 10**6),
    ),
    "summary-preference": Method(
        RANKING,
        marked("One vote per pair"),
        marked("A quick ranking without ties"),
        marked("A ranking, and preferences for fitting the weights of a score."),
        marked("Ties. Raters who see no difference must guess."),
    ),
    "summary-pair": Method(
        RANKING,
        marked("Compare two summaries part by part"),
        marked("Summaries with sections that cite documents"),
        marked("All labels for summaries, and preferences to validate their score."),
        marked("Short tasks. One pair takes about ten minutes."),
    ),
    "ab-comparison": Method(
        RANKING,
        marked("Compare two answers, ten criteria"),
        marked("Few systems; allows ties and “both bad”"),
        _RANKING,
        marked("Low cost with many systems."),
    ),
    "best-worst-two": Method(
        RANKING,
        marked("Best and worst of four, two criteria"),
        marked("Short answers that should be honest and clear"),
        _BEST_WORST,
        _NO_LONG_TEXTS,
    ),
    "next-turn": Method(
        RANKING,
        marked("Compare next turns"),
        marked("Conversations"),
        marked("Which system continues a conversation better."),
        marked("Ratings for whole conversations."),
    ),
    "direct-quality": Method(
        GRADES,
        marked("Ten criteria, 1 to 5"),
        marked("Grades per criterion"),
        _LEVEL,
        _NO_DIFFERENCES,
        systems=range(1, 2),
    ),
    "quality-agreement": Method(
        GRADES,
        marked("Ten yes/no criteria"),
        marked("Percentages that are easy to report"),
        marked("The share of yes answers for each criterion."),
        marked("A ranking, if nearly all or few answers meet a criterion."),
    ),
    "crowdrag-pointwise": Method(
        GRADES,
        marked("Seven criteria, between two poles"),
        marked("To replicate CrowdRAG on single answers"),
        _LEVEL,
        _NO_DIFFERENCES,
        paper=marked("CrowdRAG pointwise pilot study: Gienapp et al., SIGIR 2025"),
    ),
    "answer-quality": Method(
        GRADES,
        marked("Four criteria, 0 to 2"),
        marked("To replicate RAGElo; asks for reasons"),
        _LEVEL,
        _NO_DIFFERENCES,
    ),
    "answer-quality-documents": Method(
        GRADES,
        marked("Four criteria, with sources"),
        marked("Raters should check claims"),
        _LEVEL,
        _NO_DIFFERENCES,
    ),
    "whole-conversation": Method(
        GRADES,
        marked("Whole conversation, 1 to 5"),
        marked("Assistants over many turns"),
        marked("How an assistant performs over many turns."),
        _NO_DIFFERENCES,
    ),
    "statement-support": Method(
        SOURCES,
        marked("Support of each statement"),
        marked("Answers with citations"),
        marked("How faithful a text is to its sources, statement by statement."),
        marked("Overall quality. Even a dull list of quotations is fully supported."),
    ),
    "overview": Method(
        SOURCES,
        marked("Support of an overview"),
        marked("Summaries with an overview"),
        marked("How well an overview answers the query and matches its sources and sections."),
        marked("Results for texts without an overview."),
    ),
    "nuggets": Method(
        CONTENT,
        marked("Nuggets"),
        marked("You have a list of nuggets"),
        marked("Which content the passages cover."),
        marked("Results without your own nuggets. The included ones are general examples."),
    ),
    "nugget-support": Method(
        CONTENT,
        marked("Nuggets in answers"),
        marked("You have nuggets and want to judge answers"),
        marked("Which vital and okay nuggets the answers contain, fully or partly."),
        marked("Results without your own nuggets. The included ones are general examples."),
    ),
    "exam-questions": Method(
        CONTENT,
        marked("Exam questions"),
        marked("You want to read the answers"),
        marked("Grades with reasons. You can check grades that have no answer."),
        marked("More than grades, unless someone reads the answers."),
    ),
    "nugget-extraction": Method(
        CONTENT,
        marked("Nuggets with quotes"),
        marked("You want to check nugget grades"),
        marked("Which content the passages cover, with the words that cover it."),
        marked("More than grades, unless someone reads the quotes."),
    ),
    "answer-extraction": Method(
        CONTENT,
        marked("Answers to exam questions"),
        marked("You know the correct answers"),
        marked(
            "Which questions the passages answer. Each answer is checked against the question bank."
        ),
        marked("How complete an answer is."),
    ),
    "direct-relevance": Method(
        CONTENT,
        marked("Relevance, yes or no"),
        marked("To compare people with directly prompted LLM judges"),
        marked("Which passages answer the query, as qrels."),
        marked("Degrees of relevance."),
    ),
    "retrieval-relevance": Method(
        CONTENT,
        marked("Relevance of passages"),
        marked("You evaluate retrieval and need qrels"),
        marked("How good the retrieval is, with qrels."),
        marked("How well a text uses its passages."),
    ),
    "section-coverage": Method(
        CONTENT,
        marked("Coverage of other summaries"),
        marked("Several systems, summaries with sections"),
        marked("How comprehensive a summary is within its topic."),
        marked("Results for a single system. Other summaries are the reference."),
    ),
    "summary-comprehensiveness": Method(
        CONTENT,
        marked("Comprehensiveness"),
        marked("A low-cost overall impression"),
        marked("An overall impression to compare with section coverage."),
        marked("Missing content. Raters don't notice aspects they don't know."),
    ),
    "heading-statement": Method(
        CONTENT,
        marked("Relevance of each statement"),
        marked("Summaries with headings"),
        marked("Where a summary goes off topic."),
        marked("Results for texts without headings."),
    ),
    "heading-section": Method(
        CONTENT,
        marked("Headings"),
        marked("Headings that should guide readers"),
        marked("How well headings represent their sections, with one answer per section."),
        marked("Which statement is off topic."),
    ),
}
