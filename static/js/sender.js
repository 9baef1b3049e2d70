// Sends what an outbox holds, one request at a time, and again until it is acknowledged. No page
// here: the network and the clock come from outside.

import { waitAfter } from "./network.js";

const AGAIN = new Set([408, 425, 429]); // client errors that pass by themselves
const OURS = ["here", "saved", "missing"]; // one of them is in every acknowledgement

/**
 * What is to be sent, in batches (answers-outbox.js, recorder/chunks-outbox.js).
 *
 * @template Batch
 * @typedef {object} Outbox
 * @property {number} size
 * @property {() => Batch} next  the oldest
 * @property {() => Batch[]} leaving  what a page may still send while it goes
 * @property {(batch: Batch, tab: string) => object} bodyOf
 * @property {(batch: Batch, body: any) => void} settle  it was acknowledged
 * @property {(body: any) => void} heard  so it was, with nothing else under way
 * @property {(batch: Batch, sentence: string, refusal: string) => void} refuse
 * @property {(refusal: string) => boolean} isToBlame  is it the batch that is refused, not the tab
 * @property {() => void} restart  the server takes from this tab from now on
 */

/**
 * What an answer of the server means.
 *
 * A 200 without our own words comes from somebody else, such as a hotel's log-in page: that is
 * no acknowledgement.
 *
 * @param {{status: number, body: any} | null} answer  null: nothing came back
 * @param {(refusal: string) => boolean} isToBlame
 * @returns {"done" | "again" | "elsewhere" | "refused" | "stopped"}
 */
export function meaning(answer, isToBlame) {
  if (!answer || answer.status >= 500 || AGAIN.has(answer.status)) return "again";
  const body = answer.body || {};
  if (answer.status < 300) return OURS.some((word) => word in body) ? "done" : "again";
  if (!body.refusal) return "again";
  if (body.refusal === "OtherTab") return "elsewhere";
  return isToBlame(body.refusal) ? "refused" : "stopped";
}

/**
 * @param {object} options
 * @param {Outbox<any>} options.outbox
 * @param {ReturnType<import("./numbers.js").createNumbers>} options.numbers
 * @param {string} options.tab
 * @param {{here: string, send: string, turn?: string}} options.urls
 * @param {(url: string, body: object) => Promise<{status: number, body: any}>} options.post
 *   rejects when there is no connection
 * @param {(run: () => void, seconds: number) => () => void} options.later  returns its undoing
 * @param {(state: "saved" | "saving" | "waiting" | "elsewhere" | "stopped", sentence: string)
 *   => void} options.report
 */
export function createSender({ outbox, numbers, tab, urls, post, later, report }) {
  let busy = false;
  let present = false; // the server knows that this tab is the one that saves
  let halted = false;
  let failures = 0;
  let quiet = false; // has nothing been heard since the last look at the turn
  let waits = 0; // one after another, since there was a connection or the browser said so
  let claim = { number: numbers.next() }; // the wish to save in this tab, however often it is sent
  let undo = () => {};
  let arrived = () => {};
  /** @type {(() => void)[]} */
  let waiting = [];

  async function ask(url, body) {
    try {
      return await post(url, body);
    } catch {
      return null;
    }
  }

  const send = (batch) => ask(urls.send, outbox.bodyOf(batch, tab));
  const meant = (answer) => meaning(answer, outbox.isToBlame);

  /** Send what there is, now. Does nothing while a request is under way. */
  async function pump() {
    if (halted) return;
    if (busy) {
      if (outbox.size && !failures) report("saving", "");
      return;
    }
    undo();
    if (present && !outbox.size) {
      report("saved", "");
      release();
      return;
    }
    busy = true;
    const batch = present ? outbox.next() : null;
    if (outbox.size) report("saving", "");
    const answer = await (batch ? send(batch) : ask(urls.here, { tab, ...claim }));
    busy = false;
    act(answer, batch);
  }

  /**
   * Ask whether this tab still has its turn, if nothing was heard of the server since the last
   * time: a tab in which nobody types would not be told that another device went on.
   */
  async function check() {
    const idle = present && !busy && !halted && !outbox.size;
    if (!idle || !quiet) {
      quiet = idle;
      return;
    }
    busy = true;
    const answer = await ask(urls.turn, { tab });
    busy = false;
    if (["elsewhere", "stopped"].includes(meant(answer))) act(answer, null);
    else if (outbox.size) pump();
    else release();
  }

  function act(answer, batch) {
    quiet = false;
    const sentence = answer?.body?.sentence || "";
    switch (meant(answer)) {
      case "done":
        failures = 0;
        waits = 0;
        if (batch) outbox.settle(batch, answer.body);
        else arrive(answer.body);
        outbox.heard(answer.body);
        pump();
        break;
      case "again":
        undo = later(pump, waitAfter(waits));
        failures += 1;
        waits += 1;
        report("waiting", "");
        break;
      case "elsewhere":
        numbers.goBeyond(answer.body.after);
        stop("elsewhere", sentence);
        break;
      case "refused":
        if (!batch) {
          stop("stopped", sentence);
          break;
        }
        outbox.refuse(batch, sentence, answer.body.refusal);
        pump();
        break;
      default:
        stop("stopped", sentence);
    }
  }

  function arrive(body) {
    outbox.restart();
    present = true;
    arrived(body);
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
    check,
    stop,
    /**
     * The browser says that it has a connection: try now, and if it carries nothing yet, as after
     * a first failure and not as seldom as after many.
     */
    reconnected() {
      waits = 0;
      pump();
    },
    /**
     * Make this tab the one that saves, and send what there is.
     *
     * @param {object} [words]  what the server is told beside it
     * @returns {Promise<any>} what it says
     */
    begin(words = {}) {
      halted = false;
      present = false;
      failures = 0;
      waits = 0;
      claim = { ...words, number: numbers.next() };
      return new Promise((resolve) => {
        arrived = resolve;
        pump();
      });
    },
    /** The page may be about to go: do not wait for the request that is under way. */
    async flush() {
      if (!present || halted) return;
      await Promise.all(
        outbox.leaving().map(async (batch) => {
          const answer = await send(batch);
          if (meant(answer) === "done") outbox.settle(batch, answer.body);
        }),
      );
      pump();
    },
    /** Resolves when nothing is left to send, or when nothing can be sent any more. */
    drained() {
      if (halted || (present && !busy && !outbox.size)) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        pump();
      });
    },
    /** Is there trouble with the connection? */
    get waiting() {
      return failures > 0;
    },
    get halted() {
      return halted;
    },
  };
}
