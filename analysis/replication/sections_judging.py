"""Tables 4 to 9 in the report, and the errors of their print, in our own words."""

from analysis.replication.corpus_files import DIMENSIONS
from analysis.replication.grade_tables import STYLES
from analysis.replication.layout import NAMES, WITH_ALL, CellBlock, PaperSection

TABLE_4 = PaperSection(
    "table4",
    "Table 4: agreement",
    "Krippendorff’s ordinal alpha. C is the whole crowd, C* the workers that MACE trusts, E the "
    "experts. Pairs that hardly differ have a majority of votes in fewer than five of seven "
    "dimensions.",
    (
        CellBlock("table4.C.{}", "C, all pairs"),
        CellBlock(
            "table4.C_star_cross_fitted.{}",
            "C*, cross-fitted",
            printed="table4.C_star_in_sample.{}",
        ),
        CellBlock("table4.C_star_in_sample.{}", "C*, in sample"),
        CellBlock(
            "table4.C_star_refitted.{}",
            "C*, in sample, refitted",
            printed="table4.C_star_in_sample.{}",
        ),
        CellBlock("table4.C_star_null.{}", "In sample, votes permuted", printed="-"),
        CellBlock(
            "table4.C_star_cross_fitted_null.{}", "Cross-fitted, votes permuted", printed="-"
        ),
        CellBlock("table4.diff_C.{}", "C, pairs that differ"),
        CellBlock("table4.diff_C_star_in_sample.{}", "C*, in sample, pairs that differ"),
        CellBlock("table4.min_diff_C.{}", "C, pairs the experts judged"),
        CellBlock("table4.min_diff_expert.{}", "E, pairs the experts judged"),
        CellBlock("table4.pointwise.{}", "Single responses, C*"),
        CellBlock("table4.pointwise_uncorrected.{}", "Single responses, C", printed="-"),
    ),
    (
        "C* in sample is circular: who is competent is learned from the agreement that is then "
        "reported. With votes permuted at random the same procedure still reaches about 0.3, as "
        "the column beside it shows. Cross-fitted, competence comes from the other nine of ten "
        "folds of pairs; permuted votes then stay at 0. That column is the one to quote.",
        "C* in sample uses the published spam probabilities, since MACE began at random. The "
        "text says that about the lowest quarter of workers is left out and three votes stay on "
        "every pair. In fact 35 to 55 % of the votes are left out, and 296 to 802 of the 1,352 "
        "pairs keep fewer than three.",
        "The column C* is computed over 975 pairs, one direction of each, not over 1,352.",
        "The caption gives 410 items for single responses, the text 47 responses.",
    ),
)
TABLE_5 = PaperSection(
    "table5",
    "Table 5: effects of order",
    "Agreement where a pair was shown one way round (←), the other (→), and both together; and in "
    "the first seven and the last eight pairs of a questionnaire.",
    (
        CellBlock("table5.{}.left", "←"),
        CellBlock("table5.{}.right", "→"),
        CellBlock("table5.{}.both", "Both directions"),
        CellBlock("table5.{}.first_half", "First half"),
        CellBlock("table5.{}.second_half", "Second half"),
    ),
    (
        "All workers of a questionnaire had its pairs in the same order, so the two halves hold "
        "different pairs, and their difference is no effect of order alone.",
    ),
)
TABLE_6 = PaperSection(
    "table6",
    "Table 6: dimensions together",
    "Kendall’s tau-b between the gold labels of two dimensions, over all pairs.",
    (
        *(
            CellBlock(f"table6.{{}}.{name}", NAMES[name], tuple(d for d in DIMENSIONS if d != name))
            for name in DIMENSIONS
        ),
        CellBlock("table6_mean.{}", "Mean of the others"),
    ),
)
TABLE_7 = PaperSection(
    "table7",
    "Table 7: grades",
    "Mean grades, 1 to 6 within a topic, 6 the best: Bradley-Terry with ties on the gold labels.",
    (
        *(
            CellBlock(
                f"table7.{{}}.{style}.{origin}", f"{NAMES[style]}: {NAMES[origin]}", decimals=1
            )
            for style in WITH_ALL
            for origin in ("human", "llm", "both")
            if (style, origin) != ("all", "both")
        ),
        *(
            CellBlock(f"table7_significance.{{}}.{style}", f"q, {NAMES[style]}", printed="-")
            for style in (*STYLES, "all")
        ),
    ),
    (
        "Equal merits share a grade here; the published grades break such ties by chance.",
        "The text has all styles together without a difference in the two dimensions of "
        "coverage. The test behind it was run on the news style alone; over all styles all "
        "seven differences are significant (q: Wilcoxon on topics, Benjamini-Hochberg over 21 "
        "tests by style, and over seven tests of all styles).",
    ),
)
RIGHT_ROWS = (3, 0, 1, 4, 5, 2, 6)  # the printed rows follow the alphabet, their names do not
TABLE_8 = PaperSection(
    "table8",
    "Table 8: likeness to the best response",
    "Spearman correlation of grades with BLEU and ROUGE-L against the best response of a topic, "
    "over the five others, and by the best and the worst of them.",
    tuple(
        CellBlock(f"table8.{{}}.{column}", title, decimals=3, right_rows=RIGHT_ROWS)
        for column, title in (
            ("bleu_best_worst", "BLEU, best and worst"),
            ("rougeL_best_worst", "ROUGE-L, best and worst"),
            ("bleu_full", "BLEU, all"),
            ("rougeL_full", "ROUGE-L, all"),
        )
    ),
    (
        "The values of the printed table are sorted by the alphabet of the dimensions’ names, its "
        "row labels are not: all rows but the last carry a wrong label. “Printed” is here the "
        "value that was meant for the dimension.",
        "Where several responses share the best grade, each is the reference once and the mean "
        "counts; the paper takes one of them. Small differences come from that.",
        "BLEU takes the response for the reference and the reference for the response, as the "
        "published code does. BERTScore is left out: it would download a language model.",
    ),
)
TABLE_9 = PaperSection(
    "table9",
    "Table 9: the model as a judge",
    "Alpha between the model’s labels for both directions of a pair, alpha of these with the gold "
    "labels of people, and the mean correlation of a dimension with the others.",
    (
        *(
            block
            for how, title in (("combined", "All at once"), ("individual", "One by one"))
            for block in (
                CellBlock(f"table9.{{}}.{how}_llm", f"{title}: model, two directions"),
                CellBlock(
                    f"table9.{{}}.{how}_cross",
                    f"{title}: model against people, cross pairs",
                    printed=f"table9.{{}}.{how}_human_as_printed",
                ),
                CellBlock(
                    f"table9.{{}}.{how}_human",
                    f"{title}: model and people as four raters",
                    printed="-",
                ),
                CellBlock(
                    f"table9.{{}}.{how}_human_as_printed",
                    f"{title}: model and people, orientation mixed (error reproduced)",
                ),
                CellBlock(
                    f"table9.{{}}.{how}_rho",
                    f"{title}: correlation with the others",
                    printed=f"table9.{{}}.{how}_rho_as_printed",
                ),
                CellBlock(
                    f"table9.{{}}.{how}_rho_as_printed",
                    f"{title}: correlation, itself among them",
                ),
            )
        ),
        CellBlock("table9.{}.both", "All at once and one by one"),
        CellBlock("table9.{}.human_two_directions", "People, two directions", printed="-"),
    ),
    (
        "The printed agreement of model and people mixes two orientations: the labels of the "
        "model were turned to the sorted pair, those of people were not, so that many of them "
        "speak of the other response.",
        "Turned alike, the printed statistic is an alpha of four raters. One pair of these is the "
        "model with itself and one people with themselves, so that a steady model gains by its "
        "steadiness. Model against people stands in the column of the cross pairs: that is the "
        "one to quote, beside what people reach with themselves.",
        "The printed correlations count the correlation of a dimension with itself, which is 1.",
        "What the model could reach is told by the last column: gold labels of people for the two "
        "directions of a pair.",
    ),
)
