/** A server of recordings and browser tabs that write to it, for tests. */
import { createNumbers } from "../../static/js/numbers.js";
import { createSession } from "../../static/js/recorder/session.js";
import { memoryStore } from "../../static/js/recorder/store.js";
import { rebuilt } from "../../static/js/recorder/text.js";

export const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
export const refusal = (name, status = 409) => ({ status, body: { refusal: name, sentence: `${name}.` } });

/** A server that keeps chunks as the real one does: once each, for the tab that is here. */
export function createServer() {
  const chunks = new Map();
  let tab = "";
  const events = () => [...chunks.keys()].sort((a, b) => a - b).flatMap((n) => chunks.get(n));
  const next = () => Math.max(0, ...chunks.keys()) + 1;
  const missing = () => Array.from({ length: next() - 1 }, (_, n) => n + 1).filter((n) => !chunks.has(n));
  const server = {
    script: [],
    forget: (number) => chunks.delete(number),
    requests: [],
    events,
    text: () => rebuilt("", events()),
    async post(url, body) {
      server.requests.push({ url, body });
      const scripted = server.script.shift();
      if (scripted === "offline" || server.offline) throw new TypeError("Failed to fetch");
      const answer = url === "here" ? server.here(body) : server.log(body);
      if (scripted === "lost") throw new TypeError("Failed to fetch");
      return scripted ?? answer;
    },
    here(body) {
      tab = body.tab;
      const text = body.anew ? "" : server.text(); // empty after a gap
      const seq = (events().at(-1)?.seq ?? 0) + 1;
      return { status: 200, body: { here: true, number: next(), seq, text } };
    },
    log({ tab: from, number, events: sent }) {
      if (from !== tab) return refusal("OtherTab");
      const known = chunks.get(number);
      if (known && JSON.stringify(known) !== JSON.stringify(sent)) return refusal("DifferentChunk");
      if (!known) chunks.set(number, structuredClone(sent));
      return { status: 200, body: { missing: missing(), number: next() } };
    },
  };
  return server;
}

/** A browser tab: a field that is typed into, and timers that run when told. */
export function openTab(server, store, name) {
  const seen = { states: [], stranded: [] };
  const field = { text: "", caret: 0 };
  let timers = [];
  const session = createSession({
    token: "alice",
    tab: name,
    numbers: createNumbers({ start: 1 }),
    agent: "node",
    store,
    urls: { here: "here", log: "log" },
    post: server.post,
    later(run, seconds) {
      const timer = { run, seconds };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    now: () => performance.now(),
    wall: () => Date.now(),
    page: {
      report: (state, sentence) => seen.states.push([state, sentence]),
      show: (text, caret) => Object.assign(field, { text, caret }),
      stranded: (text) => seen.stranded.push(text),
      field: () => field,
    },
  });
  return {
    ...seen,
    session,
    field,
    state: () => seen.states.at(-1)?.[0],
    type(text) {
      session.edit({ at: field.text.length, deleted: 0, inserted: text }, "insertText");
      field.text += text;
      field.caret = field.text.length;
    },
    async wait() {
      const due = timers;
      timers = [];
      for (const timer of due) timer.run();
      await settled();
    },
    async tick() {
      session.tick();
      await settled();
    },
  };
}

/** The same server, with a delayed response to a new session. */
export function slowlyAnew(server, wait) {
  return {
    post: async (url, body) => {
      const answer = await server.post(url, body);
      if (body.anew) await new Promise((resolve) => setTimeout(resolve, wait));
      return answer;
    },
  };
}

/** The server refuses the next chunk with this number, once. */
export function refuseOnce(server, number) {
  const real = server.log;
  server.log = (body) => {
    if (body.number !== number) return real(body);
    server.log = real;
    return refusal("NotEvents", 422);
  };
}

/** What a page finds that opens where another one has ended. */
export function storeWith({ chunks, drafts }) {
  const store = memoryStore();
  for (const { token, tab, ...chunk } of chunks) store.put(token, tab, chunk);
  for (const { token, tab, ...draft } of drafts) store.draft(token, tab, draft);
  return store;
}

export const offered = ({ field, stranded }) => [field.text, ...stranded];
