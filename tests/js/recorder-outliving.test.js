import assert from "node:assert/strict";
import test from "node:test";

import { outliving } from "../../static/js/recorder/outliving.js";
import { memoryStore } from "../../static/js/recorder/store.js";

/** What a browser keeps over its pages: localStorage, and a database. */
function browser() {
  const storage = {};
  const hidden = { enumerable: false };
  Object.defineProperties(storage, {
    getItem: { ...hidden, value: (name) => storage[name] ?? null },
    setItem: { ...hidden, value: (name, text) => void (storage[name] = text) },
    removeItem: { ...hidden, value: (name) => void delete storage[name] },
  });
  return { storage, database: memoryStore() };
}

/** A page's store; once `page.gone` nothing that it writes comes into the database. */
function openPage({ storage, database }) {
  const page = { gone: false };
  const never = () => new Promise(() => {});
  const write = (name) => (...values) => (page.gone ? never() : database[name](...values));
  const names = ["put", "drop", "replace", "draft", "kept", "forget"];
  const inner = Object.fromEntries(names.map((name) => [name, write(name)]));
  return Object.assign(page, { store: outliving(inner, storage) });
}

const chunk = (number, ...types) => ({ number, events: types.map((type) => ({ type })) });
const sizesOf = ({ chunks }) => chunks.map(({ number, events }) => [number, events.length]).sort();

test("what a page was still writing when it went is there for the next one, in its newest state", async () => {
  const shared = browser();
  const first = openPage(shared);
  await first.store.put("alice", "t1", chunk(1, "start"));
  await first.store.put("alice", "t1", chunk(2, "key"));
  await first.store.draft("alice", "t1", { text: "L", at: 1 });
  first.gone = true;
  first.store.put("alice", "t1", chunk(2, "key", "edit"));
  first.store.draft("alice", "t1", { text: "La", at: 2 });
  first.store.setAside("alice", "t1");
  first.store.put("alice", "t1", chunk(3, "hidden"));
  first.store.setAside("alice", "t1");
  const second = openPage(shared);
  const kept = await second.store.kept("alice");
  assert.deepEqual(sizesOf(kept), [[1, 1], [2, 2], [3, 1]]);
  assert.deepEqual(kept.drafts.map(({ tab, text }) => [tab, text]), [["t1", "La"]]);
  assert.deepEqual(Object.keys(shared.storage), [], "it is written now");
  assert.deepEqual(sizesOf(await shared.database.kept("alice")), [[1, 1], [2, 2], [3, 1]]);
  assert.deepEqual(sizesOf(await second.store.kept("bob")), []);
});

test("a page that only went to the background leaves nothing aside", async () => {
  const shared = browser();
  const { store } = openPage(shared);
  const written = store.put("alice", "t1", chunk(1, "start"));
  store.setAside("alice", "t1");
  assert.equal(Object.keys(shared.storage).length, 1);
  await written;
  assert.deepEqual(Object.keys(shared.storage), []);
  store.setAside("alice", "t1");
  assert.deepEqual(Object.keys(shared.storage), [], "all is written");
});

test("what was acknowledged or forgotten does not come back", async () => {
  const shared = browser();
  const first = openPage(shared);
  first.gone = true;
  first.store.put("alice", "t1", chunk(1, "start"));
  first.store.put("alice", "t1", chunk(2, "key"));
  first.store.drop("alice", "t1", 1);
  first.store.setAside("alice", "t1");
  const second = openPage(shared);
  assert.deepEqual(sizesOf(await second.store.kept("alice")), [[2, 1]]);
  second.gone = true;
  second.store.put("alice", "t1", chunk(3, "key"));
  second.store.setAside("alice", "t1");
  const third = openPage(shared);
  await third.store.forget("alice");
  assert.deepEqual(sizesOf(await openPage(shared).store.kept("alice")), []);
});

test("the chunks of a tab give way to others at once, whether they were written or still aside", async () => {
  const shared = browser();
  const first = openPage(shared);
  await first.store.put("alice", "t1", chunk(1, "start"));
  await first.store.put("alice", "t2", chunk(1, "start"));
  await first.store.replace("alice", "t1", [chunk(2, "start", "snapshot")]);
  const mine = async (database) => (await database.kept("alice")).chunks.filter(({ tab }) => tab === "t1");
  assert.deepEqual((await mine(shared.database)).map(({ number }) => number), [2]);
  assert.equal((await shared.database.kept("alice")).chunks.length, 2, "what another tab keeps stays");
  first.gone = true;
  first.store.put("alice", "t1", chunk(3, "key"));
  first.store.replace("alice", "t1", [chunk(4, "start")]);
  first.store.setAside("alice", "t1");
  const kept = await mine(openPage(shared).store);
  assert.deepEqual(kept.map(({ number }) => number).sort(), [2, 4]);
});

test("a database that takes nothing more: it stays aside, and can be read", async () => {
  const shared = browser();
  const full = async () => Promise.reject(new Error("full"));
  const store = outliving({ ...shared.database, put: full }, shared.storage);
  await assert.rejects(store.put("alice", "t1", chunk(1, "start")));
  store.setAside("alice", "t1");
  const next = outliving({ ...shared.database, put: full }, shared.storage);
  assert.deepEqual(sizesOf(await next.kept("alice")), [[1, 1]]);
  assert.equal(Object.keys(shared.storage).length, 1);
});

test("a database that takes nothing more: the page itself still has all that it kept", async () => {
  const { storage, database } = browser();
  const full = async () => Promise.reject(new Error("full"));
  const store = outliving({ ...database, put: full, draft: full }, storage);
  await database.put("alice", "t1", chunk(1, "start"));
  await assert.rejects(store.put("alice", "t1", chunk(1, "start", "edit")));
  await assert.rejects(store.put("alice", "t1", chunk(2, "edit")));
  await assert.rejects(store.draft("alice", "t1", { text: "offline", at: 1 }));
  const kept = await store.kept("alice");
  assert.deepEqual(sizesOf(kept), [[1, 2], [2, 1]]);
  assert.deepEqual(kept.drafts.map(({ tab, text }) => [tab, text]), [["t1", "offline"]]);
  await store.drop("alice", "t1", 2);
  assert.deepEqual(sizesOf(await store.kept("alice")), [[1, 2]]);
});

test("what was set aside does not come back over something newer, stored or still to be written", async () => {
  const shared = browser();
  const full = async () => Promise.reject(new Error("full"));
  const typed = (number, ...times) => ({ number, events: times.map((ms) => ({ type: "key", ms })) });
  const store = outliving({ ...shared.database, put: full }, shared.storage);
  await assert.rejects(store.put("alice", "t1", typed(2, 10)));
  store.draft("alice", "t1", { text: "old", at: 1 });
  store.setAside("alice", "t1");
  await store.draft("alice", "t1", { text: "newer", at: 2 });
  await shared.database.put("alice", "t1", typed(2, 10, 20));
  const { store: next } = openPage(shared);
  const kept = await next.kept("alice");
  assert.deepEqual(kept.drafts.map(({ text }) => text), ["newer"]);
  assert.deepEqual(sizesOf(kept), [[2, 2]]);
  assert.deepEqual((await shared.database.kept("alice")).drafts.map(({ text }) => text), ["newer"]);
  assert.deepEqual(Object.keys(shared.storage), []);

  await assert.rejects(store.put("alice", "t1", typed(3, 30)));
  store.setAside("alice", "t1");
  await assert.rejects(store.put("alice", "t1", typed(3, 30, 40)));
  await store.kept("alice");
  store.setAside("alice", "t1");
  assert.deepEqual(sizesOf(await openPage(shared).store.kept("alice")), [[2, 2], [3, 2]]);
});

test("what somebody else put under our name, or no storage at all, is no obstacle", async () => {
  const shared = browser();
  shared.storage["crowdwright.leaving.alice.t1"] = "{";
  shared.storage["crowdwright.leaving.alice.t2"] = "[null]";
  assert.deepEqual(sizesOf(await openPage(shared).store.kept("alice")), []);
  const forbidden = new Proxy({}, { ownKeys: () => assert.fail("forbidden"), get: () => () => assert.fail("full") });
  const { store } = openPage({ ...shared, storage: forbidden });
  const written = store.put("alice", "t1", chunk(1, "start"));
  store.setAside("alice", "t1");
  assert.equal(await Promise.race([written, undefined]), undefined);
  assert.deepEqual(sizesOf(await shared.database.kept("alice")), [[1, 1]]);
});
