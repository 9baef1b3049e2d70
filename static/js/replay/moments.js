// Moments in words and addresses, and what is at a moment. Pure.

/** 754321 -> 12:34; hours only where there are some. */
export function clock(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/** For those who listen: "12 min 34 s". */
export function spoken(ms) {
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** A length of time in few characters: 48 s, 12 min, 9 h 20 min. */
export function span(ms) {
  const minutes = Math.round(ms / 60_000);
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
}

/** The moment that an address names (#ms=12345), or null. */
export function momentOf(hash) {
  const found = /^#ms=(\d{1,10})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

export function addressOf(ms) {
  return `#ms=${Math.round(ms)}`;
}

/** The numbers of the passages in view; `shown` are [passage, from, to]. */
export function inView(shown, ms) {
  const found = shown.filter(([, from, to]) => from <= ms && ms <= to && from < to);
  return [...new Set(found.map(([passage]) => passage))];
}

/** How long each passage was in view until a moment: Map of number -> ms. */
export function viewedUntil(shown, ms) {
  const found = new Map();
  for (const [passage, from, to] of shown) {
    const time = Math.min(to, ms) - from;
    if (time > 0) found.set(passage, (found.get(passage) ?? 0) + time);
  }
  return found;
}

/** Of marks [ms, seq, kind, what, to] the one before (-1) or after (1) a moment, or undefined. */
export function markBeside(marks, ms, by) {
  return by > 0
    ? marks.find((mark) => mark[0] > ms && targetOf(mark) > ms)
    : marks.findLast((mark) => targetOf(mark) < ms);
}

/** Where to look for a mark: of a paste at the edit it makes, else where it begins. */
export function targetOf([ms, , kind, , to]) {
  return kind === "paste" ? to : ms;
}
