import assert from "node:assert/strict";
import test from "node:test";

import { axisOf, densityOf, foldedLine } from "../../static/js/replay/folds.js";
import { span } from "../../static/js/replay/moments.js";
import { kindOf, suddenness } from "../../static/js/replay/player.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAYS = { duration: 39 * HOUR, pauses: [[4000, 7000], [10 * MINUTE, 20 * HOUR], [20 * HOUR + 9 * MINUTE, 38 * HOUR + 50 * MINUTE]] };

test("39 hours with 29 minutes of writing: the writing has nearly all of the line", () => {
  const line = foldedLine(DAYS.duration, DAYS.pauses);
  assert.equal(line.folds.length, 2);
  assert.ok(line.folds.every(({ start, end }) => end - start < 0.013));
  assert.ok(line.place(10 * MINUTE) > 0.3);
});

test("the way to a place and back ends where it began, and never goes backwards", () => {
  for (const [duration, pauses] of [[DAYS.duration, DAYS.pauses], [5000, []], [HOUR, [[0, HOUR]]], [HOUR, [[0, 30 * MINUTE]]]]) {
    const line = foldedLine(duration, pauses);
    let before = -1;
    for (let n = 0; n <= 200; n += 1) {
      const ms = (duration * n) / 200;
      assert.ok(Math.abs(line.moment(line.place(ms)) - ms) < 1);
      assert.ok(line.place(ms) >= before);
      before = line.place(ms);
    }
    assert.equal(line.place(0), 0);
    assert.ok(Math.abs(line.place(duration) - 1) < 1e-9);
  }
});

test("folds never take more than a third, however many there are", () => {
  const pauses = Array.from({ length: 500 }, (_, n) => [n * 10 * MINUTE, n * 10 * MINUTE + 9 * MINUTE]);
  const { folds } = foldedLine(5000 * MINUTE, pauses);
  assert.equal(folds.length, 500);
  assert.ok(folds.reduce((sum, { start, end }) => sum + end - start, 0) < 1 / 3);
});

test("an empty record has a line", () => {
  const line = foldedLine(0, []);
  assert.equal(line.moment(0.5), 0);
  assert.equal(axisOf(line, 0, 5)[0].ms, 0);
});

test("the axis has the ends, the folds and even times, as many as there is room for", () => {
  const line = foldedLine(DAYS.duration, DAYS.pauses);
  for (const room of [2, 5, 20]) {
    const labels = axisOf(line, DAYS.duration, room);
    assert.ok(labels.length <= room + 1);
    for (let n = 1; n < labels.length; n += 1) {
      assert.ok(labels[n].place - labels[n - 1].place >= 1 / room - 1e-9);
    }
  }
  const labels = axisOf(line, DAYS.duration, 20);
  assert.deepEqual(labels.filter(({ idle }) => idle).map(({ idle }) => span(idle)), ["19 h 50 min", "18 h 41 min"]);
  assert.ok(labels.some(({ ms, idle }) => !idle && ms === 4 * MINUTE));
});

test("every change is somewhere on the line", () => {
  const line = foldedLine(DAYS.duration, DAYS.pauses);
  const times = [0, 1000, 9 * MINUTE, 20 * HOUR + MINUTE, DAYS.duration];
  const density = densityOf(times, line, 24);
  assert.equal(density.reduce((sum, n) => sum + n, 0), times.length);
  assert.equal(density.at(-1), 1);
});

test("what appeared at once says in how much time, and how fast that would be typed", () => {
  const steps = [[2, 0, 0, 0, "a".repeat(100), -1002], [4, 30_000, 100, 0, "b".repeat(200), -1004]];
  assert.equal(kindOf(-1004), "sudden");
  assert.deepEqual(suddenness(steps, -1004), { size: 200, gap: 30_000, pace: 80 });
  assert.deepEqual(suddenness(steps, -1002), { size: 100, gap: null, pace: null });
});
