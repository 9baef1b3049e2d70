import assert from "node:assert/strict";
import test from "node:test";

import { createNumbers } from "../../static/js/numbers.js";
import { bodyOf, createQueue, isUnsentName, keyOf, newestNumber } from "../../static/js/queue.js";

/** A localStorage without a browser: its names are own keys, as in one. */
export function memory(content = {}) {
  const methods = {
    getItem(name) {
      return this[name] ?? null;
    },
    setItem(name, value) {
      this[name] = String(value);
    },
    removeItem(name) {
      delete this[name];
    },
  };
  return Object.assign(Object.create(methods), content);
}

const answer = (raw, more = {}) => ({ position: 1, question: "q", slot: "", raw, ...more });
const queueOf = (storage, tab = "t1", start = 0) =>
  createQueue({ storage, token: "alice", tab, numbers: createNumbers({ start, now: () => 1 }) });

test("the newest answer to a question replaces the one before", () => {
  const queue = queueOf(memory());
  queue.put(answer("a"));
  queue.put(answer("b"));
  assert.equal(queue.size, 1);
  assert.equal(queue.batch(9)[0].change.raw, "b");
});

test("questions, slots, items and remarks have places of their own", () => {
  const changes = [
    answer("a"),
    answer("a", { slot: "b" }),
    answer("a", { question: "r" }),
    answer("a", { position: 2 }),
    { position: 1, text: "" },
  ];
  assert.equal(new Set(changes.map(keyOf)).size, changes.length);
});

test("an answer given anew while it was sent is not forgotten", () => {
  const queue = queueOf(memory());
  queue.put(answer("a"));
  const sent = queue.batch(9);
  queue.put(answer("b"));
  queue.settle(sent);
  assert.equal(queue.batch(9)[0].change.raw, "b");
  queue.settle(queue.batch(9));
  assert.equal(queue.size, 0);
});

test("what is not acknowledged is there after a reload, and gone once it is", () => {
  const storage = memory();
  queueOf(storage).put(answer("a"));
  const again = queueOf(storage);
  assert.equal(again.size, 1);
  again.settle(again.batch(9));
  assert.deepEqual(Object.keys(storage), []);
});

test("it takes over what a closed tab of the same worker left, not what others left", () => {
  const storage = memory();
  queueOf(storage, "t1").put(answer("a"));
  const numbers = createNumbers({ start: 0 });
  createQueue({ storage, token: "bob", tab: "t1", numbers }).put(answer("b"));
  const queue = queueOf(storage, "t2");
  assert.deepEqual(queue.batch(9).map((entry) => entry.change.raw), ["a"]);
  assert.deepEqual(Object.keys(storage).sort(), [
    "crowdwright.unsent.alice.t2",
    "crowdwright.unsent.bob.t1",
  ]);
});

test("of two tabs the later answer counts", () => {
  const storage = memory();
  const early = queueOf(storage, "t1", 5);
  const late = queueOf(storage, "t2", 9);
  late.put(answer("late"));
  early.put(answer("early"));
  assert.equal(queueOf(storage, "t3").batch(9)[0].change.raw, "late");
});

test("it works where the storage is damaged, full or forbidden", () => {
  const damaged = memory({ "crowdwright.unsent.alice.t1": "{not json" });
  assert.equal(queueOf(damaged).size, 0);
  const forbidden = new Proxy(memory(), {
    get() {
      throw new Error("SecurityError");
    },
    ownKeys() {
      throw new Error("SecurityError");
    },
  });
  const queue = queueOf(forbidden);
  queue.put(answer("a"));
  assert.equal(queue.size, 1);
});

test("a request has answers and remarks apart", () => {
  const queue = queueOf(memory());
  queue.put(answer("a"));
  queue.put({ position: 1, text: "hm" });
  assert.deepEqual(bodyOf(queue.batch(9), "t1"), {
    tab: "t1",
    answers: [answer("a", { number: 1 })],
    comments: [{ position: 1, text: "hm", number: 2 }],
  });
});

test("it finds the changes of an item", () => {
  const queue = queueOf(memory());
  queue.put(answer("a"));
  queue.put(answer("b", { position: 2 }));
  assert.deepEqual(queue.of(2), [answer("b", { position: 2, number: 2 })]);
});

test("what is answered after a reload is newer than what was left behind", () => {
  const storage = memory();
  queueOf(storage, "t1", 50).put(answer("left", { question: "r" }));
  const queue = queueOf(storage, "t1", 10); // the server's clock was set back meanwhile
  queue.put(answer("new"));
  const [left, now] = queue.batch(9).map((entry) => entry.change);
  assert.ok(now.number > left.number);
});

test("an answer that an older page left without a number is the older one", () => {
  const left = JSON.stringify([{ key: "1/q/", at: 5, change: answer("left") }]);
  const storage = memory({ "crowdwright.unsent.alice.t0": left });
  queueOf(storage, "t1").put(answer("new"));
  assert.deepEqual(queueOf(storage, "t2").batch(9).map((entry) => entry.change.raw), ["new"]);
});

test("the highest number of changes is the newest, 0 of none", () => {
  assert.equal(newestNumber([]), 0);
  assert.equal(newestNumber([answer("a", { number: 3 }), answer("b"), answer("c", { number: 7 })]), 7);
});

test("a name in the storage is a queue of one token alone", () => {
  const storage = memory();
  queueOf(storage).put(answer("a"));
  const [name] = Object.keys(storage);
  assert.ok(isUnsentName(name, "alice"));
  assert.ok(!isUnsentName(name, "ali"));
  assert.ok(!isUnsentName(null, "alice"));
});
