"""Ready prompts that grade a passage directly, as the Autograder Workbench compares them. Pure.

Dietz (2024), section 3.5. The wording and the examples are ours; the questions asked are those of

- sun, sun-fewshot: Sun et al. (2023), Is ChatGPT good at search?, arXiv:2304.09542, appendix
- fag-b: Faggioli et al. (2023), Perspectives on large language models for relevance judgment,
  doi:10.1145/3578337.3605136, figure 2
- helm: Liang et al. (2022), Holistic evaluation of language models, arXiv:2211.09110, section B.2
- thomas: Thomas et al. (2023), Large language models can accurately predict searcher preferences,
  arXiv:2309.10621, figure 1

The first four answer the method `direct-relevance` (yes or no), the last `retrieval-relevance`
(0 to 2).
"""

from judging.calls.prompts import ReadyPrompt

END = "\n\n{questions}\n\n{answers}"
EXAMPLES = (
    ("A kettle switches off when steam reaches a metal strip.", "how does a kettle stop", "Yes"),
    ("Our shop sells kettles in four colours.", "how does a kettle stop", "No"),
    ("Bees dance to show where flowers are.", "why do bees dance", "Yes"),
    ("The dance hall opens at eight.", "why do bees dance", "No"),
)
_SHOWN = "\n\n".join(
    f"Passage: {passage}\nQuery: {query}\nAnswer: {answer}" for passage, query, answer in EXAMPLES
)
_SUN = "Say whether this passage has an answer to the query: Yes or No."
DIRECT = (
    ReadyPrompt(
        "sun", "Sun et al.: has an answer", "",
        f"{_SUN}\n\nPassage: {{passage}}\n\nQuery: {{query}}{END}",
    ),
    ReadyPrompt(
        "sun-fewshot", "Sun et al., with examples", "",
        f"{_SUN}\n\n{_SHOWN}\n\nPassage: {{passage}}\nQuery: {{query}}{END}",
    ),
    ReadyPrompt(
        "fag-b", "Faggioli et al. (B): relevant", "",
        "Instruction: state if the passage is relevant to the question. Say Yes or No.\n\n"
        f"Passage: {{passage}}\n\nQuestion: {{query}}{END}",
    ),
    ReadyPrompt(
        "helm", "HELM: answers the query", "",
        "Does the passage below answer the query?\n\n"
        f"Passage: {{passage}}\n\nQuery: {{query}}{END}",
    ),
    ReadyPrompt(
        "thomas", "Thomas et al.: useful to a searcher",
        "You rate search results for a team that checks the quality of web pages.",
        "Somebody typed a query into a search engine. Imagine that they write a report on its "
        "subject. Rate how useful this web page is for the report.\n\nQuery: {query}\n\n"
        "What they look for: {description}\n\nWeb page: {passage}\n\nThink of what they want, then "
        "of how well the content fits it and how much you trust the page, and only then of one "
        f"rating.{END}",
    ),
)  # fmt: skip
