// Words and citations of a text. Pure.

import { say } from "./words.js";

// White space as the server knows it (Python): \s with some control characters, and without U+FEFF.
const SPACE = String.raw`(?:(?!\ufeff)[\s\u001c-\u001f\u0085])`;
const CITATION = new RegExp(
  String.raw`\[${SPACE}*(\d{1,9}(?:${SPACE}*,${SPACE}*\d{1,9})*)${SPACE}*\]`,
  "g",
);
const PIECE = /(?:[^\s\u001c-\u001f\u0085]|\ufeff)+/g; // eslint-disable-line no-control-regex
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * How many words a text has, as people count them and annotation/texts/words.py does: marks of
 * citations and signs that stand free are none.
 */
export function countWords(text) {
  const pieces = text.replace(CITATION, " ").match(PIECE) ?? [];
  return pieces.filter((piece) => LETTER_OR_DIGIT.test(piece)).length;
}

/** The citations in a text: where each stands and the passages it names, counted from 0. */
export function citationsOf(text) {
  return [...text.matchAll(CITATION)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    words: match[0],
    numbers: match[1].split(",").map(Number),
  }));
}

/** The citations that name none of these passages. */
export function faultsOf(citations, passages) {
  return citations.filter(({ numbers }) => !numbers.every((number) => passages.has(number)));
}

/**
 * What is said about the length. `place` is below, in or above the range.
 *
 * @param {number} count
 * @param {{low: number, target: number, high: number}} range
 */
export function lengthOf(count, { low, target, high }) {
  const place = count < low ? "below" : count > high ? "above" : "in";
  const words = {
    below: say("aim for {low} to {high}", { low, high }),
    in: count === target ? say("just right") : say("good: between {low} and {high}", { low, high }),
    above: say("a little long: {high} would be enough", { high }),
  }[place];
  return { place, words };
}
