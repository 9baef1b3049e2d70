import assert from "node:assert/strict";
import test from "node:test";

import { memoryStore } from "../../static/js/recorder/store.js";
import { refusal, createServer, openTab, storeWith } from "./recorded-tab.js";

test("a full log: the whole text arrives by submission", async () => {
  const server = createServer();
  const real = server.log;
  const whole = ({ events }) => events.every(({ type }) => type === "start" || type === "snapshot");
  const tab = openTab(server, memoryStore(), "t1");
  await tab.session.begin();
  tab.type("a");
  await tab.tick();
  server.log = (body) => (whole(body) ? real(body) : refusal("LogFull", 413));
  tab.type("b");
  for (let ticks = 0; ticks < 3; ticks += 1) await tab.tick();
  assert.equal(server.text(), "ab");
  const sent = server.requests.length;
  for (const letter of "cdefg") {
    tab.type(letter);
    tab.session.record("focus", {});
    await tab.tick();
  }
  assert.equal(server.requests.length, sent, "a whole text at every tick would soon fill the rest");
  assert.ok(!["elsewhere", "stopped"].includes(tab.state()));
  assert.equal(await tab.session.drained(), true);
  assert.equal(server.text(), "abcdefg");
  assert.equal(tab.state(), "saved");
});

test("a full log, then a crash: what was typed since the last whole text is kept, and what was undone is not", async () => {
  const server = createServer();
  const real = server.log;
  const store = memoryStore();
  const whole = ({ events }) => events.every(({ type }) => type === "start" || type === "snapshot");
  const first = openTab(server, store, "t1");
  await first.session.begin();
  server.log = (body) => (whole(body) ? real(body) : refusal("LogFull", 413));
  first.type("ab");
  for (let ticks = 0; ticks < 3; ticks += 1) await first.tick();
  first.type("c");
  await first.wait();
  await first.tick();
  assert.equal(server.text(), "ab");
  const second = openTab(server, storeWith(await store.kept("alice")), "t2");
  await second.session.begin();
  assert.equal(second.field.text, "abc");
  first.field.text = "ab";
  first.session.edit({ at: 2, deleted: 1, inserted: "" }, "deleteContentBackward");
  await first.wait();
  assert.deepEqual((await store.kept("alice")).chunks, []);
});

test("a log that takes nothing at all any more: it stops and says so", async () => {
  const server = createServer();
  const tab = openTab(server, memoryStore(), "t1");
  await tab.session.begin();
  tab.type("a");
  server.log = () => refusal("LogFull", 413);
  for (let ticks = 0; ticks < 8; ticks += 1) await tab.tick();
  assert.equal(tab.state(), "stopped");
  assert.equal(tab.session.backup().text, "a");
});
