// How long something was in front of somebody: time while the page is hidden does not count.

/** @param {() => number} now  milliseconds that never go back, such as performance.now */
export function createClock(now) {
  let gathered = 0;
  let since = now();
  let running = true;
  return {
    /** Begin again at nothing. */
    restart() {
      gathered = 0;
      since = now();
    },
    pause() {
      if (running) gathered += now() - since;
      running = false;
    },
    resume() {
      if (!running) since = now();
      running = true;
    },
    /** Whole milliseconds so far. */
    elapsed() {
      return Math.round(gathered + (running ? now() - since : 0));
    },
  };
}
