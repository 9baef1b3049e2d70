import assert from "node:assert/strict";
import test from "node:test";

import { answersOutbox } from "../../static/js/answers-outbox.js";
import { createNumbers } from "../../static/js/numbers.js";
import { createQueue } from "../../static/js/queue.js";
import { createSender, meaning } from "../../static/js/sender.js";

const HERE = { status: 200, body: { here: true } };
const SAVED = { status: 200, body: { saved: 1 } };
const refusal = (name, status = 409) => ({
  status,
  body: { refusal: name, sentence: `${name}.` },
});

/** A server that answers what `script` says, one entry a request, and then always saves. */
function setUp(script = [], asks = []) {
  const seen = { requests: [], states: [], refused: [], saved: [], late: [], withdrawn: [], waits: [] };
  const storage = { getItem: () => null, setItem() {}, removeItem() {} };
  const numbers = createNumbers({ start: 100, now: () => 0 });
  const queue = createQueue({ storage, token: "alice", tab: "t1", numbers });
  let wake = () => {};
  const outbox = answersOutbox({
    queue,
    saved: (entries) => seen.saved.push(...entries.map((entry) => entry.change.raw)),
    late: ({ change }) => seen.late.push(change.raw),
    asks: () => asks.shift() ?? false,
    withdrawn: () => seen.withdrawn.push(seen.requests.length),
    refused: (change, sentence) => seen.refused.push([change.raw, sentence]),
  });
  const sender = createSender({
    outbox,
    numbers,
    tab: "t1",
    urls: { here: "here", send: "answers", turn: "turn" },
    async post(url, body) {
      seen.requests.push({ url, body });
      const next = script.shift() ?? (url === "here" ? HERE : SAVED);
      if (next === "offline") throw new TypeError("Failed to fetch");
      return typeof next === "function" ? next() : next;
    },
    later(run, seconds) {
      seen.waits.push(seconds);
      wake = run;
      return () => {
        wake = () => {};
      };
    },
    report: (state, sentence) => seen.states.push([state, sentence]),
  });
  return { ...seen, seen, queue, sender, wake: () => wake() };
}

const put = (queue, ...raws) =>
  raws.forEach((raw, n) => queue.put({ position: 1, question: `q${n}`, slot: "", raw }));
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const last = (list) => list[list.length - 1];
const rawsOf = ({ body }) => body.answers.map((each) => each.raw);

test("it says which tab it is before it saves, and only once", async () => {
  const { queue, sender, requests, states } = setUp();
  put(queue, "a", "b");
  sender.pump();
  await settled();
  put(queue, "c");
  sender.pump();
  await settled();
  assert.deepEqual(requests.map((each) => each.url), ["here", "answers", "answers"]);
  assert.deepEqual(rawsOf(requests[1]), ["a", "b"]);
  assert.equal(queue.size, 0);
  assert.deepEqual(last(states), ["saved", ""]);
});

test("one request at a time, and what was answered meanwhile goes with the next", async () => {
  const gates = [];
  const slow = () => new Promise((resolve) => gates.push(() => resolve(SAVED)));
  const { queue, sender, requests } = setUp([HERE, slow]);
  put(queue, "a");
  sender.pump();
  await settled();
  put(queue, "b");
  sender.pump();
  sender.pump();
  await settled();
  assert.equal(requests.length, 2);
  gates[0]();
  await settled();
  assert.deepEqual(rawsOf(requests[2]), ["b"]);
});

test("without a connection it tries again, ever more slowly, and loses nothing", async () => {
  const { queue, sender, seen, wake } = setUp([HERE, ...Array(6).fill("offline")]);
  put(queue, "a");
  sender.pump();
  for (let n = 0; n < 6; n += 1) {
    await settled();
    assert.deepEqual(last(seen.states), ["waiting", ""]);
    wake();
  }
  await settled();
  assert.deepEqual(seen.waits, [1, 2, 4, 8, 15, 15]);
  assert.equal(queue.size, 0);
  assert.deepEqual(last(seen.states), ["saved", ""]);
});

test("a connection that comes back is tried at once, and soon again if it carries nothing yet", async () => {
  const { queue, sender, seen, wake } = setUp([HERE, ...Array(6).fill("offline")]);
  put(queue, "a");
  sender.pump();
  for (let n = 0; n < 4; n += 1) {
    await settled();
    wake();
  }
  await settled();
  sender.reconnected();
  await settled();
  assert.deepEqual(seen.waits, [1, 2, 4, 8, 15, 1]);
  assert.deepEqual(last(seen.states), ["waiting", ""]);
  wake();
  await settled();
  assert.deepEqual(last(seen.states), ["saved", ""]);
});

test("a server in trouble and a stranger's page are no acknowledgement", () => {
  assert.equal(meaning(null), "again");
  assert.equal(meaning({ status: 503, body: null }), "again");
  assert.equal(meaning({ status: 429, body: { refusal: "Slow" } }), "again");
  assert.equal(meaning({ status: 200, body: null }), "again"); // a log-in page of a hotel
  assert.equal(meaning({ status: 403, body: null }), "again"); // a company's proxy
  assert.equal(meaning(SAVED), "done");
});

test("another tab stops it until the worker continues here", async () => {
  const { queue, sender, requests, states } = setUp([HERE, refusal("OtherTab")]);
  put(queue, "a");
  sender.pump();
  await settled();
  assert.deepEqual(last(states), ["elsewhere", "OtherTab."]);
  sender.pump();
  await settled();
  assert.equal(requests.length, 2);
  assert.equal(queue.size, 1);
  sender.begin();
  await settled();
  assert.deepEqual(requests.slice(2).map((each) => each.url), ["here", "answers"]);
  assert.equal(queue.size, 0);
});

test("work that is closed stops it with its sentence", async () => {
  const { queue, sender, states } = setUp([refusal("NotLive", 410)]);
  put(queue, "a");
  sender.pump();
  await settled();
  assert.deepEqual(last(states), ["stopped", "NotLive."]);
  assert.ok(sender.halted);
  await sender.drained(); // nobody waits for what cannot come
});

test("of several answers only the refused one is dropped", async () => {
  const wrong = refusal("NotAnAnswer", 422);
  const { queue, sender, seen, requests } = setUp([HERE, wrong, SAVED, wrong]);
  put(queue, "a", "wrong", "c");
  sender.pump();
  await settled();
  assert.deepEqual(seen.refused, [["wrong", "NotAnAnswer."]]);
  assert.deepEqual(seen.saved, ["a", "c"]);
  assert.deepEqual(requests.slice(1).map(rawsOf), [["a", "wrong", "c"], ["a"], ["wrong"], ["c"]]);
  assert.equal(queue.size, 0);
});

test("a page that goes away does not wait for the request that is under way", async () => {
  const never = () => new Promise(() => {});
  const { queue, sender, requests } = setUp([HERE, never]);
  put(queue, "a");
  sender.pump();
  await settled();
  put(queue, "b");
  sender.flush();
  await settled();
  assert.deepEqual(rawsOf(last(requests)), ["b"]);
  assert.equal(queue.size, 0);
});

test("drained waits until everything is saved", async () => {
  const { queue, sender, wake } = setUp([HERE, "offline"]);
  put(queue, "a");
  let done = false;
  sender.drained().then(() => {
    done = true;
  });
  await settled();
  assert.equal(done, false);
  wake();
  await settled();
  assert.equal(done, true);
});

test("a wish to save here that comes late does not take the work from a later tab", async () => {
  const { sender, requests, wake } = setUp(["offline", "offline", refusal("OtherTab")]);
  sender.pump();
  await settled();
  wake();
  await settled();
  assert.equal(requests[0].body.number, requests[1].body.number);
  wake();
  await settled();
  assert.ok(sender.halted);
});

test("who continues here after another tab goes beyond its number", async () => {
  const taken = refusal("OtherTab");
  taken.body.after = 5000;
  const { sender, requests } = setUp([taken]);
  sender.pump();
  await settled();
  sender.begin();
  await settled();
  assert.ok(last(requests).body.number > 5000);
});

test("an answer that a newer one stands against is neither sent again nor called saved", async () => {
  const { queue, sender, seen } = setUp([HERE, () => ({ status: 200, body: { saved: 2, late: [102] } })]);
  put(queue, "a", "b"); // 101 is the wish to save here
  sender.pump();
  await settled();
  assert.equal(queue.size, 0);
  assert.deepEqual([seen.saved, seen.late], [["b"], ["a"]]);
});

test("an idle tab asks whose turn it is, and one that was just answered does not", async () => {
  const { sender, requests, states } = setUp([HERE, HERE, refusal("OtherTab")]);
  sender.pump();
  await settled();
  await sender.check(); // it was heard a moment ago
  assert.equal(requests.length, 1);
  await sender.check();
  await sender.check();
  assert.deepEqual(requests.map(({ url }) => url), ["here", "turn", "turn"]);
  assert.deepEqual(last(states), ["elsewhere", "OtherTab."]);
  await sender.check();
  assert.equal(requests.length, 3);
});

test("what is put while it asks for its turn is sent, and no answer to that is no trouble", async () => {
  const { queue, sender, requests, states } = setUp([HERE, "offline"]);
  sender.pump();
  await settled();
  await sender.check();
  const asked = sender.check();
  put(queue, "a");
  sender.pump();
  await asked;
  await settled();
  assert.deepEqual(requests.map(({ url }) => url), ["here", "turn", "answers"]);
  assert.ok(!states.some(([state]) => state === "waiting"));
  assert.deepEqual(last(states), ["saved", ""]);
});

test("a save that asks is told of withdrawn texts, and says so when there are others", async () => {
  const withdrawn = (count) => ({ status: 200, body: { saved: 1, withdrawn: count } });
  const script = [HERE, SAVED, withdrawn(1), withdrawn(1), SAVED];
  const { queue, sender, seen, requests } = setUp(script, [false, true, true, false]);
  for (let n = 0; n < 4; n += 1) {
    put(queue, "a");
    sender.pump();
    await settled();
  }
  assert.deepEqual(requests.slice(1).map(({ body }) => body.asks ?? false), [false, true, true, false]);
  assert.deepEqual(seen.withdrawn, [3]);
});
