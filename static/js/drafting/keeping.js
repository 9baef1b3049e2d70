// What was typed and is not saved yet, kept in this browser under the address that saves it.

const key = (address) => `draft ${new URL(address).pathname}`;

export function keep(address, words) {
  try {
    if (Object.keys(words).length) localStorage.setItem(key(address), JSON.stringify(words));
    else localStorage.removeItem(key(address));
  } catch {
    // No room or not allowed: the words still stand on the page.
  }
}

export function kept(address) {
  try {
    return JSON.parse(localStorage.getItem(key(address)) ?? "{}");
  } catch {
    return {};
  }
}
