// The recorder on a field that behaves as a browser's <textarea> does.

import assert from "node:assert/strict";
import test from "node:test";

import { createClipboard } from "../../static/js/recorder/clipboard.js";
import { createLog } from "../../static/js/recorder/log.js";
import { createRecorder } from "../../static/js/recorder/recorder.js";
import { rebuilt } from "../../static/js/recorder/text.js";

class Field extends EventTarget {
  value = "";
  selectionStart = 0;
  selectionEnd = 0;
  undone = [];

  setSelectionRange(start, end) {
    this.selectionStart = start;
    this.selectionEnd = end;
  }

  setRangeText(text, start, end) {
    this.value = this.value.slice(0, start) + text + this.value.slice(end);
    this.setSelectionRange(start + text.length, start + text.length);
  }

  focus() {}

  fire(type, fields = {}) {
    this.dispatchEvent(Object.assign(new Event(type), fields));
  }

  /** An input of the browser: the range is replaced, then the caret stands behind. */
  input(inputType, text, start = this.selectionStart, end = this.selectionEnd, fields = {}) {
    this.fire("beforeinput", { inputType, ...fields });
    this.undone.push([this.value, this.selectionStart, this.selectionEnd]);
    this.setRangeText(text, start, end);
    this.fire("input", { inputType });
  }

  undo() {
    const [value, start, end] = this.undone.pop() ?? [this.value, 0, 0];
    this.fire("beforeinput", { inputType: "historyUndo" });
    this.value = value;
    this.setSelectionRange(start, end);
    this.fire("input", { inputType: "historyUndo" });
  }
}

const data = (text) => ({ getData: () => text });

function setUp() {
  const field = new Field();
  globalThis.document = Object.assign(new EventTarget(), { execCommand: () => false, activeElement: field });
  const log = createLog({ number: 1, seq: 1, text: "", time: () => 0 });
  const session = {
    record: log.add,
    edit: log.edit,
    get text() {
      return log.text;
    },
  };
  const clipboard = createClipboard([{ number: 2, text: "The lamps of the city were lit by gas." }]);
  const recorder = createRecorder(field, session, clipboard);
  const events = () => log.open?.events ?? [];
  const plain = ({ seq: _seq, ms: _ms, ...event }) => event;
  return { field, recorder, log, events, last: (n) => events().slice(-n).map(plain) };
}

test("typing, replacing a selection and deleting", () => {
  const { field, last } = setUp();
  field.input("insertText", "a");
  field.input("insertText", "a");
  field.input("insertText", "a");
  field.setSelectionRange(1, 1);
  field.input("deleteContentBackward", "", 0, 1);
  assert.deepEqual(last(2), [
    { type: "select", start: 1, end: 1 },
    { type: "edit", at: 0, deleted: 1, inserted: "", input: "deleteContentBackward" },
  ]);
  field.setSelectionRange(0, 2);
  field.input("insertText", "a");
  assert.deepEqual(last(1)[0], { type: "edit", at: 0, deleted: 2, inserted: "a", input: "insertText" });
});

test("a paste says where it comes from, and CRLF counts as one", () => {
  const { field, last } = setUp();
  field.fire("paste", { clipboardData: data("lamps of the\r\ncity were") });
  field.input("insertFromPaste", "lamps of the\ncity were");
  assert.deepEqual(last(2)[0], { type: "paste", at: 0, length: 22, source: "passage", passage: 2 });
  assert.equal(last(1)[0].inserted, "lamps of the\ncity were");
  field.fire("paste", { clipboardData: data("from elsewhere") });
  field.input("insertFromPaste", "from elsewhere");
  assert.deepEqual(last(2)[0], { type: "paste", at: 22, length: 14, source: "outside" });
});

test("cut and paste back is own text", () => {
  const { field, last } = setUp();
  field.input("insertText", "one two");
  field.setSelectionRange(0, 4);
  field.fire("cut");
  field.input("deleteByCut", "");
  assert.deepEqual(last(3).map((each) => each.type), ["select", "cut", "edit"]);
  field.fire("paste", { clipboardData: data("one ") });
  assert.equal(last(1)[0].source, "own");
});

test("a drop stands where the text appears", () => {
  const { field, last } = setUp();
  field.input("insertText", "one two");
  field.fire("drop", { dataTransfer: data("three ") });
  field.input("insertFromDrop", "three ", 4, 4);
  assert.deepEqual(last(2), [
    { type: "drop", at: 4, length: 6, source: "outside" },
    { type: "edit", at: 4, deleted: 0, inserted: "three ", input: "insertFromDrop" },
  ]);
});

test("an input method composes, and changes what it composed", () => {
  const { field, log, events } = setUp();
  for (const text of ["k", "か", "かn", "かん", "漢"]) {
    field.input("insertCompositionText", text, 0, field.value.length);
  }
  assert.equal(log.text, "漢");
  assert.equal(rebuilt("", events()), "漢");
});

test("an emoji that comes in halves is one edit", () => {
  const { field, last } = setUp();
  field.input("insertText", "a");
  field.input("insertText", "\ud83d");
  field.input("insertText", "\ude00");
  assert.deepEqual(last(1)[0], { type: "edit", at: 1, deleted: 0, inserted: "😀", input: "insertText" });
  const { recorder } = setUp();
  recorder.repair(); // nothing to do there
});

test("an emoji whose halves come before and after a tick is whole", () => {
  const { field, recorder, log } = setUp();
  field.input("insertText", "\ud83d");
  recorder.repair({ waits: true });
  field.input("insertText", "\ude00");
  assert.deepEqual([field.value, log.text], ["😀", "😀"]);
  field.input("insertText", "\ud83d");
  recorder.repair({ waits: true });
  recorder.repair({ waits: true });
  assert.deepEqual([field.value, log.text], ["😀\ufffd", "😀\ufffd"], "nothing came");
  field.input("insertText", "\ud83d");
  recorder.repair(); // it is handed in
  assert.equal(field.value, "😀\ufffd\ufffd");
});

test("a NUL never reaches the log", () => {
  const { field, log } = setUp();
  field.input("insertFromPaste", "a\0b");
  assert.equal(field.value, "a\ufffdb");
  assert.equal(log.text, "a\ufffdb");
});

test("a citation is put at the caret and recorded as ours", () => {
  const { field, recorder, last } = setUp();
  field.input("insertText", "Gas [1].");
  field.setSelectionRange(3, 3);
  recorder.insert("[2]");
  assert.equal(field.value, "Gas[2] [1].");
  assert.deepEqual(last(1)[0], { type: "edit", at: 3, deleted: 0, inserted: "[2]", input: "insertCitation" });
});

test("whatever is done to the field, the log rebuilds it to the letter", () => {
  let seed = 11;
  const random = (n) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * n);
  };
  const words = ["a", "aa", " ", "\n", "é", "e\u0301", "😀", "👩‍👩‍👧", "漢字", "[3]"];
  const kinds = [
    "insertText", "insertFromPaste", "insertFromDrop", "insertReplacementText", "historyRedo",
    "insertCompositionText", "deleteContentBackward", "deleteByDrag", "deleteWordForward", "", "strange",
  ];
  // Browsers delete and select whole pairs.
  const place = (text) => {
    const position = random(text.length + 1);
    return /^[\udc00-\udfff]/.test(text.slice(position)) ? position - 1 : position;
  };
  for (let round = 0; round < 60; round += 1) {
    const { field, recorder, log, events } = setUp();
    for (let step = 0; step < 150; step += 1) {
      const [start, end] = [place(field.value), place(field.value)].sort((a, b) => a - b);
      const type = kinds[random(kinds.length)];
      const text = type.startsWith("delete") ? "" : words[random(words.length)].repeat(1 + random(3));
      if (random(4)) field.setSelectionRange(start, random(3) ? start : end);
      const choice = random(12);
      if (choice === 0) field.undo();
      else if (choice === 1) recorder.insert(`[${random(20)}]`);
      else if (random(3)) field.input(type, text);
      else field.input(type, text, start, end); // not where the caret is
      assert.equal(log.text, field.value);
    }
    assert.equal(rebuilt("", events()), field.value);
  }
});

test("what is dropped between two words gets spaces, each an edit of its own", async () => {
  const { field, last, log } = setUp();
  field.input("insertText", "Gasburns");
  field.fire("drop", { dataTransfer: data("lamp light") });
  field.input("insertFromDrop", "lamp light", 3, 3);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(field.value, "Gas lamp light burns");
  assert.equal(log.text, field.value);
  assert.deepEqual(last(9).filter(({ type }) => type === "edit").map(({ input, inserted }) => [input, inserted]), [
    ["insertText", "Gasburns"],
    ["insertFromDrop", "lamp light"],
    ["insertSpace", " "],
    ["insertSpace", " "],
  ]);
});

test("a composition is recorded by what changes, and its selections are not the writer's", () => {
  const { field, events } = setUp();
  field.input("insertText", "a ");
  field.fire("compositionstart");
  for (const text of ["L", "La", "Lam", "Lamp"]) {
    field.setSelectionRange(2, field.value.length);
    field.input("insertCompositionText", text);
  }
  field.setSelectionRange(2, 6);
  field.input("deleteContentBackward", "Lam"); // a phone's backspace keeps the composition
  field.fire("compositionend");
  const edits = events().filter(({ type }) => type === "edit").slice(1);
  assert.deepEqual(edits.map(({ at, deleted, inserted }) => [at, deleted, inserted]), [
    [2, 0, "L"], [3, 0, "a"], [4, 0, "m"], [5, 0, "p"], [5, 1, ""],
  ]);
  assert.ok(!events().some(({ type }) => type === "select"));
});
