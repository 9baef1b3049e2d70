import assert from "node:assert/strict";
import test from "node:test";

import { createNumbers, numberForms } from "../../static/js/numbers.js";

test("numbers rise within a moment, and whatever the clock does", () => {
  const clock = { now: 500 };
  const numbers = createNumbers({ start: 10_000, now: () => clock.now });
  const given = [numbers.next(), numbers.next()];
  clock.now += 100;
  given.push(numbers.next());
  clock.now -= 1_000_000; // somebody sets it right
  given.push(numbers.next());
  assert.deepEqual(given, [10_001, 10_002, 10_100, 10_101]);
});

test("a tab that begins later numbers higher, though its clock is wrong", () => {
  const early = createNumbers({ start: 10_000, now: () => 9e12 });
  const late = createNumbers({ start: 20_000, now: () => 5 });
  assert.ok(early.next() < late.next());
});

test("it goes beyond a number that was given elsewhere, and never back", () => {
  const numbers = createNumbers({ start: 10, now: () => 0 });
  numbers.goBeyond(50);
  numbers.goBeyond(20);
  numbers.goBeyond(undefined);
  assert.equal(numbers.next(), 51);
});

test("a form is numbered each time it is sent; one without the field is left alone", () => {
  let act;
  globalThis.document = { addEventListener: (name, listener) => (act = listener) };
  numberForms(createNumbers({ start: 1, now: () => 0 }));
  const field = { value: "1" };
  const formOf = (found) => ({ target: { elements: { namedItem: () => found } } });
  act(formOf(field));
  act(formOf(field));
  assert.equal(field.value, 3);
  act(formOf(null));
  delete globalThis.document;
});
