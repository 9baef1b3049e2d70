// Tries until it works: for pages that are to come as soon as there is a connection.

import { sayWaiting, sender, wishFor } from "./saving.js";

const WAITS = [1, 2, 4, 8, 15]; // seconds

/** Until the connection is back, but not longer than that. */
function pause(seconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000);
    addEventListener("online", resolve, { once: true });
  });
}

/**
 * What `run` resolves to, however often it has to try; null once it is not `wanted` any more.
 *
 * @template T
 * @param {string} what  what happens then, such as "Next opens"
 * @param {() => Promise<T>} run  rejects when there is no connection
 * @param {() => boolean} wanted
 * @returns {Promise<T | null>}
 */
export async function patiently(what, run, wanted = () => true) {
  wishFor(`No connection: ${what} as soon as it is back`);
  for (let failures = 0; wanted(); failures += 1) {
    try {
      const found = await run();
      if (wanted()) wishFor("");
      if (failures) sender.pump(); // says how it stands now
      return found;
    } catch {
      if (wanted()) sayWaiting();
      await pause(WAITS[Math.min(failures, WAITS.length - 1)]);
    }
  }
  return null;
}
