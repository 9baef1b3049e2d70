"""The factor by rounds of topics, against the dense one."""

import numpy as np
import pytest

from analysis.stats.bradley_terry import mixed_elimination
from analysis.stats.bradley_terry.mixed_elimination import EliminatedFactor, Elimination

F = 3


@pytest.fixture
def eliminated():
    """Return a matrix of 40 topics in a ring, one of them alone, and its elimination."""
    rng = np.random.default_rng(1)
    topic = np.sort(rng.integers(0, 40, 150))
    R = len(topic)
    apart = np.abs(topic[:, None] - topic)
    row, column = np.nonzero(
        ((apart <= 1) | (apart == 39)) & ((topic == 20)[:, None] == (topic == 20))
    )
    half = rng.normal(size=(F + R, F + R))
    matrix = np.zeros((F + R, F + R))
    matrix[F + row, F + column] = (half + half.T)[F + row, F + column]
    matrix[:, :F] = half[:, :F]
    matrix[:F] = matrix[:, :F].T
    matrix[:F, :F] = half[:F, :F] + half[:F, :F].T
    matrix += 60 * np.eye(F + R)
    return matrix, Elimination.of(F, topic, row, column, sparse=True), row, column


@pytest.fixture(autouse=True)
def small_is_enough(monkeypatch):
    monkeypatch.setattr(mixed_elimination, "LEAST_ROWS", 0)


def factored(matrix, elimination, row, column):
    store = np.zeros(elimination.size)
    np.add.at(store, elimination.sums, matrix[F + row, F + column])
    store[elimination.fixed] = matrix[:, :F]
    return EliminatedFactor.of(elimination, store)


def test_topics_are_eliminated_in_rounds_until_the_core_is_dense(eliminated):
    matrix, elimination, *_ = eliminated
    gone = np.concatenate([each.members.ravel() for each in elimination.rounds])
    assert len(elimination.rounds) > 1
    assert list(elimination.core[:F]) == list(range(F))
    assert sorted([*gone[gone < len(matrix)], *elimination.core]) == list(range(len(matrix)))


def test_determinant_and_solution_are_those_of_the_matrix(eliminated):
    matrix = eliminated[0]
    factor = factored(*eliminated)
    assert factor.log_determinant == pytest.approx(np.linalg.slogdet(matrix)[1], abs=1e-10)
    b = np.random.default_rng(2).normal(size=len(matrix))
    assert factor.solve(b) == pytest.approx(np.linalg.solve(matrix, b), abs=1e-12)


def test_the_inverse_is_that_of_the_matrix_where_it_is_computed(eliminated):
    matrix, elimination, row, column = eliminated
    store, inverse = factored(*eliminated).inverse(), np.linalg.inv(matrix)
    assert store[elimination.fixed] == pytest.approx(inverse[:, :F], abs=1e-12)
    assert store[elimination.entries] == pytest.approx(inverse[F + row, F + column], abs=1e-12)


def test_a_matrix_that_is_not_positive_definite_has_no_factor(eliminated):
    matrix, elimination, row, column = eliminated
    last = elimination.rounds[0].members[0, 0]
    matrix[last, last] = -1
    with pytest.raises(np.linalg.LinAlgError):
        factored(matrix, elimination, row, column)
