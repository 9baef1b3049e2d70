// Words and citations of a text. Pure.

const CITATION = /\[\s*(\d{1,9}(?:\s*,\s*\d{1,9})*)\s*\]/g;
const WORD = /\S*[\p{L}\p{N}]\S*/gu;

/** How many words a text has; citations are none. */
export function countWords(text) {
  return text.replace(CITATION, " ").match(WORD)?.length ?? 0;
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

/**
 * What is said about the length. `place` is below, in or above the range.
 *
 * @param {number} count
 * @param {{low: number, target: number, high: number}} range
 */
export function lengthOf(count, { low, target, high }) {
  const place = count < low ? "below" : count > high ? "above" : "in";
  const words = {
    below: `aim for ${low} to ${high}`,
    in: count === target ? "just right" : `good: between ${low} and ${high}`,
    above: `a little long: ${high} would be enough`,
  }[place];
  return { place, words };
}
