// From item to item without leaving the page, so that neither unsent answers nor the page itself
// are lost when the connection is. The pages that follow are fetched several at a time and shown from
// memory; a page that is not there is asked for by its address.

import { exchange } from "./exchanging.js";
import { announce, numbers, sender, wishFor } from "./saving.js";
import { createPageMemory, plain } from "./page-memory.js";
import { patiently } from "./patience.js";
import { say } from "./words.js";

const AHEAD = 400; // ms after an item appeared
const TAP = 400; // ms from a release to its click
const PAUSE = 2500; // ms between two requests for several pages
const BOXES = "[data-parts], [data-panel-body], [data-text], [data-documents]"; // that scroll
const memory = createPageMemory();
/** @type {Map<string, Node>} instructions by their part */
const instructions = new Map();
/** @type {Map<string, Promise<Document>>} one page by its address, where none are sent together */
const ahead = new Map();
let latest = 0; // of two visits at once the later one wins
let following = Promise.resolve(); // the last request for several pages
let more = ""; // the address of pages after those
/** @type {(() => void) | null} */
let rest = null; // what is left to do for the page that is shown
/** @type {"" | "here" | "before"} */
let press = ""; // a pointer is down on the page that is shown, or was put down on the one before
let shown = { url: location.href, at: Date.now() }; // the page in the document, and its age

const swapped = (name, root = document) => root.querySelector(`[data-swap="${name}"]`);

async function read(url) {
  const response = await fetch(url, { headers: { Accept: "text/html" } });
  if (response.status >= 500) throw new Error(`status ${response.status}`);
  return { ok: response.ok, page: new DOMParser().parseFromString(await response.text(), "text/html") };
}

/** A page of this task; null if it is another page. Rejects without a connection. */
export async function load(url) {
  const { ok, page } = await read(url);
  return ok && page.querySelector("[data-item]") ? page : null;
}

/** Forget what is kept if another tab or device saved something since; `newest` is a number. */
export function compare(newest) {
  const isNewer = newest > numbers.last;
  if (isNewer) {
    numbers.goBeyond(newest);
    memory.forget();
  }
  return isNewer;
}

/** Ask for several pages that follow the one that is shown, and a moment later for more. */
async function fetchFollowing(url) {
  more = "";
  await sender.drained(); // so that they show what was answered
  if (sender.halted) return;
  const asked = memory.asking();
  const { page } = await read(url);
  const list = page.querySelector("[data-newest]");
  if (!list || sender.halted) return;
  const pages = [...page.querySelectorAll("template[data-address]")].map(({ dataset, content }) => [
    new URL(dataset.address, location.href).href,
    document.adoptNode(content.querySelector("[data-item]")),
  ]);
  for (const { content } of page.querySelectorAll("template[data-instructions]")) {
    keepInstructions(swapped("instructions", content));
  }
  // What was saved elsewhere makes pages old that were left here, not those of this request.
  if (!memory.isForgotten(asked) && compare(Number(list.dataset.newest))) asked.generation += 1;
  memory.add(pages, asked, shown.url);
  if (memory.isForgotten(asked)) return;
  more = list.dataset.more;
  setTimeout(fetchMore, PAUSE);
}

function fetchMore() {
  const url = more;
  if (!url || sender.halted) return;
  following = fetchFollowing(url).catch(() => {
    more = url;
  });
}

function fetchAhead() {
  const main = document.querySelector("[data-item]");
  const url = main?.querySelector("[data-ahead]")?.href;
  ahead.clear();
  if (!url || sender.halted) return;
  if (main.dataset.following) {
    if (memory.lacks(url)) following = fetchFollowing(main.dataset.following).catch(() => {});
    else fetchMore();
    return;
  }
  const page = sender.drained().then(() => load(url));
  page.catch(() => ahead.delete(url));
  ahead.set(url, page);
}

function keepInstructions(part) {
  if (part) instructions.set(part.dataset.of, part.cloneNode(true));
}

/** Run what a page that is shown does not need for its first picture: after it, or when it goes. */
function afterPaint(run) {
  rest = run;
  if (document.hidden) finishRest();
  else requestAnimationFrame(() => setTimeout(() => rest === run && finishRest()));
}

function finishRest() {
  const run = rest;
  rest = null;
  run?.();
}

/** Keep the page that is left for that of an address, with what is typed in it. */
function leaveFor(url, main) {
  const isOther = plain(url) !== plain(shown.url);
  if (isOther && "kept" in main.dataset && !sender.halted) memory.keep(shown.url, main, shown.at);
  memory.take(url);
}

function focusHeading() {
  document.querySelector("[data-heading]").focus({ preventScroll: true });
}

/** The parts of a page in the document are new. */
function begin() {
  if (press) press = "before";
  document.dispatchEvent(new CustomEvent("crowdwright:item"));
  setTimeout(fetchAhead, AHEAD);
}

/** Lead a keyboard and a screen reader to the page that is new; `before` had the focus when it came. */
function arrive(before) {
  // Somebody who passed a question over is led to it, and somebody quick is in a field by now.
  if (document.activeElement === before) focusHeading();
  const { page: item, total } = document.querySelector("[data-item]").dataset;
  announce(say("Page {item} of {total}", { item, total }));
}

function show(page, url) {
  leaveFor(url, swapped("main"));
  for (const part of document.querySelectorAll("[data-swap]")) {
    const other = page.querySelector(`[data-swap="${part.dataset.swap}"]`);
    if (other) part.replaceWith(document.adoptNode(other));
  }
  document.title = page.title;
  keepInstructions(swapped("instructions"));
  shown = { url, at: Date.now() };
  const before = document.activeElement;
  begin();
  arrive(before);
}

/** The row of pages and the title, for a page that came without its document. */
function renewPlace({ page, place }) {
  for (const words of document.querySelectorAll("[data-place-words]")) words.textContent = place;
  document.title = document.title.replace(/^[^·]*/, `${place} `);
  for (const dot of document.querySelectorAll("[data-dot]")) {
    if (dot.dataset.page === page) dot.setAttribute("aria-current", "step");
    else dot.removeAttribute("aria-current");
  }
  document.querySelector("[data-disclosure-button]")?.setAttribute("aria-expanded", "false");
}

/** Put a page into the document; returns what was there. */
function put(main) {
  const here = swapped("main");
  if (here.contains(document.activeElement)) document.activeElement.blur();
  // Now, and not after the exchange: then everything would be laid out for it.
  for (const box of here.querySelectorAll(BOXES)) if (box.scrollTop) box.scrollTop = 0;
  if (exchange(here, main)) return main;
  here.replaceWith(main);
  return here;
}

/** A page from memory, as it was left or as it came. It is painted before title and focus follow. */
function showKept({ main, at }, url) {
  leaveFor(url, put(main));
  const { dataset } = swapped("main");
  shown = { url, at };
  const before = document.activeElement;
  begin();
  afterPaint(() => {
    const part = instructions.get(dataset.of);
    const dialog = swapped("instructions");
    if (part && dialog && dialog.dataset.of !== dataset.of) dialog.replaceWith(part.cloneNode(true));
    renewPlace(dataset);
    arrive(before);
  });
}

/** The page of an address that can be shown from memory; null where the server must be asked. */
function keptFor(url) {
  const page = sender.halted ? undefined : memory.of(url);
  if (!page) return null;
  const part = page.main.dataset.of;
  return part === swapped("instructions")?.dataset.of || instructions.has(part) ? page : null;
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

/** The page of an address: kept, or from the server; neither if it is no item. */
async function found(url) {
  await following;
  const kept = keptFor(url);
  return { kept, page: kept ? null : ((await taken(url)) ?? (await fetched(url))) };
}

async function visit(url, { push, wish = say("No connection. This page opens when you are back online.") }) {
  latest += 1;
  const mine = latest;
  const isKept = keptFor(url);
  if (isKept) wishFor("");
  // What is fetched ahead may wait for the connection, too, and is waited for with the same words.
  const { kept, page } = isKept
    ? { kept: isKept, page: null }
    : ((await patiently(wish, () => found(url), () => mine === latest)) ?? {});
  if (mine !== latest) return;
  finishRest();
  if (!kept && !page) {
    location.assign(url);
    return;
  }
  // At once: Back, or a reload, may come before the picture.
  if (push) history.pushState(null, "", url);
  if (kept) showKept(kept, url);
  else show(page, url);
}

/** What opens as soon as there is a connection. */
function wishOf({ dataset, textContent }) {
  return dataset.dot
    ? say("No connection. Page {item} opens when you are back online.", { item: dataset.page })
    : say("No connection. “{name}” opens when you are back online.", { name: textContent.trim() });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-visit]");
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || event.button > 0) return;
  event.preventDefault();
  visit(link.href, { push: true, wish: wishOf(link) });
});

// What the page shows does not count any more: show what does.
document.addEventListener("crowdwright:outdated", () => {
  memory.forget();
  visit(location.href, { push: false });
});

// Something changed elsewhere that other pages may show.
document.addEventListener("crowdwright:stale", () => {
  memory.forget();
  setTimeout(fetchAhead, AHEAD);
});

// A pointer that was put down on one page does not answer on the next, which has the same elements.
addEventListener("pointerdown", ({ target }) => (press = target.closest?.("[data-item]") ? "here" : ""), true);
for (const type of ["pointerup", "pointercancel"]) {
  addEventListener(
    type,
    () => {
      if (press === "here") press = "";
      if (press) setTimeout(() => press === "before" && (press = ""), TAP);
    },
    true,
  );
}
addEventListener(
  "click",
  (event) => {
    if (press !== "before" || !event.detail) return;
    press = "";
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

addEventListener("popstate", () => visit(location.href, { push: false }));
addEventListener("online", fetchAhead);

keepInstructions(swapped("instructions"));
// So that the keys that scroll find what scrolls.
if (document.activeElement === document.body) focusHeading();
setTimeout(fetchAhead, AHEAD);
