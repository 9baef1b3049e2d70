// What a judging page has to send (sender.js): many answers in a request, and of several the one
// that is refused is found.

import { bodyOf } from "./queue.js";

const BATCH = 50; // answers a request
const TO_BLAME = new Set(["NotAnAnswer", "TooLarge"]);

/**
 * @param {object} options
 * @param {ReturnType<import("./queue.js").createQueue>} options.queue
 * @param {(change: object, sentence: string) => void} options.refused  an answer was dropped
 * @param {(entries: object[]) => void} options.saved  they were acknowledged
 * @param {(entry: object) => void} options.late  it was acknowledged, but a newer one counts
 * @param {() => boolean} [options.asks]  is the server asked how many pages have a withdrawn text
 * @param {() => void} [options.withdrawn]  there are others than before
 * @param {number} [options.known]  pages with a withdrawn text when this page was written
 * @returns {import("./sender.js").Outbox<import("./queue.js").Entry[]>}
 */
export function answersOutbox({ queue, refused, saved, late, asks = () => false, withdrawn = () => {}, known = 0 }) {
  let texts = known;
  let alone = false; // one of several was refused: send them one by one to find it

  return {
    get size() {
      return queue.size;
    },
    next: () => queue.batch(alone ? 1 : BATCH),
    leaving: () => (queue.size ? [queue.batch(BATCH)] : []),
    bodyOf: (batch, tab) => ({ ...bodyOf(batch, tab), ...(asks() && { asks: true }) }),
    settle(batch, { late: numbers = [], withdrawn: now = texts }) {
      if (now !== texts) withdrawn();
      texts = now;
      const isLate = ({ change }) => numbers.includes(change.number);
      saved(batch.filter((entry) => !isLate(entry)));
      queue.settle(batch);
      if (!queue.size) alone = false;
      batch.filter(isLate).forEach(late);
    },
    refuse(batch, sentence) {
      if (batch.length > 1) {
        alone = true;
        return;
      }
      queue.settle(batch);
      for (const { change } of batch) refused(change, sentence);
    },
    isToBlame: (refusal) => TO_BLAME.has(refusal),
    heard() {},
    restart() {},
  };
}
