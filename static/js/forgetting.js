// The work is over: nothing of it stays in this browser.

const { forget } = document.body.dataset;

try {
  for (const storage of [localStorage, sessionStorage]) {
    for (const name of Object.keys(storage)) {
      if (forget && name.includes(`.${forget}`)) storage.removeItem(name);
    }
  }
} catch {
  // The browser keeps nothing then.
}
