// From item to item without leaving the page, so that neither unsent answers nor the page itself
// are lost when the connection is. The next item is fetched ahead.

import { announce, sender } from "./saving.js";
import { patiently } from "./patience.js";
import { say } from "./words.js";

const AHEAD = 1200; // ms after an item appeared
/** @type {Map<string, Promise<Document>>} */
const ahead = new Map();
let latest = 0; // of two visits at once the later one wins

/** A page of this task; null if it is another page. Rejects without a connection. */
export async function load(url) {
  const response = await fetch(url, { headers: { Accept: "text/html" } });
  if (response.status >= 500) throw new Error(`status ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return response.ok && page.querySelector("[data-item]") ? page : null;
}

function fetchAhead() {
  const url = document.querySelector("[data-item] [data-next]")?.href;
  ahead.clear();
  if (!url) return;
  const page = sender.drained().then(() => load(url));
  page.catch(() => ahead.delete(url));
  ahead.set(url, page);
}

function focusHeading() {
  document.querySelector("[data-heading]").focus({ preventScroll: true });
}

function show(page) {
  for (const part of document.querySelectorAll("[data-swap]")) {
    const other = page.querySelector(`[data-swap="${part.dataset.swap}"]`);
    if (other) part.replaceWith(document.adoptNode(other));
  }
  document.title = page.title;
  document.dispatchEvent(new CustomEvent("crowdwright:item"));
  // Somebody who passed a question over is led to it, not to the heading.
  if (!document.activeElement?.closest("[data-field]")) focusHeading();
  const { page: item, total } = document.querySelector("[data-item]").dataset;
  announce(say("Page {item} of {total}", { item, total }));
  setTimeout(fetchAhead, AHEAD);
}

/** Everything saved first, so that the page that comes knows it. */
async function fetched(url) {
  await sender.drained();
  return load(url);
}

/** The page that was fetched ahead; it is shown once, because it is older each time. */
async function taken(url) {
  const page = ahead.get(url);
  ahead.delete(url);
  return page?.catch(() => null);
}

async function visit(url, { push, wish = say("No connection. This page opens when you are back online.") }) {
  latest += 1;
  const mine = latest;
  // What is fetched ahead may wait for the connection, too, and is waited for with the same words.
  const page = await patiently(wish, async () => (await taken(url)) ?? fetched(url), () => mine === latest);
  if (mine !== latest) return;
  if (!page) {
    location.assign(url);
    return;
  }
  if (push) history.pushState(null, "", url);
  show(page);
}

/** What opens as soon as there is a connection. */
function wishOf({ dataset, textContent }) {
  return dataset.dot
    ? say("No connection. Page {item} opens when you are back online.", { item: dataset.page })
    : say("No connection. “{name}” opens when you are back online.", { name: textContent.trim() });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-visit]");
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.button > 0) return;
  event.preventDefault();
  visit(link.href, { push: true, wish: wishOf(link) });
});

// What the page shows does not count any more: show what does.
document.addEventListener("crowdwright:outdated", () => visit(location.href, { push: false }));

addEventListener("popstate", () => visit(location.href, { push: false }));

// So that the keys that scroll find what scrolls.
if (document.activeElement === document.body) focusHeading();
setTimeout(fetchAhead, AHEAD);
