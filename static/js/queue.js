// Answers that the server has not acknowledged yet, kept in the browser's storage.
// No page and no network here.

/**
 * @typedef {object} Change  an answer {position, question, slot, raw, milliseconds, comment, number},
 *   or a remark on an item {position, text, number}; of two the one with the higher number is newer
 * @typedef {{key: string, change: Change}} Entry
 */

const PREFIX = "crowdwright.unsent.";

/** The place of a change: a newer one for the same place replaces it. */
export function keyOf(change) {
  if ("text" in change) return `${change.position}//remark`;
  return `${change.position}/${change.question}/${change.slot || ""}`;
}

/** Is the first of two changes of one place the newer one? */
export function isNewer(one, other) {
  return (one.number ?? 0) > (other.number ?? 0);
}

/** The highest number of some changes; 0 of none. */
export function newestNumber(changes) {
  return Math.max(0, ...changes.map(({ number }) => number ?? 0));
}

/** Is this the name of a queue of the token in the browser's storage? */
export function isUnsentName(name, token) {
  return Boolean(name?.startsWith(`${PREFIX}${token}.`));
}

/** The request body for some entries. */
export function bodyOf(entries, tab) {
  const changes = entries.map((entry) => entry.change);
  return {
    tab,
    answers: changes.filter((change) => !("text" in change)),
    comments: changes.filter((change) => "text" in change),
  };
}

/** What a storage holds under a name; nothing if it is damaged or not allowed. */
function read(storage, name) {
  try {
    const entries = JSON.parse(storage.getItem(name) || "[]");
    return entries.filter((entry) => entry.key && entry.change);
  } catch {
    return [];
  }
}

/** The names of a token's queues, of this tab and of those that were closed. */
function namesOf(storage, token) {
  try {
    return Object.keys(storage).filter((name) => isUnsentName(name, token));
  } catch {
    return [];
  }
}

/**
 * A queue of a worker's address (token) and a tab. It takes over what other tabs of the same
 * address left behind.
 *
 * @param {object} options
 * @param {Storage} options.storage
 * @param {string} options.token
 * @param {string} options.tab
 * @param {ReturnType<import("./numbers.js").createNumbers>} options.numbers
 */
export function createQueue({ storage, token, tab, numbers }) {
  const name = `${PREFIX}${token}.${tab}`;
  /** @type {Map<string, Entry>} */
  const entries = new Map();

  function keep() {
    try {
      if (entries.size) storage.setItem(name, JSON.stringify([...entries.values()]));
      else storage.removeItem(name);
    } catch {
      // Full or forbidden: what is in memory is still sent.
    }
  }

  const names = namesOf(storage, token);
  for (const entry of names.flatMap((each) => read(storage, each))) {
    const known = entries.get(entry.key);
    if (!known || !isNewer(known.change, entry.change)) entries.set(entry.key, entry);
    numbers.goBeyond(entry.change.number);
  }
  keep();
  for (const other of names.filter((each) => each !== name)) {
    try {
      storage.removeItem(other);
    } catch {
      // It is sent twice then, which changes nothing.
    }
  }

  return {
    /** How many changes are not acknowledged. */
    get size() {
      return entries.size;
    },
    /** Keep a change until it is settled; returns the number it got. */
    put(change) {
      const key = keyOf(change);
      const number = numbers.next();
      entries.delete(key); // so that the newest stands last
      entries.set(key, { key, change: { ...change, number } });
      keep();
      return number;
    },
    /** The oldest entries, at most `limit`. */
    batch(limit) {
      return [...entries.values()].slice(0, limit);
    },
    /** Forget entries that were saved or refused, unless they were answered again meanwhile. */
    settle(done) {
      for (const entry of done) {
        if (entries.get(entry.key) === entry) entries.delete(entry.key);
      }
      keep();
    },
    /** The changes of an item. */
    of(position) {
      return this.batch(Infinity)
        .map((entry) => entry.change)
        .filter((change) => change.position === position);
    },
  };
}
