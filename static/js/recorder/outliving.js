// A browser may drop what a page that goes was still writing into IndexedDB, though the network
// has taken the same chunk. The next page would then number another chunk alike. So what is not
// written yet is set aside, in a storage that is written at once, until a page has written it.

const PREFIX = "crowdwright.leaving.";

/** @typedef {{tab: string, number?: number}} Record  a chunk, or without a number a draft */

const placeOf = ({ tab, number = "draft" }) => `${tab} ${number}`;

/** Some records with newer ones in their places. @param {Record[]} old @param {Record[]} newer */
function renewed(old, newer) {
  return [...new Map([...old, ...newer].map((record) => [placeOf(record), record])).values()];
}

/** When a record was made, in a measure that its place has for itself. */
const timeOf = ({ at, events }) => at ?? events?.at(-1)?.ms ?? 0;

/** The names of what was set aside for a token, by whatever page. */
function namesOf(storage, token) {
  try {
    return Object.keys(storage).filter((name) => name.startsWith(`${PREFIX}${token}.`));
  } catch {
    return []; // no storage is allowed
  }
}

/** @returns {Record[]} */
function read(storage, name) {
  try {
    return JSON.parse(storage.getItem(name) || "[]").filter((record) => record.tab);
  } catch {
    return [];
  }
}

/**
 * A store (store.js) whose writes outlive their page, or fail and are set aside all the same.
 *
 * @param {object} store  of one page: all it writes is of one token
 * @param {Storage} storage
 */
export function outliving(store, storage) {
  /** @type {Map<string, Record>} */
  const unwritten = new Map();
  /** @type {Set<string>} */
  const aside = new Set(); // names of what is written, or unwritten above

  function clear() {
    if (unwritten.size) return;
    for (const name of aside) storage.removeItem(name);
    aside.clear();
  }

  function written(record) {
    const place = placeOf(record);
    if (unwritten.get(place) === record) unwritten.delete(place); // else a newer one is under way
  }

  async function write(token, { tab, ...rest }) {
    const record = { tab, ...rest };
    unwritten.set(placeOf(record), record);
    await ("number" in rest ? store.put(token, tab, rest) : store.draft(token, tab, rest));
    written(record);
    clear();
  }

  async function recordsOf(token) {
    const { chunks, drafts } = await store.kept(token);
    return [...chunks, ...drafts];
  }

  /** What pages that went have set aside and nobody has written newer; it is written from here now. */
  async function takeOver(token) {
    const names = namesOf(storage, token);
    for (const name of names) aside.add(name);
    const found = names.flatMap((name) => read(storage, name));
    const stored = found.length ? await recordsOf(token) : [];
    const times = new Map(stored.map((record) => [placeOf(record), timeOf(record)]));
    const records = found.filter((record) => {
      const place = placeOf(record);
      return !unwritten.has(place) && !(timeOf(record) < times.get(place));
    });
    await Promise.allSettled(records.map((record) => write(token, record)));
    clear();
    return records;
  }

  return {
    put: (token, tab, chunk) => write(token, { tab, ...chunk }),
    draft: (token, tab, draft) => write(token, { tab, ...draft }),
    async drop(token, tab, number) {
      unwritten.delete(placeOf({ tab, number }));
      await store.drop(token, tab, number);
      clear();
    },
    async replace(token, tab, chunks) {
      for (const [place, record] of unwritten) {
        if (record.tab === tab && "number" in record) unwritten.delete(place);
      }
      const records = chunks.map((chunk) => ({ tab, ...chunk }));
      for (const record of records) unwritten.set(placeOf(record), record);
      await store.replace(token, tab, chunks);
      for (const record of records) written(record);
      clear();
    },
    /** The page may be about to go. */
    setAside(token, tab) {
      if (!unwritten.size) return;
      const name = `${PREFIX}${token}.${tab}`;
      aside.add(name);
      try {
        storage.setItem(name, JSON.stringify([...unwritten.values()]));
      } catch {
        // Full or forbidden: it may still be written in time.
      }
    },
    async kept(token) {
      const records = await takeOver(token);
      const stored = await recordsOf(token);
      const all = renewed(stored, [...records, ...unwritten.values()]); // also where no write succeeds
      return {
        chunks: all.filter((record) => "number" in record),
        drafts: all.filter((record) => !("number" in record)),
      };
    },
    async forget(token, options) {
      unwritten.clear();
      for (const name of namesOf(storage, token)) storage.removeItem(name);
      await store.forget(token, options);
    },
  };
}
