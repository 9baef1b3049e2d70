// Sends chunks, one request at a time, and again until they are acknowledged. No page here: the
// network and the clock come from outside.

const WAITS = [1, 2, 4, 8, 15]; // seconds before trying again
const AGAIN = new Set([408, 425, 429]); // client errors that pass by themselves
const OVER = new Set(["NotLive", "UnknownLink", "ConsentWithdrawn"]);
const LEAVING = 60_000; // bytes that a page may still send while it goes, all together

/** @typedef {{number: number, events: object[]}} Chunk */

/**
 * What an answer of the server means. A 200 without our own words comes from somebody else, such
 * as a hotel's log-in page: that is no acknowledgement.
 *
 * @param {{status: number, body: any} | null} answer  null: nothing came back
 * @returns {"done" | "again" | "elsewhere" | "refused" | "stopped"}
 */
export function meaning(answer) {
  if (!answer || answer.status >= 500 || AGAIN.has(answer.status)) return "again";
  const body = answer.body || {};
  if (answer.status < 300) return "missing" in body || "here" in body ? "done" : "again";
  if (body.refusal === "OtherTab") return "elsewhere";
  if (OVER.has(body.refusal)) return "stopped";
  return body.refusal ? "refused" : "again";
}

/**
 * @param {object} options
 * @param {string} options.tab
 * @param {ReturnType<import("../numbers.js").createNumbers>} options.numbers
 * @param {{here: string, log: string}} options.urls
 * @param {(url: string, body: object) => Promise<{status: number, body: any}>} options.post
 *   rejects when there is no connection
 * @param {(run: () => void, seconds: number) => () => void} options.later  returns its undoing
 * @param {(state: "sent" | "sending" | "waiting" | "elsewhere" | "stopped", sentence: string)
 *   => void} options.report
 * @param {(number: number) => void} options.acknowledged
 * @param {(sentence: string, refusal: string) => void} options.refused  a chunk was refused:
 *   begin anew
 */
export function createSender({ tab, numbers, urls, post, later, report, acknowledged, refused }) {
  /** @type {Map<number, Chunk>} */
  const queue = new Map();
  let busy = false;
  let present = false; // the server knows that this tab is the one that writes
  let halted = false;
  let anew = false; // go on behind all that the server has, gap or not
  let failures = 0;
  let claim = 0; // the number of the wish to write in this tab, however often it is sent
  const lost = new Set(); // numbers that the server misses and nobody has any more
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

  const oldest = () => queue.get(Math.min(...queue.keys()));
  const send = (chunk) => ask(urls.log, { tab, ...chunk });

  /** Send what there is, now. Does nothing while a request is under way. */
  async function pump() {
    if (busy || halted) return;
    undo();
    if (present && !queue.size) {
      report("sent", "");
      release();
      return;
    }
    busy = true;
    const chunk = present ? oldest() : null;
    if (chunk) report("sending", "");
    const answer = chunk ? await send(chunk) : await ask(urls.here, { tab, anew, number: claim });
    busy = false;
    act(answer, chunk);
  }

  function act(answer, chunk) {
    const sentence = answer?.body?.sentence || "";
    switch (meaning(answer)) {
      case "done":
        failures = 0;
        if (chunk) settle(chunk);
        else arrive(answer.body);
        if (isWhole(answer.body)) pump();
        else refused("A part of the record is missing.", "");
        break;
      case "again":
        undo = later(pump, WAITS[Math.min(failures, WAITS.length - 1)]);
        failures += 1;
        report("waiting", "");
        break;
      case "elsewhere":
        numbers.goBeyond(answer.body.after);
        stop("elsewhere", sentence);
        break;
      case "refused":
        if (chunk) refused(sentence, answer.body.refusal);
        else stop("stopped", sentence);
        break;
      default:
        stop("stopped", sentence);
    }
  }

  /** Can all that the server misses still come? What was lost for good is told once. */
  function isWhole({ missing = [] }) {
    const gone = missing.filter((number) => !queue.has(number) && !lost.has(number));
    for (const number of gone) lost.add(number);
    return !gone.length;
  }

  function settle(chunk) {
    if (queue.get(chunk.number) !== chunk) return; // another one took its number meanwhile
    queue.delete(chunk.number);
    acknowledged(chunk.number);
  }

  function arrive(position) {
    queue.clear();
    present = true;
    arrived(position);
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
    stop,
    /** @param {Chunk} chunk */
    put(chunk) {
      queue.set(chunk.number, chunk);
    },
    /**
     * Make this tab the one that writes. Then the queue is empty: what was in it has to fit to
     * where the server stands.
     *
     * @param {boolean} [behind]  what is missing cannot come any more
     * @returns {Promise<{number: number, seq: number, text: string, ms?: number}>} where the
     *   server stands
     */
    begin(behind = false) {
      anew = behind;
      halted = false;
      present = false;
      failures = 0;
      claim = numbers.next();
      return new Promise((resolve) => {
        arrived = resolve;
        pump();
      });
    },
    /** The page may be about to go: send all, without waiting for the request under way. */
    async flush() {
      if (!present || halted) return;
      let bytes = 0;
      const leaving = [...queue.values()].filter((chunk) => {
        bytes += JSON.stringify(chunk.events).length + 200;
        return bytes < LEAVING;
      });
      await Promise.all(
        leaving.map(async (chunk) => {
          if (meaning(await send(chunk)) === "done") settle(chunk);
        }),
      );
      pump();
    },
    /** Resolves when nothing is left to send, or when nothing can be sent any more. */
    drained() {
      if (halted || (present && !busy && !queue.size)) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        pump();
      });
    },
    /** The chunks that are not acknowledged, oldest first. */
    get chunks() {
      return [...queue.values()].sort((one, other) => one.number - other.number);
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
