// Shows moments in the reader's zone: <time datetime="2026-03-02T09:00:00+00:00">2 Mar, 09:00</time>.
// The server writes them in UTC; that stays in the title. <p data-zone="… {zone}"> names the zone on
// pages with a time of day.

const DAY = /[a-zäöü]/i;
const YEAR = /\b\d{4}\b/;
const TIME = /\b\d{1,2}:\d{2}\b/;
const SECONDS = /:\d{2}:\d{2}/;
const LONG_MONTH = /[a-zäöü]{5,}/i;

// The parts that a moment written as `words` has.
export function partsOf(words) {
  const time = TIME.test(words);
  return {
    ...(DAY.test(words) && { day: "numeric", month: LONG_MONTH.test(words) ? "long" : "short" }),
    ...(YEAR.test(words) && { year: "numeric" }),
    ...(time && { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    ...(SECONDS.test(words) && { second: "2-digit" }),
  };
}

export function inZone(moment, words, locale, timeZone) {
  return new Intl.DateTimeFormat(locale, { ...partsOf(words), timeZone }).format(moment);
}

/** The name of a zone in a sentence, with its distance to UTC at a moment. */
export function zoneName(timeZone, moment = new Date()) {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts(moment);
  const offset = parts.find(({ type }) => type === "timeZoneName").value.replace("GMT", "UTC");
  const name = timeZone.replaceAll("_", " ");
  return name === "UTC" ? name : `${name} (${offset})`;
}

function sayZone() {
  const note = document.querySelector("[data-zone]");
  if (!note) return;
  const words = [...document.querySelectorAll("time[data-utc]")].map(({ dataset }) => dataset.utc);
  note.hidden = !words.some((each) => TIME.test(each));
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  note.textContent = note.dataset.zone.replace("{zone}", zoneName(timeZone));
}

function localise(element) {
  const at = element.getAttribute("datetime");
  const moment = new Date(at);
  if (element.dataset.utc || !at.includes("T") || Number.isNaN(moment.getTime())) return;
  const words = element.textContent.trim();
  const locale = element.closest("[lang]")?.lang || undefined;
  element.dataset.utc = words;
  if (!element.title) element.title = `${words} UTC`;
  element.textContent = inZone(moment, words, locale);
}

function localiseAll(root) {
  for (const element of root.querySelectorAll("time[datetime]")) localise(element);
}

if (typeof document !== "undefined") {
  localiseAll(document);
  sayZone();
  // Lists that renew themselves bring further ones.
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (node.nodeType !== Node.ELEMENT_NODE) continue;
        if (node.matches("time[datetime]")) localise(node);
        localiseAll(node);
        if (node.matches("time") || node.querySelector("time")) sayZone();
      }
    }
  }).observe(document.body, { childList: true, subtree: true });
}
