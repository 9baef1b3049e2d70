"""Explanations of column titles in tables of results, one sentence each.

Keys are titles, with the name of the analysis before a title that means something else there.
Titles that explain themselves (Question, Topics, Votes) have no sentence.
"""

from django.utils.translation import gettext

from annotation.texts.sentences import marked

MERIT = marked(
    "how strongly a text is preferred. 0 is the mean of its topic; of two texts, the one with 1 "
    "more is preferred in 73 of 100 votes where nothing is a tie, the one with 2 more in 88"
)
SAID = {
    "merit": MERIT,
    "grade": marked("the merit as a grade of the topic’s texts: the highest is the best of them"),
    "best-worst score": marked(
        "the share of answers that name a text the best, minus the share that name it the worst: "
        "from −1 to 1"
    ),
    "score": marked("the mean of the answers"),
    "share": marked("the share of answers that have the better label"),
    "Mean": marked("the mean of the scores over topics, each topic counted once"),
    "crowd Mean": marked("the mean competence of the workers"),
    "workers Mean": marked("the mean competence of a worker over all questions"),
    "Competence": marked(
        "how likely a worker answers from knowledge and not by chance (MACE): 0 is chance, 1 is "
        "always"
    ),
    "Lowest to highest": marked("the lowest and the highest competence over the questions"),
    "Letters": marked("systems that share a letter do not differ clearly"),
    "Over": marked("what was drawn again for the interval: other topics, other workers, or both"),
    "Ahead": marked("how surely the first is ahead of the second"),
    "Difference": marked("the first minus the second"),
    "n": marked("how many topics, items or texts the number rests on"),
    "SD": marked("the standard deviation: how far single values lie around their mean"),
    "p": marked("how often chance alone would give as much, were there nothing to find"),
    "q": marked("p, corrected for the number of tests in its family (false discovery rate)"),
    "t": marked("the statistic of the paired t test"),
    "W": marked("the statistic of Wilcoxon’s signed rank test"),
    "p (t)": marked("p of the paired t test"),
    "p (W)": marked("p of Wilcoxon’s signed rank test"),
    "q (t)": marked("q of the paired t test"),
    "q (W)": marked("q of Wilcoxon’s signed rank test"),
    "p (binomial)": marked("p of the test that both sides are chosen equally often"),
    "Cohen’s d_z": marked("the difference in standard deviations of the differences"),
    "Rank-biserial": marked(
        "by how much more of the ranked differences favour the first: −1 to 1"
    ),
    "Alpha": marked(
        "Krippendorff’s alpha: how far votes agree beyond chance; 1 is always, 0 as by chance"
    ),
    "Alpha with people": marked("Krippendorff’s alpha of the judge with the majority of people"),
    "By habits alone": marked("the alpha that the judge’s shares of answers give without reading"),
    "Alpha by habits alone": marked(
        "the alpha that the judge’s shares of answers give without reading"
    ),
    "Workers and items": marked("the interval for other workers and other items like these"),
    "By items": marked("the interval for other items, with these workers"),
    "By workers": marked("the interval for other workers, with these items"),
    "Agreeing votes": marked("how many pairs of votes on the same item say the same"),
    "Resampled": marked("what was drawn again for the interval"),
    "Interval over": marked("what was drawn again for the interval"),
    "Cohen’s kappa": marked("agreement of two raters beyond chance"),
    "Kendall’s tau-b": marked(
        "how alike two rankings are: 1 the same, 0 unrelated, −1 the other way round"
    ),
    "Ranking (tau-b)": marked("how alike judge and people rank (Kendall’s tau-b)"),
    "Units": marked("how many texts or systems are ranked by both"),
    "Cluster": marked("questions with the same number go together"),
    "Rating": marked("the Elo rating: 1,500 is the middle; 400 more wins ten times as often"),
    "Points": marked("the mean score against the other: 1 for a vote won, ½ for a tie"),
    "Against": marked("the system that it is compared with"),
    "Compared": marked("how many comparisons the text is in"),
    "Reliability": marked("the share of differences between workers that is not chance"),
    "Reliability of one vote": marked("how far one vote says what very many would"),
    "SD between workers": marked("how far workers differ, chance taken away"),
    "Alike": marked("the share of shared answers that are the same"),
    "Expected alike": marked("the same, if both answered independently"),
    "Restarts": marked("how often MACE was started again from other values"),
    "Labels that move": marked("the share of labels that another start changes"),
    "Median worker moves": marked("by how much another start changes a competence, in the middle"),
    "Nine in ten move less than": marked("by how much it changes nine of ten competences at most"),
    "Most": marked("by how much it changes a competence at most"),
    "Converged": marked("how many of the starts came to rest"),
    "Same as majority": marked("the share of labels that the majority of votes gives, too"),
    "Same as Dawid-Skene": marked("the share of labels that Dawid and Skene’s model gives, too"),
    "Null": marked("the same number for votes that were shuffled"),
    "Range of null": marked("the lowest and the highest of it over the shuffles"),
    "Votes kept": marked("whose votes are left: all, or those of competent workers"),
    "Workers kept": marked("how many workers these are"),
    "Items with two kept votes": marked("alpha rests on these items"),
    "Competence-corrected agreement": marked(
        "Krippendorff’s alpha of the votes of competent workers alone, whom a model (MACE) tells "
        "from those who answer by chance"
    ),
    "cross-fitted": marked(
        "who is competent on an item was learned from other items, so that agreement does not "
        "prove itself"
    ),
    "Effect": marked("what it adds to a text’s merit to be on the left"),
    "Likelihood ratio": marked("how much better a model with that effect tells the votes"),
    "Right-hand side": marked("the share of votes for the text on the right"),
    "Neutral": marked("votes for neither side"),
    "Saves": marked("the share of votes that so many votes an item save"),
    "Majority stays": marked("the share of items that keep the majority of all votes"),
    "Bought": marked("how many were paid for"),
    "Unit": marked("what is bought"),
    "Whole": marked("assignments of which nothing was recorded in between"),
    "Without time": marked("assignments whose time is not known"),
    "Below target": marked("the share of assignments that earned less than the target wage"),
    "R²": marked("the share of differences that is explained"),
    "Worth in votes": marked(
        "how many votes of a person a label of the judge is worth; the interval of a judge that "
        "knows nothing ends at 0 and is on the safe side"
    ),
    "Votes of a person that a label is worth": marked(
        "how many votes of a person say as much as a label of the judge"
    ),
    "Both orders alike": marked("how often the judge answers the same when the sides are changed"),
    "Left side": marked("how often it prefers the text on the left"),
    "Longer text": marked("how often it prefers the longer text"),
    "Not read": marked("the share of its answers that could not be read"),
    "Statistic": marked("the statistic of the test"),
    "Start": marked("where the part of the text begins: 0 its beginning, 1 its end"),
    "End": marked("where the part of the text ends"),
}  # fmt: skip
INTERVAL = marked("in so many of 100 studies like this one, such an interval holds the true value")


def says(title: str, *, of: str = "") -> str:
    """Return the sentence for a title in the tables of an analysis; '' if it needs none."""
    said = SAID.get(f"{of} {title}") or SAID.get(title)
    if said is None and title.endswith("% interval"):
        said = INTERVAL
    return gettext(said) if said else ""
