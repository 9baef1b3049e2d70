// Where a pasted or dropped text comes from: a passage of the page, the writer's own text, or
// outside. Pure; nothing of the clipboard is kept but what was copied on this page.

const MOST = 20; // copies to remember
const LEAST = 15; // characters of a passage that are no coincidence

const plain = (text) => text.replaceAll(/\s+/g, " ").trim();

/** @typedef {{source: "passage" | "own" | "outside", passage?: number}} Origin */

/** @param {{number: number, text: string}[]} passages */
export function createClipboard(passages) {
  /** @type {{text: string, origin: Origin}[]} */
  const copies = [];
  const texts = passages.map(({ number, text }) => ({ number, text: plain(text) }));

  return {
    /** @param {Origin} origin */
    remember(text, origin) {
      copies.unshift({ text: plain(text), origin });
      copies.length = Math.min(copies.length, MOST);
    },
    /** @returns {Origin} */
    originOf(text) {
      const words = plain(text);
      const copy = words && copies.find((each) => each.text === words);
      if (copy) return copy.origin;
      const passage = words.length >= LEAST && texts.find((each) => each.text.includes(words));
      return passage ? { source: "passage", passage: passage.number } : { source: "outside" };
    },
  };
}
