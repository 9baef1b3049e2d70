import assert from "node:assert/strict";
import test from "node:test";

import { chunksOutbox } from "../../static/js/recorder/chunks-outbox.js";
import { outliving } from "../../static/js/recorder/outliving.js";
import { memoryStore } from "../../static/js/recorder/store.js";
import { rebuilt } from "../../static/js/recorder/text.js";
import { meaning } from "../../static/js/sender.js";
import { settled, refusal, createServer, openTab, slowlyAnew, refuseOnce, offered } from "./recorded-tab.js";

test("what is typed is on the server after a tick", async () => {
  const server = createServer();
  const tab = openTab(server, memoryStore(), "t1");
  await tab.session.begin();
  tab.type("Lamps");
  assert.equal(tab.state(), "saving");
  await tab.tick();
  assert.equal(server.text(), "Lamps");
  assert.equal(tab.state(), "saved");
  assert.deepEqual(server.events().map((each) => each.type), ["start", "edit"]);
  const before = server.requests.length;
  await tab.tick();
  assert.equal(server.requests.length, before, "nothing new, nothing sent");
});

test("offline for long: one growing chunk, all of it sent afterwards", async () => {
  const server = createServer();
  const tab = openTab(server, memoryStore(), "t1");
  await tab.session.begin();
  await tab.tick();
  server.offline = true;
  for (let n = 0; n < 300; n += 1) {
    tab.type("word ");
    await tab.session.tick();
  }
  await settled();
  assert.equal(tab.state(), "waiting");
  assert.ok(tab.session.stuck);
  assert.equal(tab.session.backup().text, tab.field.text);
  assert.equal(rebuilt("", tab.session.backup().chunks.flatMap((chunk) => chunk.events)), tab.field.text);
  server.offline = false;
  tab.session.pump();
  await settled();
  await tab.tick();
  assert.equal(server.text(), "word ".repeat(300));
  assert.ok(server.requests.length < 100);
  assert.equal(tab.state(), "saved");
});

test("an answer that got lost does no harm", async () => {
  const server = createServer();
  const tab = openTab(server, memoryStore(), "t1");
  await tab.session.begin();
  tab.type("a");
  server.script = ["lost"];
  await tab.tick();
  tab.type("b");
  await tab.wait();
  await tab.tick();
  assert.equal(server.text(), "ab");
});

test("a crash loses nothing that was kept on the device", async () => {
  const server = createServer();
  const store = memoryStore();
  const first = openTab(server, store, "t1");
  await first.session.begin();
  first.type("before ");
  await first.tick();
  first.type("the crash");
  await first.wait(); // the journal, half a second later; the chunk was never sent
  const second = openTab(server, store, "t2");
  await second.session.begin();
  assert.equal(second.field.text, "before the crash");
  assert.deepEqual(second.stranded, []);
  await second.tick();
  second.type("!");
  await second.tick();
  assert.equal(server.text(), "before the crash!");
  const seqs = server.events().map((each) => each.seq);
  assert.deepEqual(seqs, seqs.map((_, index) => index + 1));
  const times = server.events().map((each) => each.ms);
  assert.deepEqual(times, [...times].sort((a, b) => a - b));
  const { chunks } = await store.kept("alice");
  assert.deepEqual(chunks, []);
});

test("the older of two tabs stops, and can go on where the newer one is", async () => {
  const server = createServer();
  const store = memoryStore();
  const older = openTab(server, store, "t1");
  await older.session.begin();
  older.type("one ");
  await older.tick();
  const newer = openTab(server, store, "t2");
  await newer.session.begin();
  newer.type("two ");
  await newer.tick();
  older.type("lost? ");
  await older.tick();
  assert.equal(older.state(), "elsewhere");
  assert.equal(older.session.live, false);
  await older.session.begin();
  assert.equal(older.field.text, "one two ");
  assert.deepEqual(older.stranded, ["one lost? "]);
  older.type("three");
  await older.tick();
  assert.equal(server.text(), "one two three");
  await newer.session.drained();
  newer.session.record("focus", {});
  await newer.tick();
  assert.equal(newer.state(), "elsewhere");
});

test("a kept text that nobody has decided upon is offered again, above the next one", async () => {
  const server = createServer();
  const store = memoryStore();
  const tab = openTab(server, store, "t1");
  for (const text of ["first", "second"]) {
    await tab.session.begin();
    const phone = openTab(server, memoryStore(), "phone");
    await phone.session.begin();
    phone.type("on the phone ");
    await phone.tick();
    tab.type(text);
    await tab.tick();
    assert.equal(tab.state(), "elsewhere");
  }
  await tab.session.begin();
  assert.match(tab.stranded.at(-1), /^first\n\n.*second$/);
  await tab.session.begin();
  assert.match(tab.stranded.at(-1), /^first\n\n.*second$/, "once each");
  await tab.session.strandedDone();
  await tab.session.begin();
  assert.equal(tab.stranded.length, 3);
});

test("a chunk that is refused: it begins anew with the whole text", async () => {
  const server = createServer();
  const tab = openTab(server, memoryStore(), "t1");
  await tab.session.begin();
  tab.type("a");
  await tab.tick();
  tab.type("b");
  const real = server.log;
  server.log = () => refusal("NotEvents", 422);
  server.script = [];
  const broken = tab.tick();
  server.log = (body) => {
    server.log = real;
    return body.number === 2 ? refusal("NotEvents", 422) : real(body);
  };
  await broken;
  await tab.tick();
  tab.type("c");
  await tab.tick();
  assert.equal(server.text(), "abc");
  assert.ok(server.events().some((each) => each.type === "snapshot" || each.inserted === "b"));
});

test("all is sent only when a log that began anew is: the text is handed in whole", async () => {
  const server = createServer();
  const tab = openTab(slowlyAnew(server, 20), memoryStore(), "t1");
  await tab.session.begin();
  tab.type("a");
  await tab.tick();
  const real = server.log;
  server.log = () => {
    server.log = real;
    return refusal("NotEvents", 422);
  };
  tab.type("b");
  const drained = tab.session.drained();
  await settled();
  tab.type("c");
  tab.session.tick(); // in the middle of it
  assert.equal(await drained, true);
  assert.equal(server.text(), "abc");
  assert.equal(server.requests.filter(({ url }) => url === "here").length, 2, "one new beginning");
  assert.equal(tab.state(), "saved");
});

test("storage is full and another tab took over: what was typed offline comes back here, to go on with", async () => {
  const server = createServer();
  const full = async () => Promise.reject(new Error("full"));
  const inner = outliving({ ...memoryStore(), put: full, draft: full }, {});
  const quiet = async (written) => written.catch(() => {});
  const store = {
    ...inner,
    put: (...values) => quiet(inner.put(...values)),
    draft: (...values) => quiet(inner.draft(...values)),
  };
  const older = openTab(server, store, "t1");
  await older.session.begin();
  server.offline = true;
  older.type("typed offline");
  await older.tick();
  server.offline = false;
  await openTab(server, memoryStore(), "t2").session.begin();
  await older.wait();
  assert.equal(older.state(), "elsewhere");
  await older.session.begin();
  assert.deepEqual([older.field.text, ...older.stranded].filter(Boolean), ["typed offline"]);
  await older.tick();
  assert.equal(server.text(), "typed offline");
});

for (const name of ["NotEvents", "LogFull"]) {
  test(`${name}, then no network, then a crash: what was typed meanwhile is kept on the device`, async () => {
    const server = createServer();
    const store = memoryStore();
    const first = openTab(server, store, "t1");
    await first.session.begin();
    const real = server.log;
    server.log = () => {
      Object.assign(server, { log: real, offline: true });
      return refusal(name, 422);
    };
    first.type("a");
    await first.tick();
    first.type("b");
    first.type("c");
    await first.wait();
    server.offline = false;
    const second = openTab(server, store, "t2");
    await second.session.begin();
    assert.equal(second.field.text, "abc");
    await second.tick();
    assert.equal(server.text(), "abc");
  });
}

for (const comes of [false, true]) {
  test(`a crash while a log begins anew, its write ${comes ? "done" : "lost"}: the text is there`, async () => {
    const server = createServer();
    const inner = memoryStore();
    let isDead = false;
    const store = { ...inner };
    for (const name of ["put", "drop", "draft"]) {
      store[name] = (...values) => (isDead ? new Promise(() => {}) : inner[name](...values));
    }
    store.replace = async (...values) => {
      isDead = true;
      if (comes) await inner.replace(...values);
    };
    const first = openTab(server, store, "t1");
    await first.session.begin();
    await first.tick();
    refuseOnce(server, 2);
    first.type("abc");
    await first.wait();
    await first.tick(); // nothing of the new log is sent before the next one
    await first.wait();
    assert.ok(isDead);
    const second = openTab(server, inner, "t2");
    await second.session.begin();
    assert.ok(offered(second).includes("abc"));
  });
}

test("another tab opens while a log begins anew: what this one kept is offered there", async () => {
  const server = createServer();
  const store = memoryStore();
  const older = openTab(slowlyAnew(server, 20), store, "t1");
  await older.session.begin();
  await older.tick();
  refuseOnce(server, 2);
  older.type("abc");
  await older.tick();
  older.session.yield("Open elsewhere.");
  await new Promise((resolve) => setTimeout(resolve, 30));
  const newer = openTab(server, store, "t2");
  await newer.session.begin();
  assert.ok(offered(newer).includes("abc"));
});

test("the server says that it is open elsewhere: the last words are kept for a reload", async () => {
  const server = createServer();
  const store = memoryStore();
  const first = openTab(server, store, "t1");
  await first.session.begin();
  first.type("one ");
  await first.tick();
  await first.wait();
  const phone = openTab(server, memoryStore(), "phone");
  await phone.session.begin();
  phone.type("two ");
  await phone.tick();
  first.type("x");
  first.session.tick();
  first.type("yz"); // while the request is under way; the journal would be half a second later
  await settled();
  assert.equal(first.state(), "elsewhere");
  const again = openTab(server, store, "t1");
  await again.session.begin();
  assert.deepEqual(offered(again), ["one two ", "one xyz"]);
});

test("a crash after a paste that fills a chunk by itself loses nothing that was kept", async () => {
  const server = createServer();
  const store = memoryStore();
  const first = openTab(server, store, "t1");
  await first.session.begin();
  first.type("a");
  await first.tick();
  first.type("p".repeat(100_000));
  await first.wait();
  const backup = first.session.backup();
  assert.equal(rebuilt("a", backup.chunks.flatMap((chunk) => chunk.events)), backup.text);
  const second = openTab(server, store, "t2");
  await second.session.begin();
  assert.equal(second.field.text.length, 100_001);
});

test("who waits for a log that begins anew is told that nothing can be sent any more", async () => {
  const server = createServer();
  const tab = openTab(server, memoryStore(), "t1");
  await tab.session.begin();
  tab.type("a");
  server.log = () => refusal("NotEvents", 422);
  server.here = () => refusal("NotLive", 410);
  assert.equal(await tab.session.drained(), false);
});

test("a chunk that nobody has any more: it asks to go on behind the gap, once, with the whole text", async () => {
  const server = createServer();
  const tab = openTab(server, memoryStore(), "t1");
  await tab.session.begin();
  tab.type("a");
  await tab.tick();
  tab.type("b");
  server.forget(1);
  await tab.tick();
  await tab.tick();
  const asked = server.requests.filter(({ url }) => url === "here").map(({ body }) => ({ tab: body.tab, anew: body.anew }));
  assert.deepEqual(asked, [{ tab: "t1", anew: false }, { tab: "t1", anew: true }]);
  const [started, snapshot] = server.events().slice(-2);
  assert.deepEqual([started.type, snapshot.type, snapshot.text], ["start", "snapshot", "ab"]);
  tab.type("c");
  await tab.tick();
  const behind = server.events().slice(server.events().findIndex((each) => each.type === "start"));
  assert.equal(rebuilt("", behind), "abc");
  assert.equal(server.requests.filter(({ url }) => url === "here").length, 2, "told once is enough");
  assert.equal(tab.state(), "saved");
});

test("a text that changed behind the recorder's back becomes a snapshot", async () => {
  const server = createServer();
  const tab = openTab(server, memoryStore(), "t1");
  await tab.session.begin();
  tab.type("teh");
  tab.field.text = "the";
  await tab.tick();
  assert.equal(server.text(), "the");
});

test("work that is closed stops it", async () => {
  const server = createServer();
  const tab = openTab(server, memoryStore(), "t1");
  await tab.session.begin();
  tab.type("a");
  server.script = [refusal("NotLive", 410)];
  await tab.tick();
  assert.deepEqual(tab.states.at(-1), ["stopped", "NotLive."]);
  assert.equal(await tab.session.drained(), false);
});

test("a page that goes sends all of it", async () => {
  const server = createServer();
  const tab = openTab(server, memoryStore(), "t1");
  await tab.session.begin();
  tab.type("last words");
  tab.session.leave();
  await settled();
  assert.equal(server.text(), "last words");
});

test("a chunk that was lost for good is told once, and what the page still has is waited for", () => {
  const told = [];
  const outbox = chunksOutbox({ acknowledged() {}, refused: (sentence) => told.push(sentence) });
  outbox.put({ number: 2, events: [] });
  outbox.heard({ missing: [2] });
  assert.deepEqual(told, []);
  outbox.heard({ missing: [1, 2] });
  outbox.heard({ missing: [1, 2] });
  assert.deepEqual(told, ["Part of the recording is missing."]);
});

test("a chunk that came while the answer that misses it was on the way is not lost", () => {
  const told = [];
  const outbox = chunksOutbox({ acknowledged() {}, refused: (sentence) => told.push(sentence) });
  const [first, second] = [2, 3].map((number) => ({ number, events: [] }));
  outbox.put(first);
  outbox.put(second);
  assert.equal(outbox.next(), first);
  outbox.settle(second);
  outbox.settle(first);
  outbox.heard({ missing: [3] });
  assert.deepEqual(told, []);
  outbox.next();
  outbox.heard({ missing: [3] });
  assert.deepEqual(told, ["Part of the recording is missing."], "asked since, it is still missing");
});

test("what the server says of a chunk", () => {
  const { isToBlame } = chunksOutbox({});
  assert.equal(meaning({ status: 200, body: { missing: [], number: 2 } }, isToBlame), "done");
  assert.equal(meaning(refusal("NotEvents", 422), isToBlame), "refused");
  assert.equal(meaning(refusal("NotLive", 410), isToBlame), "stopped");
});
