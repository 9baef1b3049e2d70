// Tries until it works: for pages that are to come as soon as there is a connection.

import { patiently as tried } from "./network.js";
import { sayWaiting, sender, wishFor } from "./saving.js";

/** As in network.js. @param {string} what  what happens then, such as "Next opens" */
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
