"""Items about the parts of texts."""

import numpy as np
import pytest

from annotation.models import Passage, Task
from judging.design.material import material_of
from judging.designers.designs import design
from judging.designers.segments import citations, coverage, headings, overviews, own_headings
from judging.designers.texts import DesignParameters, DesignText
from judging.items.kinds import Holds, item_kind
from judging.items.segments import text_of
from judging.models import ItemSlot
from tests.cast import bob, design_batch, draft_study, in_sections, small_corpus

PARAMETERS, RNG = DesignParameters(seed=1), np.random.default_rng(1)


def part(pk, name, *, response=1, under=0, cited=(), topic=1):
    return DesignText(
        id=pk, topic=topic, words=5, part=name, response=response, under=under, cited=cited
    )


def made_of(make, kind, material):
    return [item.contents for item in make(item_kind(kind), material, PARAMETERS, RNG)]


def test_a_statement_stands_with_what_it_cites():
    material = {
        Holds.SEGMENT: [
            part(1, "statement", cited=(12, 11)),
            part(2, "statement"),
            part(3, "overview", cited=(11,)),
            part(4, "overview", response=2),
        ],
        Holds.PASSAGE: [DesignText(id=pk, topic=1, words=9) for pk in (11, 12)],
    }
    assert made_of(citations, "statement_documents", material) == [(1, 12, 11)]
    assert made_of(citations, "overview", material) == [(3, 11), (4,)]


def test_an_overview_stands_beside_the_sections_of_its_summary():
    material = {
        Holds.SEGMENT: [
            part(3, "overview", response=1, cited=(12, 11)),
            part(4, "section", response=1),
            part(5, "overview", response=2),
        ],
        Holds.RESPONSE: [DesignText(id=pk, topic=1, words=90) for pk in (1, 2)],
        Holds.PASSAGE: [DesignText(id=pk, topic=1, words=9) for pk in (11, 12)],
    }
    made = overviews(item_kind("overview_sections"), material, PARAMETERS, RNG)
    assert [item.contents for item in made] == [(3, 1, 12, 11), (5, 2)]
    assert [item.words for item in made] == [5 + 5 + 18, 5]  # of a summary its sections are read


def test_of_cited_passages_the_depth_takes_the_best():
    material = {
        Holds.SEGMENT: [part(1, "statement", cited=(11, 12))],
        Holds.PASSAGE: [DesignText(id=pk, topic=1, words=9, rank=pk - 10) for pk in (11, 12)],
    }
    parameters = DesignParameters(seed=1, kind="statement_documents", designer="citations", depth=1)
    assert [item.contents for item in design(material=material, parameters=parameters).items] == [
        (1, 11)
    ]


def test_a_statement_stands_under_its_heading():
    material = {
        Holds.SEGMENT: [
            part(1, "section"),
            part(2, "heading", under=1),
            part(3, "statement", under=1),
            part(4, "heading"),
            part(5, "statement", under=4),
            part(6, "statement"),
        ]
    }
    assert made_of(headings, "heading_statement", material) == [(2, 3), (4, 5)]


def test_a_heading_stands_above_its_section():
    material = {
        Holds.SEGMENT: [
            part(1, "section"),
            part(2, "heading", under=1),
            part(3, "statement", under=1),
            part(4, "section"),
            part(5, "heading", under=4)._replace(words=0),  # its line stays, its words are gone
            part(6, "heading"),
        ]
    }
    assert made_of(own_headings, "heading_section", material) == [(2, 1)]


def test_comprehensiveness_needs_a_summary_beside_the_sections_of_the_others():
    """SGSS: K - I of the K sections on a topic for a summary that has I of them."""
    sections = {1: 3, 2: 2, 3: 1}  # by response
    numbered = [response for response, n in sections.items() for _ in range(n)]
    material = {
        Holds.SEGMENT: [
            *(part(10 + n, "section", response=response) for n, response in enumerate(numbered)),
            part(99, "section", response=9, topic=2),
        ],
        Holds.RESPONSE: [
            *(
                DesignText(id=pk, topic=1, words=50) for pk in (1, 2, 3, 4)
            ),  # the last has no sections
            DesignText(id=9, topic=2, words=50),
        ],
    }
    cells = made_of(coverage, "section_summary", material)
    k = len(numbered)
    assert len(cells) == len(set(cells)) == sum(k - i for i in sections.values())
    assert {summary for _, summary in cells} == {1, 2, 3}
    assert all(numbered[section - 10] != summary for section, summary in cells)


def test_a_pair_stands_beside_the_best_passages_of_its_topic():
    material = {
        Holds.RESPONSE: [
            DesignText(id=pk, topic=pk // 10, words=50) for pk in (11, 12, 13, 21, 22)
        ],
        Holds.PASSAGE: [DesignText(id=90 + r, topic=1, words=9, rank=r) for r in (3, 1, 2)],
    }
    parameters = DesignParameters(
        seed=1, kind="pair_documents", depth=2, reversed_share=1, items_per_questionnaire=2
    )
    items = design(material=material, parameters=parameters).items
    assert {item.contents[2:] for item in items} == {(91, 92)}
    assert len({item.contents for item in items}) == 6  # none of the topic without passages
    assert len({item.unit for item in items}) == 3


# -- From a corpus ----------------------------------------------------------------------------


@pytest.fixture
def corpus(db):
    corpus = small_corpus(author=bob())
    for rank in (1, 2):
        Passage.objects.create(
            topic=corpus.topics.get(), key=f"p{rank}", rank=rank, text="A passage."
        )
    for response in corpus.responses.all():
        in_sections(response)
    return corpus


def test_a_part_knows_what_it_cites_and_where_it_stands(corpus):
    study = draft_study(instrument="statement-support", corpus=corpus)
    material = material_of(instrument=study.instruments.get())
    parts = [text for text in material[Holds.SEGMENT] if text.part == "statement"]
    assert [len(text.cited) for text in parts[:4]] == [2, 1, 1, 0]
    sections = [text for text in material[Holds.SEGMENT] if text.part == "section"]
    assert {text.under for text in parts} == {text.id for text in sections}
    assert sections[0].words == 8  # of the heading and its two statements
    corpus.responses.filter(key="t1a").update(text="")  # withdrawn
    left = material_of(instrument=study.instruments.get())[Holds.SEGMENT]
    assert {text.response for text in left} == {corpus.responses.get(key="t1b").pk}


def test_nobody_judges_a_part_of_an_own_text(corpus):
    study = draft_study(instrument="heading-statement", corpus=corpus)
    design_batch(study)
    shown = Task.objects.get().shows.all()
    assert {response.key for response in shown} == {"t1a", "t1b"}


def test_a_section_is_its_heading_and_its_statements(corpus):
    study = draft_study(instrument="section-coverage", corpus=corpus)
    design_batch(study)
    slot = ItemSlot.objects.filter(name="section", segment__response__key="t1b").first()
    assert text_of(slot.segment) == "**Heading 1 of t1b**\n\nStatement 1a.\n\nStatement 1b."
    assert {text_of(part) for part in slot.segment.response.segments.filter(line=1)} == {
        "All of t1b in short."
    }
