// What a browser keeps of somebody's work, to be forgotten when the work is over.

/**
 * Remove what storages hold under the names of some tokens.
 *
 * @param {string[]} tokens
 * @param {() => Storage[]} storages  throws where a browser allows none
 */
export function removeTraces(tokens, storages) {
  try {
    for (const storage of storages()) {
      for (const name of Object.keys(storage)) {
        if (tokens.some((token) => name.includes(`.${token}`))) storage.removeItem(name);
      }
    }
  } catch {
    // The browser keeps nothing then.
  }
}

/** Forget the texts that a store (recorder/store.js) keeps for some tokens. */
export async function forgetTexts(tokens, store) {
  for (const token of tokens) await store.forget(token);
}
