import assert from "node:assert/strict";
import test from "node:test";

import { createClock } from "../../static/js/clock.js";

test("time while the page is hidden does not count", () => {
  let now = 100;
  const clock = createClock(() => now);
  now = 150;
  clock.pause();
  clock.pause();
  now = 900;
  assert.equal(clock.elapsed(), 50);
  clock.resume();
  clock.resume();
  now = 910.4;
  assert.equal(clock.elapsed(), 60);
});

test("a new item begins at nothing, hidden or not", () => {
  let now = 0;
  const clock = createClock(() => now);
  now = 70;
  clock.restart();
  now = 80;
  assert.equal(clock.elapsed(), 10);
  clock.pause();
  clock.restart();
  now = 99;
  assert.equal(clock.elapsed(), 0);
});
