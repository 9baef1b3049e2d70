import assert from "node:assert/strict";
import test from "node:test";

import { clock, inView, markBeside, momentOf, spoken, viewedUntil } from "../../static/js/replay/moments.js";
import { advance, speedBeside } from "../../static/js/replay/pace.js";

test("moments are told as clocks do, and as people do", () => {
  assert.deepEqual([0, 59_999, 754_321, 3_605_000].map(clock), ["0:00", "0:59", "12:34", "1:00:05"]);
  assert.deepEqual([9_000, 60_000].map(spoken), ["9 s", "1 min 0 s"]);
});

test("an address names a moment or none", () => {
  assert.equal(momentOf("#ms=12345"), 12_345);
  for (const other of ["", "#main", "#ms=", "#ms=-1", "#ms=1e3", "#ms=99999999999"]) {
    assert.equal(momentOf(other), null);
  }
});

test("passages are in view from when to when they were", () => {
  const shown = [[2, 100, 200], [0, 150, 400], [2, 500, 600]];
  assert.deepEqual(inView(shown, 160), [2, 0]);
  assert.deepEqual(inView(shown, 450), []);
  assert.deepEqual([...viewedUntil(shown, 550)], [[2, 150], [0, 250]]);
});

test("one goes from mark to mark, and a paste is seen when it is in the text", () => {
  const marks = [
    [100, 1, "away", "", 900],
    [1_000, 2, "paste", "", 1_040],
    [2_000, 3, "jump", "", 2_000],
  ];
  assert.equal(markBeside(marks, 0, 1)[1], 1);
  assert.equal(markBeside(marks, 100, 1)[1], 2);
  assert.equal(markBeside(marks, 1_040, 1)[1], 3);
  assert.equal(markBeside(marks, 2_000, 1), undefined);
  assert.equal(markBeside(marks, 2_000, -1)[1], 2);
  assert.equal(markBeside(marks, 1_040, -1)[1], 1);
  assert.equal(markBeside(marks, 100, -1), undefined);
});

test("pauses are skipped, but for their ends", () => {
  const pauses = [[1_000, 11_000], [12_000, 42_000]];
  const from = (ms, elapsed, speed = 1, skip = true) => advance({ ms, elapsed, speed, pauses, skip });
  assert.equal(from(0, 100), 100);
  assert.equal(from(1_390, 20), 10_610);
  assert.equal(from(1_390, 20, 1, false), 1_410);
  assert.equal(from(5_000, 0), 10_600);
  assert.equal(from(10_700, 100), 10_800);
  assert.equal(from(0, 1_000, 64), 64_000 + (10_000 - 6_400) + (30_000 - 6_400));
});

test("no speed is slower than the slowest or faster than the fastest", () => {
  assert.deepEqual([speedBeside(1, -1), speedBeside(8, 1), speedBeside(64, 1)], [1, 16, 64]);
});
