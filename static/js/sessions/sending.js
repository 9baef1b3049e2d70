// Sends a recording in numbered chunks, one at a time, each again until the server has it.

import { waitAfter } from "../network.js";

const AGAIN = new Set([408, 425, 429]); // client errors that pass by themselves
const TIMEOUT = 30_000;

/** A refusal of the server, with a sentence for the reader. */
export class Refused extends Error {}

/**
 * @param {object} options
 * @param {string} options.url  of the recording
 * @param {() => string} options.token  against forged requests
 * @param {typeof fetch} [options.send]
 * @param {(seconds: number) => Promise<void>} options.wait
 * @param {(isWaiting: boolean) => void} options.report  whether there is no connection
 */
export function createSending({ url, token, send = fetch.bind(globalThis), wait, report }) {
  let recording = 0;
  let number = 0;
  let last = Promise.resolve();

  async function post(query, body = null) {
    for (let failures = 0; ; failures++) {
      let response = null;
      try {
        response = await send(`${url}?${typeof query === "string" ? query : query()}`, {
          method: "POST",
          body,
          headers: { "X-CSRFToken": token(), "Content-Type": "application/octet-stream" },
          signal: AbortSignal.timeout?.(TIMEOUT),
        });
      } catch {
        // There is no connection.
      }
      const isJson = response?.headers.get("Content-Type")?.includes("json");
      const answer = isJson ? await response.json() : {};
      if (response?.ok && "saved" in answer) {
        report(false);
        return answer;
      }
      if (answer.refusal) throw new Refused(answer.sentence);
      if (response && !response.redirected && response.status < 500 && response.status >= 400 && !AGAIN.has(response.status)) {
        throw new Refused("");
      }
      report(true);
      await wait(waitAfter(failures));
    }
  }

  return {
    /**
     * Start a recording. Chunks may be added before the server knows of it.
     * @param {() => number} [ago]  milliseconds since it began here, so that the server knows its offset
     */
    begin(ago) {
      number = 0;
      last = post(() => (ago ? `begin=now&ago=${Math.round(ago())}` : "begin=file")).then((answer) => {
        recording = answer.saved;
      });
      return last;
    },
    /** Send the next chunk after those before it. */
    add(body) {
      const own = ++number;
      last = last.then(() => post(() => `recording=${recording}&number=${own}`, body));
      return last;
    },
    /** Wait for all chunks, then close the recording. */
    async finish() {
      await last;
      await post(`recording=${recording}&chunks=${number}`);
    },
  };
}
