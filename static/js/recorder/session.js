// One writer at one text: the log, what is kept of it, and what is sent. No page here.

import { createSender } from "../sender.js";
import { chunksOutbox } from "./chunks-outbox.js";
import { createLog, VERSION } from "./log.js";
import { resumed } from "./resume.js";
import { adopt } from "./store.js";
import { createTime } from "./time.js";

const JOURNAL = 0.5; // seconds until an event is kept on the device
const ANEW = 3; // times a refused log may begin again before a person has to look at it
const SPARSE = 30_000; // ms between two texts, once the log takes nothing else
const STRANDED = "stranded"; // the name under which a text without a future is kept

/**
 * @param {object} options
 * @param {string} options.token
 * @param {string} options.tab
 * @param {ReturnType<import("../numbers.js").createNumbers>} options.numbers
 * @param {string} options.agent
 * @param {Awaited<ReturnType<import("./store.js").openStore>>} options.store
 * @param {{here: string, log: string, turn: string}} options.urls
 * @param {(url: string, body: object) => Promise<{status: number, body: any}>} options.post
 * @param {(run: () => void, seconds: number) => () => void} options.later
 * @param {() => number} options.now  milliseconds that never go back; `wall`: those since 1970
 * @param {object} options.page
 * @param {(state: string, sentence: string) => void} options.page.report  the state is saved,
 *   saving, waiting, elsewhere or stopped
 * @param {(text: string, caret: number) => void} options.page.show  the text to go on with
 * @param {(text: string) => void} options.page.stranded  a text that was kept here and is not the
 *   text any more, because the work went on elsewhere
 * @param {() => {text: string, caret: number}} options.page.field
 */
export function createSession({ token, tab, numbers, agent, store, urls, post, later, now, wall, page }) {
  /** @type {ReturnType<typeof createLog> | null} */
  let log = null;
  let live = false;
  let unsent = false; // are there edits that are not acknowledged
  let journalling = false;
  let anew = 0;
  /** @type {Promise<void> | null} */
  let again = null; // while a refused log begins again; resolves also when nothing is sent any more
  let begun = () => {};
  let full = false; // the log takes only whole texts from now on
  let last = -Infinity; // when the last of them was put in

  const outbox = chunksOutbox({
    acknowledged: (number) => store.drop(token, tab, number),
    refused,
  });
  const sender = createSender({
    outbox,
    numbers,
    tab,
    urls: { here: urls.here, send: urls.log, turn: urls.turn },
    post,
    later,
    report(state, sentence) {
      if (state === "elsewhere" || state === "stopped") {
        if (live && state === "elsewhere") journal(); // this page keeps nothing from now on
        live = false;
        begun();
      }
      if (state === "saved") unsent = untaken().some(({ events }) => events.some((each) => each.type === "edit"));
      if (state === "saved" ? !live || again : state === "saving") return;
      page.report(state === "saved" && unsent ? "saving" : state, sentence);
    },
  });
  const untaken = () => log?.untaken() ?? [];
  const keepStranded = (text) => store.draft(token, STRANDED, { text, ms: 0, at: 0, caret: 0 });

  /** Keep what happened since the last chunk, in case the browser ends now. */
  async function journal() {
    if (!log) return;
    const { text, caret } = page.field();
    // A full log has no edits. What is typed is kept as the text that will be sent, or was undone.
    const chunks = full ? log.untaken(text) : log.untaken();
    for (const chunk of chunks) store.put(token, tab, chunk);
    if (full && chunks.at(-1)?.number !== log.next.number) store.drop(token, tab, log.next.number);
    await store.draft(token, tab, { text: full ? text : log.text, ms: log.ms, at: wall(), caret });
  }

  function touched() {
    if (journalling) return;
    journalling = true;
    later(() => {
      journalling = false;
      if (live) journal(); // also a refused log: nothing else has it yet
    }, JOURNAL);
  }

  function ship({ all }) {
    for (const chunk of log.take({ all })) {
      store.put(token, tab, chunk);
      outbox.put(chunk);
    }
  }

  function logFrom({ number, seq, text, ms, since }) {
    const time = createTime({ now, last: ms, since });
    log = createLog({ number, seq, text, time });
    live = true;
    again = null;
    log.add("start", { length: text.length, version: VERSION, agent });
  }

  /**
   * Begin, or go on, in this tab.
   *
   * 1. The server says where it stands; from now on it takes chunks of this tab only.
   * 2. What this browser kept continues it, or is offered as a text of its own.
   * 3. Nothing but what is still to be sent stays in the store.
   */
  async function begin() {
    if (log) ship({ all: true });
    await journal();
    live = false;
    const server = await sender.begin({ anew: false });
    const kept = await store.kept(token);
    const way = resumed(server, kept);
    if (way.stranded) await keepStranded(way.stranded);
    await adopt(store, { token, tab, chunks: way.chunks, kept: kept.chunks });
    for (const chunk of way.chunks) outbox.put(chunk);
    unsent = way.chunks.length > 0;
    page.show(way.text, way.caret);
    const since = way.at ? wall() - way.at : 0;
    logFrom({ ...way, ms: Math.max(way.ms, server.ms ?? 0), since });
    touched();
    if (way.stranded) page.stranded(way.stranded);
  }

  /**
   * A chunk cannot be taken: go on from where the server stands, with the whole text at once.
   * Until then nothing of the old log is sent: its numbers are about to be given anew.
   */
  async function refused(sentence, refusal) {
    if (refusal === "LogFull" && !full) full = true;
    else anew += 1;
    if (anew > ANEW) {
      journal();
      sender.stop("stopped", sentence);
      return;
    }
    again = new Promise((resolve) => {
      begun = resolve;
    });
    const server = await sender.begin({ anew: true });
    if (!live) return; // another tab is here meanwhile, and goes on with what is kept
    logFrom({ ...server, ms: Math.max(log.ms, server.ms ?? 0) });
    last = now();
    log.snapshot(page.field().text);
    const chunks = log.take({ all: true });
    store.replace(token, tab, chunks); // at once: a page that ends now leaves the one log or the other
    for (const chunk of chunks) outbox.put(chunk);
    begun();
  }

  /** The text as a whole, where the field has another one; into a full log not at every tick. */
  function compare(all) {
    const { text } = page.field();
    if (text === log.text || (full && !all && now() - last < SPARSE)) return;
    last = now();
    log.snapshot(text);
  }

  return {
    begin,
    /** The text that the log rebuilds. */
    get text() {
      return log?.text ?? "";
    },
    get live() {
      return live;
    },
    /** The number of the last full chunk. */
    get number() {
      return log ? log.next.number - 1 : 0;
    },
    record(type, fields) {
      if (!live || full) return;
      log.add(type, fields);
      touched();
    },
    /** @param {import("./text.js").Edit} edit */
    edit(edit, input) {
      if (!live) return;
      if (!full || again) log.edit(edit, input); // a refused log is kept here, and not sent
      touched();
      if (unsent || sender.waiting) return;
      unsent = true;
      page.report("saving", "");
    },
    /** Every two seconds: compare with the field, and send. @param {boolean} all  also offline */
    tick({ all = false } = {}) {
      if (!live || again) return;
      compare(all);
      const free = all || !sender.waiting; // else it tries again by itself
      ship({ all: free });
      if (free) sender.pump();
    },
    /** The page may be about to go. */
    leave() {
      if (!live) return;
      if (full) compare(true);
      if (!again) ship({ all: true });
      journal();
      store.setAside(token, tab); // whatever is sent now is here when the next page begins
      if (!again) sender.flush();
    },
    /** Send all; true when the server has it, false when nothing can be sent any more. */
    async drained() {
      do {
        await again;
        this.tick({ all: true });
        await sender.drained();
      } while (live && (again || outbox.size));
      return live;
    },
    /** Another tab of this browser has just begun. */
    yield(sentence) {
      if (!live) return;
      ship({ all: true });
      sender.stop("elsewhere", sentence);
    },
    pump: sender.pump,
    /** Every few seconds: is this still the tab that writes? */
    check() {
      if (live && !again) sender.check();
    },
    reconnected: sender.reconnected,
    /** The stranded text was used, or is not wanted. */
    strandedDone: () => keepStranded(""),
    /** What a person can take away: the text and what the server has not got of the log. */
    backup() {
      return { text: page.field().text, chunks: [...outbox.chunks, ...untaken()] };
    },
    forget: () => store.forget(token),
    /** Would the text be lost to the server if the page ended now? */
    get stuck() {
      return sender.waiting && unsent;
    },
  };
}
