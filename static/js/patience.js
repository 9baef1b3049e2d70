// Tries until it works: for pages that are to come as soon as there is a connection.

import { patiently as tried } from "./network.js";
import { sayWaiting, sender, wishFor } from "./saving.js";

/** As in network.js. @param {string} wish  what happens then, in a sentence */
export function patiently(wish, run, wanted = () => true) {
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

  wishFor(wish);
  return tried(once, failed, wanted);
}
