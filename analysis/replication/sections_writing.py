"""Tables 1 and 3 and the figures in the report, and the errors of their print, in our own words."""

from analysis.replication.grade_tables import STYLES
from analysis.replication.layout import NAMES, WITH_ALL, CellBlock, PaperSection

WRITING = (
    "topics_written", "responses", "writers", "words_per_response", "minutes_per_response",
    "dollars_per_hour_writing", "dollars_per_response",
)  # fmt: skip
JUDGING = (
    "topics_judged", "criteria", "pairs", "votes", "votes_llm", "judges", "votes_per_judge",
    "minutes_per_vote", "dollars_per_hour_judging", "dollars_per_vote", "dollars_per_gold_label",
)  # fmt: skip

TABLE_1 = PaperSection(
    "table1",
    "Table 1: key figures",
    "The corpus and the two studies in numbers.",
    (
        CellBlock("table1.{}", "Writing", WRITING),
        CellBlock("table1.{}", "Judging", JUDGING),
    ),
    (
        "The printed cost of a vote is $0.06. The costs in the text, $3,672.54 for 47,320 votes, "
        "imply $0.078 per vote and $0.388 per gold label of five votes.",
        "$2.50 for 10:22 minutes are $14.47 an hour; printed is $14.40. Minutes computed here are "
        "active time: a gap between two snapshots counts at most 20 seconds, so rates differ.",
        "Minutes per vote: mean duration of a questionnaire divided by its votes (15 pairs, seven "
        "questions). No interpretation of the data yields the printed 0.6 minutes.",
        "In the published data, a questionnaire took 28.1 minutes on average; the text reports "
        "25:00, about the median. The hourly rate uses the mean.",
        "Words are counted in texts of people with at least 50 words.",
    ),
)
TABLE_3 = PaperSection(
    "table3",
    "Table 3: cited passages and their order",
    "Jaccard coefficients of sets of cited passages, and rank correlations of their orders.",
    (
        CellBlock("table3.jaccard.human_retrieved.{}", "Jaccard: people, retrieved", WITH_ALL),
        CellBlock("table3.jaccard.llm_retrieved.{}", "Jaccard: model, retrieved", WITH_ALL),
        CellBlock("table3.jaccard.human_llm.{}", "Jaccard: people, model", WITH_ALL),
        *(
            CellBlock(
                f"table3.spearman_as_printed.{pair}.{{}}", f"{title}, ids as strings", WITH_ALL
            )
            for pair, title in (
                ("human_retrieved", "Spearman: people, retrieved"),
                ("llm_retrieved", "Spearman: model, retrieved"),
                ("human_llm", "Spearman: people, model"),
            )
        ),
        *(
            CellBlock(
                f"table3.spearman.{pair}.{{}}",
                f"{title}, ranks",
                WITH_ALL,
                printed=f"table3.spearman_as_printed.{pair}.{{}}",
            )
            for pair, title in (
                ("human_retrieved", "Spearman: people, retrieved"),
                ("llm_retrieved", "Spearman: model, retrieved"),
                ("human_llm", "Spearman: people, model"),
            )
        ),
    ),
    (
        "The printed correlations use passage IDs sorted as strings. Correlating the rank of a "
        "passage with the position of its first citation shows that people and model follow the "
        "ranking much more closely, the model no less than people.",
        "The printed 95% confidence intervals are standard deviations. The intervals here are "
        "bootstrapped over topics.",
    ),
)
FIGURES = (
    PaperSection(
        "figure1",
        "Figure 1: words, statements, documents",
        "Length of responses and number of citations. Texts under 50 words are excluded.",
        tuple(
            CellBlock(
                f"figures.figure1.{measure}.{{}}.all", title, ("human", "llm"), decimals=places
            )
            for measure, title, places in (
                ("documents", "Different documents, mean", 1),
                ("citations_per_document", "Citations per document", 1),
                ("citations_per_statement", "Citations per statement", 2),
            )
        ),
        figures=("figure1.words", "figure1.statements", "figure1.documents"),
    ),
    PaperSection(
        "figure2",
        "Figure 2: ranks of cited documents",
        "Probability of citation by rank, and ranks of cited documents.",
        (
            *(
                CellBlock(
                    f"figures.figure2.rank_as_printed.{kind}.{origin}.{{}}",
                    f"{NAMES[origin]}, {kind}: mean rank from 0",
                    STYLES,
                    decimals=1,
                )
                for kind in ("cited", "uncited")
                for origin in ("human", "llm")
            ),
            *(
                CellBlock(
                    f"figures.figure2.median_rank.{kind}.{origin}.{{}}",
                    f"{NAMES[origin]}, {kind}: median rank from 1",
                    STYLES,
                    printed=f"figures.figure2.rank_as_printed.{kind}.{origin}.{{}}",
                    decimals=1,
                )
                for kind in ("cited", "uncited")
                for origin in ("human", "llm")
            ),
        ),
        ("The table calls its ranks medians; they are means, and count from 0.",),
        figures=("figure2",),
    ),
    PaperSection(
        "figure3",
        "Figure 3: reuse of text",
        "Sentence BLEU (up to 8-grams) of each statement and the passage it cites.",
        (
            CellBlock("figures.figure3.share_under_25.human.{}", "People, share under 25", STYLES),
            CellBlock("figures.figure3.share_under_25.llm.{}", "Model, share under 25", STYLES),
        ),
        (
            "The text reports 75% for news and 88% for essays; the statements here give 66% "
            "and 90%. The cause of the difference is unknown.",
        ),
        figures=("figure3",),
    ),
    PaperSection(
        "figure4",
        "Figure 4: position of citations",
        "Density of citations over the length of a response; 1 if evenly spread.",
        figures=("figure4.bullet", "figure4.essay", "figure4.news"),
    ),
    PaperSection(
        "figure5",
        "Figure 5: readability",
        "Flesch reading ease of statements and of the passages they cite, medians over responses.",
        (
            CellBlock("figures.figure5.median.own.{}", "Own text", ("human", "llm"), decimals=0),
            CellBlock("figures.figure5.median.cited.{}", "Cited documents", ("human", "llm")),
        ),
        figures=("figure5",),
    ),
)
