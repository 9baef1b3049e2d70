// What was saved a moment ago. A page that was asked for before an answer arrived, and came after
// it, does not know the answer; this tab does.

import { isNewer } from "./queue.js";

const AGE = 60_000; // ms

/**
 * @param {{storage: Storage | null, token: string, now?: () => number}} options
 */
export function createRecent({ storage, token, now = Date.now }) {
  const name = `crowdwright.recent.${token}`;

  function read() {
    try {
      const rows = JSON.parse(storage.getItem(name) || "[]");
      return rows.filter((row) => row.saved > now() - AGE);
    } catch {
      return [];
    }
  }

  function write(rows) {
    try {
      storage.setItem(name, JSON.stringify(rows));
    } catch {
      // Then a reload at the wrong moment shows a question as open that is answered.
    }
  }

  return {
    /** Note entries of the queue that were acknowledged, maybe after newer ones. */
    add(entries) {
      const saved = now();
      const rows = new Map(read().map((row) => [row.key, row]));
      for (const { key, change } of entries) {
        const known = rows.get(key);
        if (!known || !isNewer(known.change, change)) rows.set(key, { key, change, saved });
      }
      write([...rows.values()]);
    },
    /** An answer does not count any more: another device knows a newer one. */
    drop({ key, change }) {
      write(read().filter((row) => row.key !== key || isNewer(row.change, change)));
    },
    /** The changes of an item that were saved a moment ago. */
    of(position) {
      return read()
        .map((row) => row.change)
        .filter((change) => change.position === position);
    },
  };
}
