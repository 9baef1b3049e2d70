// What a writing page has to send (../sender.js): chunks of the log, each with a number of its own.

import { say } from "../words.js";

const OVER = new Set(["NotLive", "UnknownLink", "ConsentWithdrawn"]);
const LEAVING = 60_000; // bytes that a page may still send while it goes, all together

/** @typedef {{number: number, events: object[]}} Chunk */

/**
 * @param {object} options
 * @param {(number: number) => void} options.acknowledged
 * @param {(sentence: string, refusal: string) => void} options.refused  a chunk was refused, or is
 *   lost for good: the log has to begin again
 */
export function chunksOutbox({ acknowledged, refused }) {
  /** @type {Map<number, Chunk>} */
  const queue = new Map();
  const lost = new Set(); // numbers that the server misses and nobody has any more
  const meanwhile = new Set(); // numbers acknowledged since the last `next`

  return {
    get size() {
      return queue.size;
    },
    /** The chunks that are not acknowledged, oldest first. */
    get chunks() {
      return [...queue.values()].sort((one, other) => one.number - other.number);
    },
    /** @param {Chunk} chunk */
    put(chunk) {
      queue.set(chunk.number, chunk);
    },
    next() {
      meanwhile.clear();
      return queue.get(Math.min(...queue.keys()));
    },
    leaving() {
      let bytes = 0;
      return [...queue.values()].filter((chunk) => {
        bytes += JSON.stringify(chunk.events).length + 200;
        return bytes < LEAVING;
      });
    },
    bodyOf: (chunk, tab) => ({ tab, ...chunk }),
    settle(chunk) {
      if (queue.get(chunk.number) !== chunk) return; // another one took its number meanwhile
      queue.delete(chunk.number);
      meanwhile.add(chunk.number);
      acknowledged(chunk.number);
    },
    /**
     * Can all that the server misses still come? What was lost for good is told once. A page in
     * the background sends side by side: what it misses may have come while its answer was on the way.
     */
    heard({ missing = [] }) {
      const gone = missing.filter((number) => ![queue, meanwhile, lost].some((known) => known.has(number)));
      for (const number of gone) lost.add(number);
      if (gone.length) refused(say("Part of the recording is missing."), "");
    },
    refuse: (_chunk, sentence, refusal) => refused(sentence, refusal),
    isToBlame: (refusal) => !OVER.has(refusal),
    /** What was in it has to fit to where the server stands now. */
    restart: () => queue.clear(),
  };
}
