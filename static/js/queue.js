// Answers on their way to the server: what is not acknowledged yet, kept in the browser's storage.
// No page and no network here.

/**
 * @typedef {object} Change  an answer {position, question, slot, raw, milliseconds, comment},
 *   or a remark on an item {position, text}
 * @typedef {{key: string, at: number, change: Change}} Entry  `at` is when it was given, in ms
 */

const PREFIX = "crowdwright.unsent.";

/** The place of a change: a newer one for the same place replaces it. */
export function keyOf(change) {
  if ("text" in change) return `${change.position}//remark`;
  return `${change.position}/${change.question}/${change.slot || ""}`;
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
    return Object.keys(storage).filter((name) => name.startsWith(`${PREFIX}${token}.`));
  } catch {
    return [];
  }
}

/**
 * A queue of a worker's address (token) and a tab. It takes over what other tabs of the same
 * address left behind.
 *
 * @param {{storage: Storage, token: string, tab: string, now?: () => number}} options
 */
export function createQueue({ storage, token, tab, now = Date.now }) {
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
    if (!known || known.at <= entry.at) entries.set(entry.key, entry);
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
    /** @param {Change} change */
    put(change) {
      const key = keyOf(change);
      entries.delete(key); // so that the newest stands last
      entries.set(key, { key, at: now(), change });
      keep();
    },
    /** The oldest entries, at most `limit`. */
    batch(limit) {
      return [...entries.values()].slice(0, limit);
    },
    /** Forget entries that were saved or refused, unless they were answered anew meanwhile. */
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
