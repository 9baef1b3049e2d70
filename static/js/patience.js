// Tries until it works: for pages that are to come as soon as there is a connection.

import { patiently as tried } from "./network.js";
import { sayWaiting, sender, wishFor } from "./saving.js";

/**
 * What `run` resolves to, however often it has to try; null once it is not `wanted` any more.
 *
 * @template T
 * @param {string} what  what happens then, such as "Next opens"
 * @param {() => Promise<T>} run  rejects when there is no connection
 * @param {() => boolean} wanted
 * @returns {Promise<T | null>}
 */
export function patiently(what, run, wanted = () => true) {
  let hasFailed = false;

  async function once() {
    const found = await run();
    if (wanted()) wishFor("");
    if (hasFailed) sender.pump(); // says how it stands now
    return found;
  }

  function failed() {
    hasFailed = true;
    if (wanted()) sayWaiting();
  }

  wishFor(`No connection: ${what} as soon as it is back`);
  return tried(once, failed, wanted);
}
