// Where a moment stands on the line: as time goes by, but with long idle times folded. Pure.

export const FOLD = 120_000; // ms in which nothing happens: what is longer is folded
const WIDTH = 0.012; // of the line, for a fold
const MOST = 0.3; // of the line, for all folds together

/**
 * @param {number} duration  ms
 * @param {number[][]} pauses  [from, to], sorted
 * @returns {{place: (ms: number) => number, moment: (place: number) => number,
 *   folds: {from: number, to: number, start: number, end: number}[]}} places are from 0 to 1
 */
export function foldedLine(duration, pauses) {
  const idle = pauses.filter(([from, to]) => to - from > FOLD);
  const busy = duration - idle.reduce((sum, [from, to]) => sum + to - from, 0);
  const width = busy > 0 ? Math.min(WIDTH, MOST / Math.max(1, idle.length)) : 1 / Math.max(1, idle.length);
  const scale = (1 - width * idle.length) / Math.max(1, busy);
  const edges = [[0, 0]]; // [ms, place]; straight between two of them
  const folds = [];
  for (const [from, to] of idle) {
    const [ms, place] = edges.at(-1);
    const start = place + (from - ms) * scale;
    edges.push([from, start], [to, start + width]);
    folds.push({ from, to, start, end: start + width });
  }
  const [ms, place] = edges.at(-1);
  edges.push([duration, busy > 0 ? Math.min(1, place + (duration - ms) * scale) : 1]);
  return {
    folds,
    place: (wanted) => between(edges, wanted, 0, 1),
    moment: (wanted) => between(edges, wanted, 1, 0),
  };
}

/** What belongs to `wanted` on the broken line of edges, from one of their two sides to the other. */
function between(edges, wanted, known, asked) {
  const after = edges.findIndex((edge) => edge[known] > wanted);
  if (after < 0) return edges.at(-1)[asked];
  if (after === 0) return edges[0][asked];
  const [low, high] = [edges[after - 1], edges[after]];
  const share = (wanted - low[known]) / (high[known] - low[known]);
  return low[asked] + share * (high[asked] - low[asked]);
}

const NICE = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];

/**
 * The labels of the axis: the ends, folds, and even times between them where there is room.
 * @param {ReturnType<typeof foldedLine>} line
 * @param {number} duration
 * @param {number} room  how many labels fit beside each other
 * @returns {{place: number, ms: number, idle?: number}[]} by place; `idle` is what a fold hides
 */
export function axisOf({ place, folds }, duration, room) {
  const busy = duration - folds.reduce((sum, { from, to }) => sum + to - from, 0);
  const step = 1000 * (NICE.find((seconds) => busy / (1000 * seconds) <= room) ?? NICE.at(-1));
  const isIn = (ms) => folds.some(({ from, to }) => from < ms && ms < to);
  const longest = [...folds].sort((one, other) => other.to - other.from - (one.to - one.from));
  const wanted = [
    { place: 0, ms: 0 },
    { place: 1, ms: duration },
    ...longest.map(({ from, to, start, end }) => ({ place: (start + end) / 2, ms: from, idle: to - from })),
    ...evenTimes(step, duration, folds).filter((ms) => !isIn(ms)).map((ms) => ({ place: place(ms), ms })),
  ];
  const told = [];
  for (const label of wanted) {
    if (told.every((other) => Math.abs(other.place - label.place) >= 1 / room)) told.push(label);
  }
  return told.sort((one, other) => one.place - other.place);
}

/** The multiples of `step` outside the folds, however long those are. */
function evenTimes(step, duration, folds) {
  const times = [];
  let from = 0;
  for (const { from: until, to } of [...folds, { from: duration, to: duration }]) {
    for (let ms = Math.ceil(from / step) * step; ms <= until; ms += step) times.push(ms);
    from = to;
  }
  return times;
}

/** How much happened along the line: the steps in each of `bins` equal parts of it. */
export function densityOf(times, line, bins) {
  const found = new Array(bins).fill(0);
  for (const ms of times) found[Math.min(bins - 1, Math.floor(line.place(ms) * bins))] += 1;
  return found;
}
