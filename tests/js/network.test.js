import assert from "node:assert/strict";
import test from "node:test";

import { patiently } from "../../static/js/network.js";

test("it tries ever more slowly, and soon again once the browser says that it is online", async (t) => {
  const page = new EventTarget();
  globalThis.addEventListener = page.addEventListener.bind(page);
  t.after(() => delete globalThis.addEventListener);
  const waits = [];
  t.mock.method(globalThis, "setTimeout", (run, ms, value) => {
    waits.push(ms / 1000);
    if (waits.length === 4) queueMicrotask(() => page.dispatchEvent(new Event("online")));
    else queueMicrotask(() => run(value));
  });
  let tries = 0;
  let failures = 0;
  const run = async () => {
    tries += 1;
    if (tries < 7) throw new TypeError("Failed to fetch");
    return "a page";
  };
  assert.equal(await patiently(run, () => { failures += 1; }), "a page");
  assert.deepEqual(waits, [1, 2, 4, 8, 1, 2]);
  assert.equal(failures, 6);
});

test("it ends when nobody wants it any more", async () => {
  assert.equal(await patiently(() => assert.fail("not wanted"), () => {}, () => false), null);
});
