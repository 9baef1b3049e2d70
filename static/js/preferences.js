// Small wishes of the person in front of the page, kept in the browser.

const NAME = "crowdwright.preference.";

/** What was kept, or `otherwise`. */
export function kept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(NAME + name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(NAME + name, JSON.stringify(value));
  } catch {
    // Then it lasts as long as the page.
  }
}
