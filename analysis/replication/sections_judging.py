"""Tables 4 to 9 in the report, and the errors of their print, in our own words."""

from analysis.replication.corpus_files import DIMENSIONS
from analysis.replication.grade_tables import STYLES
from analysis.replication.layout import NAMES, WITH_ALL, CellBlock, PaperSection

TABLE_4 = PaperSection(
    "table4",
    "Table 4: agreement",
    "Krippendorff's ordinal alpha. C: whole crowd; C*: workers that MACE trusts; E: experts. "
    "Close pairs have a majority of votes in fewer than five of seven dimensions.",
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
        "C* in sample is circular: competence is learned from the agreement that is then reported. "
        "With randomly permuted votes, the procedure still reaches about 0.3 (next column). "
        "Cross-fitting takes competence from the other nine of ten folds of pairs; permuted votes "
        "then stay at 0. Quote the cross-fitted column.",
        "C* in sample uses the published spam probabilities, because MACE started at random. The "
        "paper says that it excludes about the lowest quarter of workers and keeps three votes per "
        "pair. In fact, it excludes 35% to 55% of votes, and 296 to 802 of the 1,352 pairs keep "
        "fewer than three.",
        "Column C* covers 975 pairs, one direction of each, instead of 1,352.",
        "The caption reports 410 items for single responses, the text 47 responses.",
    ),
)
TABLE_5 = PaperSection(
    "table5",
    "Table 5: effects of order",
    "Agreement for one order of a pair (←), the other (→) and both, and for the first seven and "
    "last eight pairs of a questionnaire.",
    (
        CellBlock("table5.{}.left", "←"),
        CellBlock("table5.{}.right", "→"),
        CellBlock("table5.{}.both", "Both directions"),
        CellBlock("table5.{}.first_half", "First half"),
        CellBlock("table5.{}.second_half", "Second half"),
    ),
    (
        "All workers saw the pairs of a questionnaire in the same order. The halves contain "
        "different pairs, so their difference is not only an order effect.",
    ),
)
TABLE_6 = PaperSection(
    "table6",
    "Table 6: correlation of dimensions",
    "Kendall's tau-b between the gold labels of two dimensions, over all pairs.",
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
    "Mean grades within a topic (1 to 6, 6 is best): Bradley-Terry with ties on gold labels.",
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
        "Equal strengths share a grade here; the published grades break ties at random.",
        "The paper reports no difference in the two coverage dimensions over all styles. Its test "
        "used only the news style; over all styles, all seven differences are significant (q: "
        "Wilcoxon on topics, Benjamini-Hochberg over 21 tests by style, and over seven tests of "
        "all styles).",
    ),
)
RIGHT_ROWS = (3, 0, 1, 4, 5, 2, 6)  # the printed rows follow the alphabet, their names do not
TABLE_8 = PaperSection(
    "table8",
    "Table 8: similarity to the best response",
    "Spearman correlation of grades with BLEU and ROUGE-L against the best response of a topic: "
    "over the five others, and for the best and worst of them.",
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
        "The printed values are sorted alphabetically by dimension, the row labels are not, so all "
        "rows except the last have the wrong label. “Printed” is the value of the dimension here.",
        "If several responses share the best grade, each serves as reference and the mean is "
        "reported; the paper uses one of them. This causes small differences.",
        "BLEU swaps response and reference, as the published code does. BERTScore is not computed: "
        "it would download a language model.",
    ),
)
TABLE_9 = PaperSection(
    "table9",
    "Table 9: model as judge",
    "Alpha of the model's labels for both directions of a pair, their alpha with gold labels of "
    "people, and the mean correlation of each dimension with the others.",
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
                    f"{title}: correlation, including itself",
                ),
            )
        ),
        CellBlock("table9.{}.both", "All at once and one by one"),
        CellBlock("table9.{}.human_two_directions", "People, two directions", printed="-"),
    ),
    (
        "The printed agreement of model and people mixes two orientations: labels of the model "
        "refer to the sorted pair, labels of people do not: many refer to the other response.",
        "With equal orientation, the printed statistic is an alpha of four raters. One pair of "
        "raters is the model with itself and one is people with themselves, which rewards a "
        "consistent model. Cross pairs compare model and people only: quote that column, with the "
        "agreement of people with themselves.",
        "The printed correlations include the correlation of a dimension with itself, which is 1.",
        "The last column shows what the model could reach: gold labels of people for both "
        "directions of a pair.",
    ),
)
