"""Sentence BLEU of many pairs at once, equal to sacrebleu's and many times as fast.

Papineni et al. 2002, with sacrebleu's choices (Post 2018): tokens 13a, exponential smoothing,
effective order, the closest reference length. Texts are compared with many references here, and
many texts with the same ones: n-grams are therefore numbered once for all, and a pair only looks
up its own.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from analysis.stats.arrays import Floats, Ints
from analysis.stats.errors import BadSetting, CannotCompute

_PAIRS_AT_ONCE = 20_000
# mteval-v13a: blanks around marks; around a period or comma unless it stands in a number; after a
# digit also before a dash.
_SPLITS = (
    (re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"), r" \1 "),
    (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
    (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}


@dataclass(frozen=True, eq=False, kw_only=True)
class BleuResult:
    """BLEU of P pairs of text and reference, one row each.

    score: 0..100, (P,). matched, offered: n-grams of the text that the reference has, and all of
    them, for n = 1..order, (P, order).
    """

    score: Floats
    matched: Ints
    offered: Ints
    order: int
    lowercase: bool


def sentence_bleu(
    texts: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    text: Ints,
    reference: Ints,
    order: int = 4,
    lowercase: bool = False,
) -> BleuResult:
    """Compute BLEU of texts[text[p]] against references[reference[p]] for each of P pairs.

    A reference is a sequence of alternatives, as in sacrebleu: an n-gram counts as often as in
    the alternative that has it most often. 1. Number the tokens. 2. For n = 1..order, number the
    n-grams of the texts, find them in the references, count both. 3. Clip and sum for each pair.

    Raises CannotCompute (no_references), BadSetting.
    """
    if order < 1:
        raise BadSetting("order", order, "1 or more")
    if not len(text):
        raise CannotCompute(
            "no_references", "BLEU cannot be computed because no text has a reference."
        )
    tokenizer = Tokenizer(lowercase=lowercase)
    text_tokens = _Tokens.of(texts, tokenizer)
    owner = np.repeat(np.arange(len(references)), [len(segments) for segments in references])
    flat = [segment for alternatives in references for segment in alternatives]
    reference_tokens = _Tokens.of(flat, tokenizer)
    matched = np.zeros((len(text), order), dtype=np.int64)
    offered = np.zeros((len(text), order), dtype=np.int64)
    said_grams, known_grams = text_tokens.token, reference_tokens.token
    for n in range(1, order + 1):
        if n > 1:
            said_grams, known_grams = _longer(
                text_tokens, reference_tokens, said_grams, known_grams, n, len(tokenizer.vocabulary)
            )
        held = _most(owner, reference_tokens, known_grams)
        matched[:, n - 1] = _clipped(text_tokens, said_grams, held, text, reference)
        offered[:, n - 1] = np.maximum(text_tokens.length[text] - n + 1, 0)
    closest = _closest_length(
        text_tokens.length[text], reference_tokens.length, owner, reference, len(references)
    )
    return BleuResult(
        score=_score(matched, offered, text_tokens.length[text], closest),
        matched=matched,
        offered=offered,
        order=order,
        lowercase=lowercase,
    )


class Tokenizer:
    """Numbered tokens of mteval-v13a, the default of sacrebleu.

    Its patterns look no further than the next blank. Words are therefore split one by one, and each
    of them once.
    """

    def __init__(self, *, lowercase: bool = False) -> None:
        self.lowercase = lowercase
        self.vocabulary: dict[str, int] = {}
        self._words: dict[str, list[int]] = {}

    def numbers(self, text: str) -> list[int]:
        """Return the tokens of a text as indices into the vocabulary, which grows."""
        line = text.lower() if self.lowercase else text
        line = line.rstrip().replace("<skipped>", "").replace("-\n", "")
        for entity, mark in _ENTITIES.items():
            line = line.replace(entity, mark)
        tokens: list[int] = []
        for word in line.split():
            word_tokens = self._words.get(word)
            tokens += self._learn(word) if word_tokens is None else word_tokens
        return tokens

    def _learn(self, word: str) -> list[int]:
        line = word
        if not word.isalnum():  # most are, and have nothing to split at
            line = f" {word} "
            for pattern, spaced in _SPLITS:
                line = pattern.sub(spaced, line)
        vocabulary = self.vocabulary
        tokens = [vocabulary.setdefault(token, len(vocabulary)) for token in line.split()]
        self._words[word] = tokens
        return tokens


@dataclass(frozen=True, eq=False)
class _Tokens:
    """Tokens of segments, one after the other: token and segment (N,), length (segments,)."""

    token: Ints
    segment: Ints
    length: Ints

    @classmethod
    def of(cls, segments: Sequence[str], tokenizer: Tokenizer) -> "_Tokens":
        parts = [tokenizer.numbers(segment) for segment in segments]
        length = np.array([len(part) for part in parts], dtype=np.int64)
        token = np.fromiter(chain.from_iterable(parts), dtype=np.int64, count=int(length.sum()))
        return cls(token, np.repeat(np.arange(len(length)), length), length)


def _longer(
    said: _Tokens, known: _Tokens, said_grams: Ints, known_grams: Ints, n: int, words: int
) -> tuple[Ints, Ints]:
    """Return the numbers of the n-grams at each token, from those of the (n - 1)-grams.

    -1 where the segment ends before, and in references where no text has this n-gram.
    """
    wanted = _keys(said, said_grams, n, words)
    table = _distinct(wanted[wanted >= 0])
    return _found(wanted, table), _found(_keys(known, known_grams, n, words), table)


def _keys(tokens: _Tokens, grams: Ints, n: int, words: int) -> Ints:
    """Return an (n - 1)-gram and the next token as one number; -1 where there is none."""
    keys = np.full(len(grams), -1, dtype=np.int64)
    ahead = n - 1
    if len(grams) > ahead:
        inside = tokens.segment[ahead:] == tokens.segment[:-ahead]
        has_gram = inside & (grams[:-ahead] >= 0)
        keys[:-ahead] = np.where(has_gram, grams[:-ahead] * words + tokens.token[ahead:], -1)
    return keys


def _distinct(keys: Ints) -> Ints:
    # Faster than np.unique, whose hashing suffers from keys that are far apart.
    ordered = np.sort(keys)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def _found(keys: Ints, table: Ints) -> Ints:
    """Return the place of each key in a sorted table; -1 for a missing one."""
    place = np.full(len(keys), -1, dtype=np.int64)
    if len(table):
        valid = np.flatnonzero(keys >= 0)
        near = np.minimum(np.searchsorted(table, keys[valid]), len(table) - 1)
        place[valid] = np.where(table[near] == keys[valid], near, -1)
    return place


@dataclass(frozen=True, eq=False)
class _Held:
    """Counts of n-grams in references: key = reference * grams + gram, sorted, and count."""

    key: Ints
    count: Ints
    grams: int


def _most(owner: Ints, known: _Tokens, grams: Ints) -> _Held:
    """Return the counts of n-grams in the alternative of each reference that has most of them."""
    has_gram = grams >= 0
    size = int(grams.max(initial=-1)) + 1
    cell, count = np.unique(known.segment[has_gram] * size + grams[has_gram], return_counts=True)
    if not len(cell):
        return _Held(cell, count, size)
    key = owner[cell // size] * size + cell % size
    order = np.lexsort((count, key))
    last = np.append(np.diff(key[order]) > 0, True)
    return _Held(key[order][last], count[order][last], size)


def _clipped(said: _Tokens, grams: Ints, held: _Held, text: Ints, reference: Ints) -> Ints:
    """Return the matched n-grams of each pair (P,): each as often as in both."""
    # What no reference has cannot match.
    has_gram = (grams >= 0) & (grams < held.grams)
    size = max(held.grams, 1)
    cell, count = np.unique(said.segment[has_gram] * size + grams[has_gram], return_counts=True)
    first = np.searchsorted(cell, np.arange(len(said.length) + 1) * size)
    matched = np.zeros(len(text), dtype=np.int64)
    if not len(held.key):
        return matched
    for start in range(0, len(text), _PAIRS_AT_ONCE):
        part = slice(start, start + _PAIRS_AT_ONCE)
        many = first[text[part] + 1] - first[text[part]]
        pair = np.repeat(np.arange(len(many)), many)
        within = np.arange(len(pair)) - np.repeat(np.cumsum(many) - many, many)
        mine = first[text[part]][pair] + within
        place = _found(reference[part][pair] * size + cell[mine] % size, held.key)
        both = np.where(place >= 0, np.minimum(count[mine], held.count[place]), 0)
        matched[part] = np.bincount(pair, weights=both, minlength=len(many))
    return matched


def _closest_length(
    length: Ints, lengths: Ints, owner: Ints, reference: Ints, references: int
) -> Ints:
    """Return the length (P,) of the alternative closest to the text's, the shorter of two."""
    order = np.lexsort((lengths, owner))
    sorted_lengths = lengths[order]
    first = np.searchsorted(owner[order], np.arange(references + 1))
    closest = np.zeros(len(length), dtype=np.int64)
    for pair, (mine, which) in enumerate(zip(length.tolist(), reference.tolist(), strict=True)):
        offered = sorted_lengths[first[which] : first[which + 1]]
        if len(offered):
            closest[pair] = offered[np.argmin(np.abs(offered - mine))]
    return closest


def _score(matched: Ints, offered: Ints, length: Ints, closest: Ints) -> Floats:
    """Return BLEU (P,) from counts (P, order): geometric mean of precisions times brevity."""
    counted = offered > 0
    # Exponential smoothing: the k-th order without a match counts as if it had 1 / 2^k of one.
    missed = counted & (matched == 0)
    smoothed = np.where(missed, 0.5 ** np.cumsum(missed, axis=1), matched)
    precision = np.divide(smoothed, offered, out=np.ones(offered.shape), where=counted)
    orders = np.maximum(counted.sum(axis=1), 1)
    mean = np.exp(np.log(precision).sum(axis=1) / orders)
    ratio = np.divide(closest, length, out=np.ones(len(length)), where=length > 0)
    brevity = np.where(length < closest, np.exp(1 - ratio), 1.0)
    return np.where(matched.any(axis=1), 100 * brevity * mean, 0.0)
