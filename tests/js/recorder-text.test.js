import assert from "node:assert/strict";
import test from "node:test";

import { createClipboard } from "../../static/js/recorder/clipboard.js";
import {
  asField, difference, edited, pieces, rebuilt, spaced, splitsPair, wellFormed,
} from "../../static/js/recorder/text.js";

/** Numbers between 0 and 1, the same for the same seed (mulberry32). */
function randomFrom(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const at = (position) => [position, position];
const change = (old, now, before, after) => difference(old, now, { before, after });

test("typing at the caret is an insertion there, also among the same letters", () => {
  assert.deepEqual(change("aaa", "aaaa", at(1), at(2)), { at: 1, deleted: 0, inserted: "a" });
  assert.deepEqual(change("", "h", at(0), at(1)), { at: 0, deleted: 0, inserted: "h" });
});

test("of equal letters the one at the caret was deleted", () => {
  assert.deepEqual(change("aaa", "aa", at(1), at(0)), { at: 0, deleted: 1, inserted: "" });
  assert.deepEqual(change("aaa", "aa", at(1), at(1)), { at: 1, deleted: 1, inserted: "" });
});

test("a selection that is typed over is replaced as a whole", () => {
  assert.deepEqual(change("x abc y", "x a y", [2, 5], at(3)), { at: 2, deleted: 3, inserted: "a" });
});

test("an undo somewhere else is found where it happened", () => {
  assert.deepEqual(change("one two three", "one 2 three", undefined, at(5)), {
    at: 4, deleted: 3, inserted: "2",
  });
  assert.deepEqual(change("aaa", "aaaaa", undefined, at(3)), { at: 1, deleted: 0, inserted: "aa" });
});

test("a surrogate pair is never cut", () => {
  assert.deepEqual(change("😀", "😁", undefined, at(2)), { at: 0, deleted: 2, inserted: "😁" });
  assert.deepEqual(change("a😀", "a", at(3), at(1)), { at: 1, deleted: 2, inserted: "" });
  assert.ok(splitsPair("a😀", 2));
});

test("a combining character is an insertion of its own", () => {
  assert.deepEqual(change("e", "e\u0301", at(1), at(2)), { at: 1, deleted: 0, inserted: "\u0301" });
});

test("an edit outside the text is said to be broken", () => {
  assert.throws(() => edited("ab", { at: 1, deleted: 2, inserted: "" }), RangeError);
});

test("any two texts, with any carets: the edit makes one of the other", () => {
  const random = randomFrom(7);
  const alphabet = ["a", "a", "b", " ", "\n", "é", "e\u0301", "😀", "😁", "👩‍👩‍👧", "漢"];
  const some = (n) => Array.from({ length: random() * n }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
  const place = (text) => Math.floor(random() * (text.length + 3));
  for (let n = 0; n < 20_000; n += 1) {
    const old = some(8);
    const now = random() < 0.5 ? some(8) : old.slice(0, place(old)) + some(3) + old.slice(place(old));
    const carets = [undefined, [place(old), place(old)].sort((a, b) => a - b)];
    const after = [place(now), place(now)].sort((a, b) => a - b);
    for (const before of carets) {
      const edit = difference(old, now, { before, after });
      if (!edit) assert.equal(old, now);
      else {
        assert.equal(edited(old, edit), now);
        assert.ok(!splitsPair(old, edit.at) && !splitsPair(old, edit.at + edit.deleted));
      }
    }
  }
});

test("a large edit in pieces makes the same text", () => {
  const edit = { at: 2, deleted: 3, inserted: "😀x".repeat(50) };
  const parts = pieces(edit, 7);
  assert.ok(parts.every(({ inserted }) => inserted.length <= 7 && wellFormed(inserted) === inserted));
  const events = parts.map((part) => ({ type: "edit", ...part }));
  assert.equal(rebuilt("0123456789", events), edited("0123456789", edit));
  assert.deepEqual(pieces({ at: 1, deleted: 2, inserted: "" }, 7), [{ at: 1, deleted: 2, inserted: "" }]);
});

test("what no server takes is replaced by something of the same length", () => {
  assert.equal(wellFormed("a\0\ud83d😀\ude00"), "a\ufffd\ufffd😀\ufffd");
  assert.equal(asField("a\r\nb\rc\n"), "a\nb\nc\n");
});

test("pasted text is from a passage, one's own, or from outside", () => {
  const clipboard = createClipboard([{ number: 4, text: "Lamps  were lit\nby gas for decades." }]);
  assert.deepEqual(clipboard.originOf("were lit by gas for"), { source: "passage", passage: 4 });
  assert.deepEqual(clipboard.originOf("gas"), { source: "outside" });
  clipboard.remember("gas", { source: "passage", passage: 4 });
  assert.deepEqual(clipboard.originOf(" gas\r\n"), { source: "passage", passage: 4 });
  clipboard.remember("my words", { source: "own" });
  assert.deepEqual(clipboard.originOf("my words"), { source: "own" });
  assert.deepEqual(clipboard.originOf(""), { source: "outside" });
});

test("a piece gets a space only where it would touch a word or a mark", () => {
  assert.equal(spaced("Gas was first", "[1]", 13), " [1]");
  assert.equal(spaced("Gas was first ", "[1]", 14), "[1]");
  assert.equal(spaced("", "[1]", 0), "[1]");
  assert.equal(spaced("First [1]", "[2]", 9), "[2]");
  assert.equal(spaced("Gas was first.", "[1]", 13), " [1]");
  assert.equal(spaced("Gaswas", "[1]", 3), " [1] ");
  assert.equal(spaced("Gas burns here", "lamps", 9), " lamps");
  assert.equal(spaced("Gas here", "lamps", 4), "lamps ");
  assert.equal(spaced("Gas old here", "[1]", 4, 7), "[1]");
  assert.equal(spaced("(see)", "lamps", 1), "lamps ");
  assert.equal(spaced("ガスは", "[1]", 3), "[1]");
});
