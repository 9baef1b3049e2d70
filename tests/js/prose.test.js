// The guard of words: what it finds, what it leaves alone, and a list that only shrinks.
import assert from "node:assert/strict";
import { test } from "node:test";

import { differences, lowered } from "../prose/baseline.js";
import { ruledOut } from "../prose/rule.js";

const found = (text) => ruledOut(text).map(({ words }) => words);

for (const [text, words] of [
  ["Nobody sees it.", ["Nobody"]],
  ["Whoever needs longer", ["Whoever"]],
  ["Models are held against them.", ["held against"]],
  ["It tells the two texts apart.", ["tells the two texts apart"]],
  ["The number stands there.", ["stands"]],
  ["Please hand your work in.", ["hand your work in"]],
  ["You are logged in.", ["logged in"]],
  ["Bring it back.", ["Bring it back"]],
  ["A 95 % interval", ["95 %"]],
  ["You can pause, too.", ["pause, too"]],
  ["Who needs longer loses the place.", ["Who needs longer loses the place."]],
  ["Saved. What was not taken up goes.", ["What was not taken up goes."]],
  ["Merits of texts", ["Merits"]],
]) {
  test(`“${text}” is ruled out`, () => assert.deepEqual(found(text), words));
}

for (const text of [
  "What do you want to know?",
  "Who wins? Read the first table.",
  "Choose what you want to compare.",
  "95% CI 0.20 to 0.45",
  "alpha stands for agreement, a standard outcome",
  "stand-alone and besides",
  "Sign in and submit your work.",
  "the null hypothesis",
  "meritorious",
  "in the catalogue in use",
]) {
  test(`“${text}” is left alone`, () => assert.deepEqual(found(text), []));
}

test("a file with more faults than allowed, and a clean one that is listed, are named", () => {
  const wrong = differences({ a: 2, b: 2, c: 2, d: 1 }, { a: 3, b: 2, c: 1, e: 1 });
  assert.deepEqual(wrong.map(({ name }) => name), ["a", "d", "e"]);
});

test("the list never grows", () => {
  assert.deepEqual(lowered({ a: 2, b: 2, d: 1 }, { a: 3, b: 1, e: 1 }), { a: 2, b: 1 });
});
