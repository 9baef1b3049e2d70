// Words and citations of a text. Pure.

import { say } from "./words.js";

const CITATION = /\[\s*(\d{1,9}(?:\s*,\s*\d{1,9})*)\s*\]/g;
// White space as the server knows it (Python): \s with some control characters, and without U+FEFF.
const WORD = /(?:[^\s\u001c-\u001f\u0085]|\ufeff)+/g; // eslint-disable-line no-control-regex

/** How many words a text has: whatever stands between white space, as annotation/texts/words.py counts. */
export function countWords(text) {
  return text.match(WORD)?.length ?? 0;
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
