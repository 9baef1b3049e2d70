// Keeps chunks until the server has them: in IndexedDB, or as long as the page lives where a
// browser allows no more.

import { outliving } from "./outliving.js";

const NAME = "crowdwright.writing";
const CHUNKS = "chunks";
const DRAFTS = "drafts";

/** The same in memory. */
export function memoryStore() {
  const chunks = new Map();
  const drafts = new Map();
  return {
    async put(token, tab, chunk) {
      chunks.set(`${token} ${tab} ${chunk.number}`, { token, tab, ...chunk });
    },
    async drop(token, tab, number) {
      chunks.delete(`${token} ${tab} ${number}`);
    },
    async replace(token, tab, others) {
      for (const [key, each] of chunks) if (each.token === token && each.tab === tab) chunks.delete(key);
      for (const chunk of others) chunks.set(`${token} ${tab} ${chunk.number}`, { token, tab, ...chunk });
    },
    async draft(token, tab, draft) {
      drafts.set(`${token} ${tab}`, { token, tab, ...draft });
    },
    setAside() {}, // nothing of it outlives the page
    async kept(token) {
      const mine = (map) => [...map.values()].filter((each) => each.token === token);
      return { chunks: mine(chunks), drafts: mine(drafts) };
    },
    async forget(token, { but } = {}) {
      for (const map of [chunks, drafts]) {
        for (const [key, each] of map) if (each.token === token && each.tab !== but) map.delete(key);
      }
    },
  };
}

function opened(factory) {
  return new Promise((resolve, reject) => {
    const request = factory.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(CHUNKS, { keyPath: ["token", "tab", "number"] });
      request.result.createObjectStore(DRAFTS, { keyPath: ["token", "tab"] });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
}

const done = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
  });

const answered = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** All keys that begin with a token. */
const of = (token) => IDBKeyRange.bound([token], [token, []]);

function databaseStore(database) {
  const write = (name, act) => {
    const transaction = database.transaction(name, "readwrite");
    act(transaction.objectStore(name));
    return done(transaction);
  };
  return {
    put: (token, tab, chunk) => write(CHUNKS, (store) => store.put({ token, tab, ...chunk })),
    drop: (token, tab, number) => write(CHUNKS, (store) => store.delete([token, tab, number])),
    /** All chunks of a tab by others, or none. */
    replace: (token, tab, chunks) =>
      write(CHUNKS, (store) => {
        store.delete(IDBKeyRange.bound([token, tab], [token, tab, []]));
        for (const chunk of chunks) store.put({ token, tab, ...chunk });
      }),
    draft: (token, tab, draft) => write(DRAFTS, (store) => store.put({ token, tab, ...draft })),
    async kept(token) {
      const transaction = database.transaction([CHUNKS, DRAFTS]);
      const [chunks, drafts] = await Promise.all(
        [CHUNKS, DRAFTS].map((name) => answered(transaction.objectStore(name).getAll(of(token)))),
      );
      return { chunks, drafts };
    },
    async forget(token, { but } = {}) {
      const { chunks, drafts } = await this.kept(token);
      const others = (each) => each.tab !== but;
      await write(CHUNKS, (store) =>
        chunks.filter(others).forEach(({ tab, number }) => store.delete([token, tab, number])),
      );
      await write(DRAFTS, (store) =>
        drafts.filter(others).forEach(({ tab }) => store.delete([token, tab])),
      );
    },
  };
}

const NAMES = ["put", "drop", "replace", "draft", "setAside", "kept", "forget"];

/** A store whose writes fail quietly (full, forbidden): what is in memory is still sent. */
function forgiving(store) {
  const quiet = (name) =>
    async function attempt(...values) {
      try {
        return await store[name](...values);
      } catch {
        return name === "kept" ? { chunks: [], drafts: [] } : undefined;
      }
    };
  return Object.fromEntries(NAMES.map((name) => [name, quiet(name)]));
}

export async function openStore() {
  try {
    return forgiving(outliving(databaseStore(await opened(indexedDB)), localStorage));
  } catch {
    return memoryStore();
  }
}

/** Make `chunks` those of this tab; whatever else was `kept` is dropped, first things first. */
export async function adopt(store, { token, tab, chunks, kept }) {
  for (const chunk of chunks) await store.put(token, tab, chunk);
  const numbers = new Set(chunks.map((chunk) => chunk.number));
  for (const old of kept) {
    const mine = old.tab === tab && numbers.has(old.number);
    if (!mine) await store.drop(token, old.tab, old.number);
  }
}
