// Long work on a page, [data-work=running]: says each quarter that is reached, and its end in the page's title too.
// The page may be loaded again at the end, so that work is remembered for the tab.

const KEY = "crowdwright:work";
const QUARTER = 25; // percent

/** What to say of what was seen last: {percent} of running work, or null; `now` likewise. */
export function news(before, now) {
  if (!before) return "";
  if (!now) return "end";
  const quarter = ({ percent }) => Math.floor(percent / QUARTER);
  return quarter(now) > quarter(before) ? "quarter" : "";
}

/** The running work of the page, taken together, or null. */
function running() {
  const parts = [...document.querySelectorAll("[data-work=running]")];
  if (!parts.length) return null;
  return { at: location.pathname, percent: Math.min(...parts.map((part) => Number(part.dataset.percent) || 0)) };
}

function remembered() {
  try {
    const work = JSON.parse(sessionStorage.getItem(KEY));
    return work?.at === location.pathname ? work : null;
  } catch {
    return null; // no storage, or not ours
  }
}

function remember(work) {
  try {
    if (work) sessionStorage.setItem(KEY, JSON.stringify(work));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage only pages that are not loaded again say it.
  }
}

/** Puts a word before the title until the person is back. */
function entitle(word) {
  const title = document.title;
  document.title = `${word} · ${title}`;
  const reset = () => {
    if (document.hidden) return;
    document.title = title;
    for (const type of SEEN) removeEventListener(type, reset, true);
  };
  const SEEN = ["visibilitychange", "keydown", "pointerdown"];
  for (const type of SEEN) addEventListener(type, reset, true);
}

function begin(region) {
  let before = remembered();

  function look() {
    const now = running();
    const what = news(before, now);
    if (what === "quarter") region.textContent = region.getAttribute("data-at-quarter").replace("{percent}", now.percent);
    if (what === "end") {
      const state = document.querySelector("[data-work]")?.dataset.work;
      const word = region.getAttribute(`data-at-${state}`) ?? region.getAttribute("data-at-done");
      region.textContent = word;
      entitle(word);
    }
    if (now || before) remember(now);
    before = now;
  }

  document.addEventListener("htmx:afterSettle", look);
  look();
}

if (globalThis.document) {
  const region = document.querySelector("[data-work-said]");
  if (region) begin(region);
}
