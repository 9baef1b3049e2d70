// Milliseconds since the first event of an assignment, also over reloads. Pure.
//
// Within a page only a clock that never goes back counts (performance.now); what passed between
// two pages is told by the clock on the wall, which may jump: never backwards here.

const MOST = 2 ** 31 - 1; // what the format takes

/**
 * @param {object} options
 * @param {() => number} options.now  milliseconds that never go back
 * @param {number} [options.last]  the time of the last event that is known
 * @param {number} [options.since]  milliseconds on the wall since then
 * @returns {() => number} whole milliseconds, never smaller than before
 */
export function createTime({ now, last = 0, since = 0 }) {
  const away = Number.isFinite(since) ? Math.max(0, since) : 0;
  const base = last + away - now();
  let latest = last;
  return () => {
    latest = Math.min(MOST, Math.max(latest, Math.round(base + now())));
    return latest;
  };
}
