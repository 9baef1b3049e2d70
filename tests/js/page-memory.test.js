import assert from "node:assert/strict";
import test from "node:test";

import { createPageMemory } from "../../static/js/page-memory.js";

const MINUTE = 60_000;

function setUp() {
  const clock = { now: 1_000 };
  return { clock, memory: createPageMemory({ now: () => clock.now }) };
}

const mainOf = (memory, url) => memory.of(url)?.main;

test("a page that was left is there again, whatever place in it is asked for", () => {
  const { memory } = setUp();
  memory.keep("/1/#questions", "first", 1_000);
  assert.equal(mainOf(memory, "/1/"), "first");
  assert.equal(mainOf(memory, "/1/#texts"), "first");
  assert.equal(mainOf(memory, "/1/?only=open"), undefined);
});

test("a page that is shown is no longer kept", () => {
  const { memory } = setUp();
  memory.keep("/1/", "first", 1_000);
  memory.take("/1/#texts");
  assert.equal(memory.of("/1/"), undefined);
});

test("a page is too old after ten minutes, and asked for again after five", () => {
  const { clock, memory } = setUp();
  memory.add([["/2/", "second"]], memory.asking(), "/1/");
  assert.equal(memory.lacks("/2/"), false);
  clock.now += 5 * MINUTE;
  assert.equal(memory.lacks("/2/"), true);
  assert.equal(mainOf(memory, "/2/"), "second");
  clock.now += 5 * MINUTE;
  assert.equal(memory.of("/2/"), undefined);
});

test("a page that was left keeps its age", () => {
  const { clock, memory } = setUp();
  clock.now += 11 * MINUTE;
  memory.keep("/1/", "first", 1_000);
  assert.equal(memory.of("/1/"), undefined);
});

test("what is asked for replaces what is older, but nothing that was at work meanwhile", () => {
  const { clock, memory } = setUp();
  memory.keep("/1/", "left before", 500);
  clock.now += 10;
  const asked = memory.asking();
  clock.now += 10;
  memory.keep("/2/", "left meanwhile", 900);
  memory.add(["/1/", "/2/", "/3/", "/4/"].map((url) => [url, "new"]), asked, "/3/#texts");
  assert.deepEqual(["/1/", "/2/", "/3/", "/4/"].map((url) => mainOf(memory, url)), ["new", "left meanwhile", undefined, "new"]);
});

test("what was asked for before everything was forgotten is not kept", () => {
  const { memory } = setUp();
  const asked = memory.asking();
  memory.keep("/1/", "first", 1_000);
  assert.equal(memory.isForgotten(asked), false);
  memory.forget();
  assert.equal(memory.isForgotten(asked), true);
  memory.add([["/2/", "second"]], asked, "/3/");
  assert.deepEqual([memory.of("/1/"), memory.of("/2/")], [undefined, undefined]);
});
