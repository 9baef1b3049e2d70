// What was saved a moment ago. A page that was asked for before an answer arrived, and came after
// it, does not know the answer; this tab does.

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

  return {
    /** Note entries of the queue that were acknowledged. */
    add(entries) {
      const saved = now();
      const keys = new Set(entries.map((entry) => entry.key));
      const rows = read().filter((row) => !keys.has(row.key));
      for (const { key, change } of entries) rows.push({ key, change, saved });
      try {
        storage.setItem(name, JSON.stringify(rows));
      } catch {
        // Then a reload at the wrong moment shows a question as open that is answered.
      }
    },
    /** The changes of an item that were saved a moment ago. */
    of(position) {
      return read()
        .map((row) => row.change)
        .filter((change) => change.position === position);
    },
  };
}
