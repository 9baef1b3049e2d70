import assert from "node:assert/strict";
import test from "node:test";

const listeners = new Map();
globalThis.addEventListener = (type, listener) => listeners.set(type, listener);
globalThis.document = { addEventListener: (type, listener) => listeners.set(type, listener) };
const { whenReleased } = await import("../../static/js/released.js");

const button = {};
const part = { contains: (element) => element === button };
const other = { contains: () => false };
const press = () => listeners.get("pointerdown")({ target: button });
const release = async () => {
  listeners.get("pointerup")();
  await new Promise((resolve) => setTimeout(resolve));
};

test("a part that nothing presses is replaced at once", () => {
  const done = [];
  whenReleased(part, () => done.push(1));
  assert.deepEqual(done, [1]);
});

test("a part that is pressed is replaced after the release, by the last of several", async () => {
  const done = [];
  press();
  whenReleased(part, () => done.push(1));
  whenReleased(part, () => done.push(2));
  whenReleased(other, () => done.push(3));
  assert.deepEqual(done, [3]);
  await release();
  assert.deepEqual(done, [3, 2]);
});

test("a part that is polled waits for its next turn", async () => {
  const detail = { shouldSwap: true, target: part, elt: { getAttribute: () => "every 5s" } };
  press();
  listeners.get("htmx:beforeSwap")({ detail });
  assert.equal(detail.shouldSwap, false);
  await release();
  const later = { ...detail, shouldSwap: true };
  listeners.get("htmx:beforeSwap")({ detail: later });
  assert.equal(later.shouldSwap, true);
});
