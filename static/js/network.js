// How pages of work reach the server.

const KEEPALIVE = 60_000; // bytes; browsers refuse more for a request that outlives its page
const TIMEOUT = 20_000;
const WAITS = [1, 2, 4, 8, 15]; // seconds before trying again

/** Rejects when there is no connection. */
export async function post(url, body) {
  const text = JSON.stringify(body);
  const response = await fetch(url, {
    method: "POST",
    body: text,
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    keepalive: text.length < KEEPALIVE,
    signal: AbortSignal.timeout?.(TIMEOUT),
  });
  const json = response.headers.get("Content-Type")?.includes("json");
  return { status: response.status, body: json ? await response.json() : null };
}

/** @returns {() => void} its undoing */
export function later(run, seconds) {
  const timer = setTimeout(run, seconds * 1000);
  return () => clearTimeout(timer);
}

/** Seconds to wait before trying again; longer with each failure. */
export const waitAfter = (failures) => WAITS[Math.min(failures, WAITS.length - 1)];

/** Until the connection is back, but not longer than that; resolves to whether it is. */
function pause(seconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000, false);
    addEventListener("online", () => resolve(true), { once: true });
  });
}

/**
 * What `run` resolves to, however often it has to try; null once it is not `wanted` any more. A
 * connection that has just come back may carry nothing yet: then it waits as after a first failure.
 *
 * @template T
 * @param {() => Promise<T>} run  rejects when there is no connection
 * @param {() => void} failed  called each time
 * @param {() => boolean} wanted
 * @returns {Promise<T | null>}
 */
export async function patiently(run, failed, wanted = () => true) {
  let failures = 0;
  while (wanted()) {
    try {
      return await run();
    } catch {
      failed();
      failures = (await pause(waitAfter(failures))) ? 0 : failures + 1;
    }
  }
  return null;
}
