import assert from "node:assert/strict";
import test from "node:test";

import { memoryStore } from "../../static/js/recorder/store.js";
import { forgetTexts, removeTraces } from "../../static/js/traces.js";

test("of every work that was withdrawn nothing stays, and all of any other", async () => {
  const names = ["alice", "again", "bob"].map((token) => `crowdwright.leaving.${token}.t1`);
  const storage = Object.fromEntries(names.map((name) => [name, "[]"]));
  Object.defineProperty(storage, "removeItem", { value: (name) => void delete storage[name] });
  const store = memoryStore();
  for (const token of ["alice", "again", "bob"]) {
    await store.draft(token, "t1", { text: token });
    await store.put(token, "t1", { number: 1, events: [] });
  }
  removeTraces(["alice", "again"], () => [storage]);
  await forgetTexts(["alice", "again"], store);
  assert.deepEqual(Object.keys(storage), ["crowdwright.leaving.bob.t1"]);
  for (const [token, size] of [["alice", 0], ["again", 0], ["bob", 1]]) {
    const { chunks, drafts } = await store.kept(token);
    assert.deepEqual([chunks.length, drafts.length], [size, size], token);
  }
  removeTraces([], () => [storage]);
  assert.equal(Object.keys(storage).length, 1);
  removeTraces(["bob"], () => assert.fail("forbidden"));
});
