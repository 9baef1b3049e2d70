import assert from "node:assert/strict";
import test from "node:test";

import { readFile } from "node:fs/promises";

import { fileOf } from "../../static/js/writing-backup.js";
import { citationsOf, countWords, lengthOf } from "../../static/js/writing-words.js";

test("a writer's words are counted as the server counts them", async () => {
  const cases = JSON.parse(await readFile(new URL("../words.json", import.meta.url), "utf8"));
  for (const [text, count] of cases) assert.equal(countWords(text), count, JSON.stringify(text));
});

test("citations are found as the server finds them", () => {
  assert.deepEqual(citationsOf("a [0][12] b [ 2 , 5 ]").map((each) => each.numbers), [[0], [12], [2, 5]]);
  assert.deepEqual(citationsOf("[Winter, 1997] [...] [3.4] [5,] [1234567890]"), []);
  const [citation] = citationsOf("see [3]");
  assert.deepEqual([citation.start, citation.end, citation.words], [4, 7, "[3]"]);
});

test("the length is said kindly", () => {
  const range = { low: 200, target: 250, high: 300 };
  assert.equal(lengthOf(0, range).place, "below");
  assert.equal(lengthOf(200, range).place, "in");
  assert.equal(lengthOf(301, range).place, "above");
  assert.match(lengthOf(199, range).words, /200 to 300/);
});

test("a backup can be read by a program", () => {
  const content = { token: "alice", text: "a", chunks: [{ number: 1, events: [] }] };
  assert.deepEqual(JSON.parse(fileOf(content)), {
    format: "crowdwright-writing-backup", version: 1, ...content,
  });
});
