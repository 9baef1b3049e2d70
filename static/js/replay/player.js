// The text of a log at any moment. Pure: no page, no clock.
//
// Positions count UTF-16 code units, as strings do here. An origin is a number: that of a passage
// from 0, or below zero one of those in ORIGINS.

export const ORIGINS = new Map([
  [-1, "typed"],
  [-2, "own"],
  [-3, "foreign"],
  [-4, "unpasted"],
]);
const SUDDEN = -1000; // and below: the number of the event that it came with is taken off

/** What kind of origin a number is: typed, own, foreign, unpasted, sudden or passage. */
export function kindOf(code) {
  if (code <= SUDDEN) return "sudden";
  return ORIGINS.get(code) ?? "passage";
}

/**
 * Of a piece that appeared at once: how many units came, in how many ms since the change before
 * (null for the first one), and how many words a minute, of five units, typing them would be.
 */
export function suddenness(steps, code) {
  const index = countUntil(steps.map(([seq]) => seq), SUDDEN - code) - 1;
  const [, ms, , , inserted] = steps[index];
  const gap = index ? Math.max(1, ms - steps[index - 1][1]) : null;
  return { size: inserted.length, gap, pace: gap && inserted.length / 5 / (gap / 60_000) };
}

/** How many of the sorted times are not after `ms`. */
export function countUntil(times, ms) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Replace `deleted` units at `at` by other runs; a run is [units, origin]. Returns new runs. */
export function spliceRuns(runs, at, deleted, inserted) {
  const result = [];
  const push = (size, code) => {
    if (size <= 0) return;
    const last = result.at(-1);
    if (last && last[1] === code) last[0] += size;
    else result.push([size, code]);
  };
  let start = 0;
  let isIn = false;
  const insert = () => {
    for (const [size, code] of inserted) push(size, code);
    isIn = true;
  };
  for (const [size, code] of runs) {
    const end = start + size;
    push(Math.min(end, at) - start, code);
    if (!isIn && end >= at) insert();
    push(end - Math.max(start, at + deleted), code);
    start = end;
  }
  if (!isIn) insert();
  return result;
}

/**
 * @param {{steps: Array, keyframes: Array, duration: number}} data of the server's playback
 */
export function createPlayer({ steps, keyframes, duration }) {
  const times = steps.map((step) => step[1]);
  let count = 0; // steps that are done
  let text = "";
  let runs = [];

  function load([steps_, text_, runs_]) {
    [count, text, runs] = [steps_, text_, runs_.map((run) => [...run])];
  }

  function apply() {
    const [, , at, deleted, inserted, origin] = steps[count];
    const coded = typeof origin === "number" ? [[inserted.length, origin]] : origin;
    text = text.slice(0, at) + inserted + text.slice(at + deleted);
    runs = spliceRuns(runs, at, deleted, coded);
    count += 1;
  }

  /** Go on from here where that is nearer than from the last keyframe before the moment. */
  function seek(ms) {
    const wanted = countUntil(times, ms);
    const frame = keyframes.findLast(([done]) => done <= wanted) ?? [0, "", []];
    if (count > wanted || frame[0] > count) load(frame);
    while (count < wanted) apply();
    return moment();
  }

  function moment() {
    const last = steps[count - 1];
    return { count, text, runs, caret: last ? last[2] + last[4].length : 0 };
  }

  return { seek, moment, duration };
}

/** The text in pieces of one origin: [{text, code}]; together they are the text. */
export function pieces({ text, runs }) {
  let start = 0;
  return runs.map(([size, code]) => {
    const piece = { text: text.slice(start, start + size), code };
    start += size;
    return piece;
  });
}

/** Which share of the text each kind of origin has. */
export function shares({ text, runs }) {
  const found = { typed: 0, passage: 0, own: 0, foreign: 0, unpasted: 0, sudden: 0 };
  for (const [size, code] of runs) found[kindOf(code)] += size / text.length;
  return found;
}
