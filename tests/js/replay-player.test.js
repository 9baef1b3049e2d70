import assert from "node:assert/strict";
import test from "node:test";

import { countUntil, createPlayer, pieces, shares, spliceRuns } from "../../static/js/replay/player.js";

/** Random edits, and the oracle's text and origins after each of them. */
function randomLog(size, seed = 1) {
  let state = seed;
  const random = (limit) => {
    state = (state * 48271) % 2147483647;
    return state % limit;
  };
  const steps = [];
  const truth = [{ text: "", codes: [] }];
  const keyframes = [[0, "", []]];
  for (let n = 1; n <= size; n += 1) {
    const before = truth.at(-1);
    const at = random(before.text.length + 1);
    const deleted = Math.min(random(4), before.text.length - at);
    const inserted = ["a", "bc ", "", "🍁", "\ud83c", "long words "][random(6)];
    const code = random(6) - 3;
    const codes = before.codes.toSpliced(at, deleted, ...Array(inserted.length).fill(code));
    const text = before.text.slice(0, at) + inserted + before.text.slice(at + deleted);
    steps.push([n, n * 100, at, deleted, inserted, code]);
    truth.push({ text, codes });
    if (n % 20 === 0) keyframes.push([n, text, codes.map((each) => [1, each])]);
  }
  return { data: { steps, keyframes, duration: size * 100 }, truth };
}

const spelled = (runs) => runs.flatMap(([size, code]) => Array(size).fill(code));

test("any moment in any order has the text and the origins of the log", () => {
  const { data, truth } = randomLog(150);
  const player = createPlayer(data);
  for (let n = 0; n < 600; n += 1) {
    const count = (n * 67) % 151;
    const moment = player.seek(count * 100 + (n % 100));
    assert.equal(moment.text, truth[count].text);
    assert.deepEqual(spelled(moment.runs), truth[count].codes);
    assert.equal(pieces(moment).map((piece) => piece.text).join(""), moment.text);
  }
});

test("runs of several origins go in as they are", () => {
  assert.deepEqual(spliceRuns([[5, -1]], 2, 1, [[2, 3], [1, -3]]), [[2, -1], [2, 3], [1, -3], [2, -1]]);
  assert.deepEqual(spliceRuns([], 0, 0, [[2, 3]]), [[2, 3]]);
  assert.deepEqual(spliceRuns([[4, -1]], 4, 0, [[1, -1]]), [[5, -1]]);
  assert.deepEqual(spliceRuns([[2, 1], [2, 2]], 1, 2, []), [[1, 1], [1, 2]]);
  const step = [1, 0, 0, 0, "abc", [[1, -1], [2, 4]]];
  const moment = createPlayer({ steps: [step], keyframes: [], duration: 0 }).seek(0);
  assert.deepEqual(pieces(moment), [{ text: "a", code: -1 }, { text: "bc", code: 4 }]);
  assert.deepEqual(shares(moment), { typed: 1 / 3, passage: 2 / 3, own: 0, foreign: 0, unpasted: 0, sudden: 0 });
});

test("what happens at a moment has happened at it", () => {
  assert.equal(countUntil([1, 5, 5, 9], 5), 3);
  assert.equal(countUntil([1, 5, 5, 9], 0), 0);
  assert.equal(countUntil([], 3), 0);
});

test("seeking in a log of 20 minutes takes less than 50 ms", () => {
  const text = "word ".repeat(400);
  const steps = Array.from({ length: 12_000 }, (_, n) => [n, n * 100, n % 2000, 1, "x", n % 9 ? -1 : 3]);
  steps.unshift([0, 0, 0, 0, text, -1]);
  const keyframes = [[0, "", []]];
  const builder = createPlayer({ steps, keyframes: [...keyframes], duration: 1_200_000 });
  for (let count = 200; count < steps.length; count += 200) {
    const moment = builder.seek(steps[count - 1][1]);
    keyframes.push([moment.count, moment.text, moment.runs.map((run) => [...run])]);
  }
  const player = createPlayer({ steps, keyframes, duration: 1_200_000 });
  const taken = [];
  for (let n = 0; n < 100; n += 1) {
    const started = performance.now();
    player.seek((n * 7_654_321) % 1_200_000);
    taken.push(performance.now() - started);
  }
  const median = taken.sort((a, b) => a - b)[50];
  assert.ok(median < 50, `${median} ms`);
});
