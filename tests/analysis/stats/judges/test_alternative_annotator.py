"""The alternative annotator test, by hand, by a plain loop, and by its error rates."""

import numpy as np
import pytest
import scipy

from analysis.stats.errors import BadSetting
from analysis.stats.judges.alternative_annotator import alternative_annotator

# Four items, three people, two answers; worked by hand from the definitions.
PEOPLE = np.array([[0, 0, 1], [1, 1, 1], [0, 1, 0], [1, 0, 0]])
JUDGE = np.array([0, 1, 0, 1])


def answers(people):
    item, worker = (each.ravel() for each in np.indices(people.shape))
    return {"item": item, "worker": worker, "value": people.ravel()}


def test_advantages_by_hand():
    test = alternative_annotator(judge=JUDGE, epsilon=0.2, least_items=1, **answers(PEOPLE))
    # Person 0 says what the judge says on every item: both win all four.
    # Person 1 against {0, 2}: item 0 alike, 1 alike, 2 the judge (2 votes to 0), 3 the person
    # (item 3: judge's 1 has one vote of {1, 0}, the person's 0 has one): a tie.
    # Person 2 against {0, 1}: item 0 the judge (2 to 0), 1 alike, 2 alike, 3 a tie.
    assert test.advantage.tolist() == [1, 1, 1]
    assert test.opponent.tolist() == [1, 0.75, 0.75]
    # d = (0, 0, 1, 0): mean 1/4, sd 1/2, so t = (.25 + .2) / (.5 / 2) = 1.8 on 3 degrees.
    expected = scipy.stats.t.sf(1.8, 3)
    assert test.p[1:] == pytest.approx([expected, expected])
    assert test.p[0] == 0  # never behind
    # Benjamini and Yekutieli: the harmonic sum of 3 is 11/6.
    assert test.q == pytest.approx([0, expected * 11 / 6, expected * 11 / 6])
    assert test.omega == pytest.approx(1 / 3)
    assert test.rho == 1
    assert test.passes is False


def by_loop(judge, people, person):
    """Return W of judge and person for each item, from the definitions."""
    wins = []
    for i, row in enumerate(people):
        others = [value for w, value in enumerate(row) if w != person]
        of_judge, of_person = (
            sum(other == answer for other in others) for answer in (judge[i], row[person])
        )
        wins.append((of_judge >= of_person, of_person >= of_judge))
    return np.array(wins, dtype=float)


def test_a_plain_loop_and_scipy_find_the_same():
    rng = np.random.default_rng(4)
    people, judge = rng.integers(0, 3, (60, 5)), rng.integers(0, 3, 60)
    test = alternative_annotator(judge=judge, epsilon=0.15, **answers(people))
    for person in range(5):
        wins = by_loop(judge, people, person)
        assert test.advantage[person] == wins[:, 0].mean()
        assert test.opponent[person] == wins[:, 1].mean()
        p = scipy.stats.ttest_1samp(wins[:, 0] - wins[:, 1], -0.15, alternative="greater").pvalue
        assert test.p[person] == pytest.approx(p)


def test_items_of_few_topics_count_as_few():
    rng = np.random.default_rng(1)
    people = rng.integers(0, 2, (60, 4))
    judge, topic = people[:, 0], np.repeat(np.arange(5), 12)
    items = alternative_annotator(judge=judge, epsilon=0.2, **answers(people))
    copied = {"judge": judge, "topic": np.arange(60), "epsilon": 0.2}
    assert alternative_annotator(**copied, **answers(people)).p == pytest.approx(items.p)
    twice = np.repeat(np.arange(60), 2)  # each item twice, as one topic: no more evidence
    doubled = alternative_annotator(
        judge=judge[twice], topic=twice, epsilon=0.2, **answers(people[twice])
    )
    assert doubled.p == pytest.approx(items.p)
    assert (alternative_annotator(judge=judge, topic=topic, epsilon=0.2, **answers(people)).p
            != items.p).any()  # fmt: skip


def test_too_few_people_or_items_are_a_reason():
    test = alternative_annotator(judge=JUDGE, epsilon=0.2, **answers(PEOPLE))
    assert test.passes is None
    assert "30" in test.why
    with pytest.raises(BadSetting):
        alternative_annotator(judge=JUDGE, epsilon=1.0, **answers(PEOPLE))


@pytest.mark.parametrize(("skill", "least", "most"), [(0.85, 0.8, 1.0), (0.4, 0.0, 0.05)])
def test_a_judge_like_people_passes_and_a_worse_one_does_not(skill, least, most):
    rng = np.random.default_rng(7)
    passed = []
    for _ in range(40):
        truth = rng.integers(0, 3, 120)

        def answered(share, truth=truth):
            return np.where(rng.random(120) < share, truth, rng.integers(0, 3, 120))

        people = np.stack([answered(0.75) for _ in range(5)], axis=1)
        test = alternative_annotator(judge=answered(skill), epsilon=0.1, **answers(people))
        passed.append(test.passes)
    assert least <= np.mean(passed) <= most


@pytest.mark.parametrize("seed", range(8))
def test_judge_passes_where_its_least_false_discovery_rate_is_low(seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, 60)
    answered = np.where(rng.random((60, 5)) < 0.6, truth[:, None], rng.integers(0, 3, (60, 5)))
    judge = np.where(rng.random(60) < seed / 8, truth, rng.integers(0, 3, 60))
    test = alternative_annotator(judge=judge, epsilon=0.2, **answers(answered))
    assert (test.p_passes <= 0.05) is test.passes
