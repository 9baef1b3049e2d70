import assert from "node:assert/strict";
import test from "node:test";

import { createLog } from "../../static/js/recorder/log.js";
import { resumed } from "../../static/js/recorder/resume.js";
import { rebuilt } from "../../static/js/recorder/text.js";
import { createTime } from "../../static/js/recorder/time.js";

const logOf = (options = {}) => createLog({ number: 1, seq: 1, text: "", time: () => 0, ...options });
const edit = (seq, at, inserted, deleted = 0) => ({ seq, ms: seq, type: "edit", at, deleted, inserted });

test("events and chunks are numbered without gaps", () => {
  const log = logOf({ number: 3, seq: 9 });
  log.add("focus");
  log.edit({ at: 0, deleted: 0, inserted: "a" }, "insertText");
  assert.deepEqual(log.take({ all: false }), []);
  const [first] = log.take({ all: true });
  log.add("blur");
  const [second] = log.take({ all: true });
  assert.deepEqual([first.number, second.number], [3, 4]);
  assert.deepEqual([...first.events, ...second.events].map((each) => each.seq), [9, 10, 11]);
  assert.deepEqual(first.events[1], {
    seq: 10, ms: 0, type: "edit", at: 0, deleted: 0, inserted: "a", input: "insertText",
  });
  assert.deepEqual(log.take({ all: true }), []);
});

test("a paste of a whole book fits into chunks that can be sent", () => {
  const log = logOf();
  log.edit({ at: 0, deleted: 0, inserted: "😀 word\n".repeat(40_000) }, "insertFromPaste");
  const chunks = log.take({ all: true });
  for (const chunk of chunks) assert.ok(Buffer.byteLength(JSON.stringify(chunk)) < 800_000);
  assert.equal(rebuilt("", chunks.flatMap((chunk) => chunk.events)), log.text);
});

test("a refused edit records nothing", () => {
  const log = logOf({ text: "ab" });
  assert.throws(() => log.edit({ at: 5, deleted: 0, inserted: "x" }, ""));
  assert.equal(log.open, null);
});

test("a snapshot is the whole text", () => {
  const log = logOf({ text: "ab" });
  log.snapshot("abc");
  assert.equal(log.text, "abc");
  assert.equal(rebuilt("ab", log.open.events), "abc");
});

test("time goes on over a reload and never back", () => {
  let clock = 500;
  const now = () => clock;
  const time = createTime({ now, last: 8000, since: 2000 });
  assert.equal(time(), 10_000);
  clock = 750.4;
  assert.equal(time(), 10_250);
  clock = 600; // it should not, but if it does
  assert.equal(time(), 10_250);
  assert.equal(createTime({ now, last: 8000, since: -3_600_000 })(), 8000);
  assert.equal(createTime({ now, last: 8000, since: NaN })(), 8000);
  assert.equal(createTime({ now, last: 8000, since: 1e15 })(), 2 ** 31 - 1);
});

test("kept chunks that follow on the server's log continue it", () => {
  const server = { number: 2, seq: 3, text: "ab" };
  const chunks = [
    { tab: "old", number: 3, events: [edit(4, 3, "d")] },
    { tab: "old", number: 1, events: [edit(1, 0, "ab"), { seq: 2, ms: 2, type: "blur" }] },
    { tab: "old", number: 2, events: [edit(3, 2, "c")] },
  ];
  const drafts = [{ tab: "old", text: "abcd", ms: 70, at: 1000, caret: 2 }];
  const way = resumed(server, { chunks, drafts });
  assert.deepEqual([way.text, way.number, way.seq, way.caret, way.ms], ["abcd", 4, 5, 2, 70]);
  assert.deepEqual(way.chunks.map((chunk) => chunk.number), [2, 3]);
  assert.equal(way.stranded, "");
});

test("what another device went past is offered, not mixed in", () => {
  const server = { number: 5, seq: 40, text: "written on the phone" };
  const chunks = [{ tab: "old", number: 4, events: [edit(31, 0, "x")] }];
  const drafts = [{ tab: "old", text: "written at the desk", ms: 70, at: 1000, caret: 2 }];
  const way = resumed(server, { chunks, drafts });
  assert.deepEqual([way.text, way.number, way.seq, way.chunks], [server.text, 5, 40, []]);
  assert.equal(way.stranded, "written at the desk");
  const later = resumed(server, { chunks: [], drafts: [{ tab: "stranded", text: way.stranded, ms: 0, at: 0, caret: 0 }] });
  assert.equal(later.stranded, way.stranded, "until it is dealt with");
});

test("a gap, or an edit of another text, continues nothing", () => {
  const server = { number: 2, seq: 3, text: "ab" };
  const from = (...chunks) => resumed(server, { chunks, drafts: [] });
  assert.equal(from({ tab: "t", number: 3, events: [edit(3, 0, "x")] }).text, "ab");
  assert.equal(from({ tab: "t", number: 2, events: [edit(4, 0, "x")] }).text, "ab");
  assert.equal(from({ tab: "t", number: 2, events: [edit(3, 9, "x")] }).text, "ab");
});

test("of two tabs that both follow, the one that wrote last continues", () => {
  const server = { number: 1, seq: 1, text: "" };
  const chunks = [
    { tab: "a", number: 1, events: [edit(1, 0, "first")] },
    { tab: "b", number: 1, events: [edit(1, 0, "second")] },
  ];
  const drafts = [
    { tab: "a", text: "first", ms: 1, at: 10, caret: 5 },
    { tab: "b", text: "second", ms: 1, at: 20, caret: 6 },
  ];
  const way = resumed(server, { chunks, drafts });
  assert.deepEqual([way.text, way.stranded], ["second", "first"]);
});
