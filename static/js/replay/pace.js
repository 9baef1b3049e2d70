// How fast the record goes by. Pure.

import { countUntil } from "./player.js";

export const SPEEDS = [1, 2, 4, 8, 16, 32, 64];
const EDGE = 400; // ms of a pause that are played at each of its ends, times the speed at most 8

/**
 * The moment after `elapsed` real milliseconds.
 * @param {{ms: number, elapsed: number, speed: number, pauses: number[][], skip: boolean}} now
 *   pauses are [from, to], sorted
 */
export function advance({ ms, elapsed, speed, pauses, skip }) {
  let left = elapsed * speed;
  let at = ms;
  if (!skip) return at + left;
  const edge = EDGE * Math.min(speed, 8);
  let index = countUntil(pauses.map((pause) => pause[1]), at);
  for (; index < pauses.length; index += 1) {
    const from = pauses[index][0] + edge;
    const to = pauses[index][1] - edge;
    if (to <= from || at >= to) continue;
    if (at + left < from) break;
    left -= Math.max(0, from - at);
    at = to;
  }
  return at + left;
}

/** The speed beside this one, slower (-1) or faster (1). */
export function speedBeside(speed, by) {
  const index = SPEEDS.indexOf(speed) + by;
  return SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, index))];
}
