// Pages of a questionnaire that this tab can show without a request: those that were sent ahead, and
// those that were left, with what was typed in them. No page and no network here.

const MAX_AGE = 10 * 60_000; // ms after the server wrote it
const RENEWAL_AGE = 5 * 60_000; // ms after which a page is asked for again before its turn

/** The address of a page, without the place in it. */
export const plain = (url) => url.replace(/#.*/, "");

/**
 * @typedef {object} Kept
 * @property {any} main  what the page has in its document
 * @property {number} at  when it was asked for
 * @property {number} left  when it was last left; 0 before it was shown
 */

/** @param {{now?: () => number}} options */
export function createPageMemory({ now = Date.now } = {}) {
  /** @type {Map<string, Kept>} */
  const pages = new Map();
  let generation = 0; // what was asked for before a `forget` is not kept

  const fresh = (url, age) => {
    const page = pages.get(plain(url));
    return page && now() - page.at < age ? page : undefined;
  };

  return {
    /** The page of an address, while it is young enough. */
    of: (url) => fresh(url, MAX_AGE),
    /** Should the pages that follow be asked for before this one is opened? */
    lacks: (url) => !fresh(url, RENEWAL_AGE),
    /** Keep a page that is left, as it is. @param {number} at  when it was asked for */
    keep(url, main, at) {
      pages.set(plain(url), { main, at, left: now() });
    },
    /** The page of an address is shown now. */
    take(url) {
      pages.delete(plain(url));
    },
    /** What `add` wants to know of a request that begins now. */
    asking: () => ({ at: now(), generation }),
    /** Was everything forgotten since this request began? */
    isForgotten: (asked) => asked.generation !== generation,
    /**
     * Keep the pages of a request, except those that were at work meanwhile.
     *
     * @param {[string, any][]} found  address and page
     * @param {{at: number, generation: number}} asked
     * @param {string} shown  the address that is shown
     */
    add(found, asked, shown) {
      if (asked.generation !== generation) return;
      for (const [url, main] of found) {
        const known = pages.get(plain(url));
        const isNewer = known && Math.max(known.left, known.at) > asked.at;
        if (plain(url) !== plain(shown) && !isNewer) pages.set(plain(url), { main, at: asked.at, left: 0 });
      }
    },
    /** Something changed elsewhere: ask the server for every page again. */
    forget() {
      pages.clear();
      generation += 1;
    },
  };
}
