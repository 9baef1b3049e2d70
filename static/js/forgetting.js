// The work is over: nothing of it stays in this browser.

const { forget } = document.body.dataset;

try {
  for (const name of Object.keys(localStorage)) {
    if (forget && name.includes(`.${forget}`)) localStorage.removeItem(name);
  }
} catch {
  // The browser keeps nothing then.
}
