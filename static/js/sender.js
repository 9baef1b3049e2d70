// Sends a queue, one request at a time, and again until it is acknowledged. No page here: the
// network and the clock come from outside.

import { bodyOf } from "./queue.js";

const BATCH = 50; // answers a request
const WAITS = [1, 2, 4, 8, 15]; // seconds before trying again
const AGAIN = new Set([408, 425, 429]); // client errors that pass by themselves

/**
 * What an answer of the server means for the queue.
 *
 * A 200 without our own words comes from somebody else, such as a hotel's log-in page: that is
 * no acknowledgement.
 *
 * @param {{status: number, body: any} | null} answer  null: nothing came back
 * @returns {"done" | "again" | "elsewhere" | "refused" | "stopped"}
 */
export function meaning(answer) {
  if (!answer || answer.status >= 500 || AGAIN.has(answer.status)) return "again";
  const body = answer.body || {};
  if (answer.status < 300) return "saved" in body || "here" in body ? "done" : "again";
  if (body.refusal === "OtherTab") return "elsewhere";
  if (body.refusal === "NotAnAnswer" || body.refusal === "TooLarge") return "refused";
  return body.refusal ? "stopped" : "again";
}

/** Those entries that the server took, and those that a newer answer stands against. */
function sorted(batch, { late = [] }) {
  const isLate = ({ change }) => late.includes(change.number);
  return [batch.filter((entry) => !isLate(entry)), batch.filter(isLate)];
}

/**
 * @param {object} options
 * @param {ReturnType<import("./queue.js").createQueue>} options.queue
 * @param {ReturnType<import("./numbers.js").createNumbers>} options.numbers
 * @param {string} options.tab
 * @param {{here: string, answers: string}} options.urls
 * @param {(url: string, body: object) => Promise<{status: number, body: any}>} options.post
 *   rejects when there is no connection
 * @param {(run: () => void, seconds: number) => () => void} options.later  returns its undoing
 * @param {(state: string, sentence: string) => void} options.report
 *   state: saved, saving, waiting, elsewhere or stopped
 * @param {(change: object, sentence: string) => void} options.refused  an answer was dropped
 * @param {(entries: object[]) => void} options.saved  they were acknowledged
 * @param {(entry: object) => void} options.late  it was acknowledged, but a newer one counts
 */
export function createSender({ queue, numbers, tab, urls, post, later, report, refused, saved, late }) {
  let busy = false;
  let present = false; // the server knows that this tab is the one that saves
  let halted = false;
  let alone = false; // one of several was refused: send them one by one to find it
  let failures = 0;
  let claim = numbers.next(); // of the wish to save in this tab, however often it is sent
  let undo = () => {};
  /** @type {(() => void)[]} */
  let waiting = [];

  /** Send what there is, now. Does nothing while a request is under way. */
  async function pump() {
    if (busy || halted) return;
    undo();
    if (present && !queue.size) {
      report("saved", "");
      release();
      return;
    }
    busy = true;
    const batch = present ? queue.batch(alone ? 1 : BATCH) : [];
    if (queue.size) report("saving", "");
    const answer = present ? await send(batch) : await ask(urls.here, { tab, number: claim });
    busy = false;
    act(answer, batch);
  }

  async function ask(url, body) {
    try {
      return await post(url, body);
    } catch {
      return null;
    }
  }

  const send = (batch) => ask(urls.answers, bodyOf(batch, tab));

  function act(answer, batch) {
    const sentence = answer?.body?.sentence || "";
    switch (meaning(answer)) {
      case "done":
        failures = 0;
        present = true;
        settle(batch, answer.body);
        if (!queue.size) alone = false;
        pump();
        break;
      case "again":
        undo = later(pump, WAITS[Math.min(failures, WAITS.length - 1)]);
        failures += 1;
        report("waiting", "");
        break;
      case "refused":
        refuse(batch, sentence);
        pump();
        break;
      case "elsewhere":
        numbers.goBeyond(answer.body.after);
        stop("elsewhere", sentence);
        break;
      default:
        stop("stopped", sentence);
    }
  }

  function settle(batch, body) {
    const [taken, behind] = sorted(batch, body);
    saved(taken);
    queue.settle(batch);
    for (const entry of behind) late(entry);
  }

  function refuse(batch, sentence) {
    if (batch.length > 1) {
      alone = true;
      return;
    }
    if (!batch.length) present = true; // `here` is never refused so; do not ask for ever
    queue.settle(batch);
    for (const entry of batch) refused(entry.change, sentence);
  }

  function stop(state, sentence) {
    halted = true;
    report(state, sentence);
    release();
  }

  function release() {
    const ready = waiting;
    waiting = [];
    for (const run of ready) run();
  }

  return {
    pump,
    /** The page may be about to go: do not wait for the request that is under way. */
    async flush() {
      if (!busy) {
        await pump();
        return;
      }
      if (!present || halted || !queue.size) return;
      const batch = queue.batch(BATCH);
      const answer = await send(batch);
      if (meaning(answer) === "done") settle(batch, answer.body);
    },
    /** Make this tab the one that saves, and send what was kept. */
    async continueHere() {
      halted = false;
      present = false;
      failures = 0;
      claim = numbers.next();
      await pump();
    },
    /** Resolves when nothing is left to send, or when nothing can be sent any more. */
    drained() {
      if (halted || (present && !busy && !queue.size)) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        pump();
      });
    },
    get halted() {
      return halted;
    },
  };
}
