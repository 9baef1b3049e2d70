import assert from "node:assert/strict";
import test from "node:test";

import { createRecent } from "../../static/js/recent.js";

function setUp() {
  const content = new Map();
  const storage = {
    getItem: (name) => content.get(name) ?? null,
    setItem: (name, value) => content.set(name, value),
  };
  const clock = { now: 1_000_000 };
  const recentOf = (token) => createRecent({ storage, token, now: () => clock.now });
  return { clock, recentOf };
}

const entry = (raw, position = 1) => ({
  key: `${position}/q/`,
  change: { position, question: "q", slot: "", raw },
});
const raws = (changes) => changes.map((change) => change.raw);

test("the page that comes too early learns what was saved meanwhile", () => {
  const { recentOf } = setUp();
  recentOf("alice").add([entry("a"), entry("b", 2)]);
  assert.deepEqual(raws(recentOf("alice").of(1)), ["a"]);
  assert.deepEqual(raws(recentOf("bob").of(1)), []);
});

test("the newest answer counts, and after a minute the server's page does", () => {
  const { clock, recentOf } = setUp();
  const recent = recentOf("alice");
  recent.add([entry("a")]);
  recent.add([entry("b")]);
  assert.deepEqual(raws(recent.of(1)), ["b"]);
  clock.now += 61_000;
  assert.deepEqual(raws(recent.of(1)), []);
});

test("it does without a storage", () => {
  const recent = createRecent({ storage: null, token: "alice" });
  recent.add([entry("a")]);
  assert.deepEqual(recent.of(1), []);
});

const numbered = (raw, number) => {
  const made = entry(raw);
  return { ...made, change: { ...made.change, number } };
};

test("an answer that is acknowledged after a newer one does not hide it", () => {
  const { recentOf } = setUp();
  const recent = recentOf("alice");
  recent.add([numbered("b", 2)]);
  recent.add([numbered("a", 1)]);
  assert.deepEqual(raws(recent.of(1)), ["b"]);
});

test("an answer that does not count any more is forgotten, a newer one is not", () => {
  const { recentOf } = setUp();
  const recent = recentOf("alice");
  recent.add([numbered("a", 1)]);
  recent.drop(numbered("a", 1));
  assert.deepEqual(recent.of(1), []);
  recent.add([numbered("b", 2)]);
  recent.drop(numbered("a", 1));
  assert.deepEqual(raws(recent.of(1)), ["b"]);
});
