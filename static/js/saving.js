// Saves what is answered: wires the page's fields to the queue and says how it stands.

import { answersOutbox } from "./answers-outbox.js";
import { rawOf, show } from "./answers.js";
import { createClock } from "./clock.js";
import { later, post } from "./network.js";
import { numbersOf } from "./numbers.js";
import { createQueue } from "./queue.js";
import { createRecent } from "./recent.js";
import { createSender } from "./sender.js";
import { tabId } from "./tab.js";
import { say } from "./words.js";

const WORDS = {
  saved: say("Saved"),
  saving: say("Saving…"),
  waiting: say("No connection: kept on this device, trying again"),
  elsewhere: say("Open elsewhere"),
  stopped: say("Closed"),
};
const TYPING = 700; // ms without a key before typed words are sent
const ASKING = 60_000; // ms between questions about withdrawn texts

const { token, workUrl, hereUrl, answersUrl } = document.body.dataset;
const state = document.querySelector("[data-save-state]");
const announcer = document.querySelector("[data-announcer]");
const note = document.querySelector("[data-save-note]");
export const numbers = numbersOf(document.body.dataset);
const clock = createClock(() => performance.now());
let typing = 0;
let asked = Date.now(); // when the server last told about withdrawn texts
let troubled = false;
let wish = "";

/** Say something to people who do not see the page. */
export function announce(words) {
  announcer.textContent = words;
}

/** Show a sentence above the page until it is dealt with. `offer` is here, leave or dismiss. */
function tell(sentence, offer) {
  note.querySelector("[data-save-note-words]").textContent = sentence;
  note.querySelector("[data-continue-here]").hidden = offer !== "here";
  note.querySelector("[data-leave]").hidden = offer !== "leave";
  note.querySelector("[data-dismiss]").hidden = offer !== "dismiss";
  note.hidden = false;
}

/** Say how it stands; while there is no connection, also what somebody asked for meanwhile. */
function showState(now) {
  state.dataset.saveState = now;
  state.querySelector("[data-save-words]").textContent = now === "waiting" && wish ? wish : WORDS[now];
}

function report(now, sentence) {
  showState(now);
  if (now === "elsewhere") tell(sentence, "here");
  if (now === "elsewhere") stale();
  if (now === "stopped") tell(sentence, "leave");
  if (now === "waiting" && !troubled) announce(WORDS.waiting);
  if (now === "saved" && troubled) announce(say("Connected again. Everything is saved."));
  if (now === "waiting" || now === "saved") troubled = now === "waiting";
}

/** What the page is to do as soon as there is a connection, in a sentence; "" for nothing. */
export function wishFor(words) {
  wish = words;
  if (state.dataset.saveState !== "waiting") return;
  showState("waiting");
  if (words) announce(words);
}

/** The wish has to wait for the connection, which may be gone while everything is saved. */
export function sayWaiting() {
  showState("waiting");
  announce(wish || WORDS.waiting);
}

/** Pages that are kept (visiting.js) show an answer that does not count; of one position, not done. */
function stale(position) {
  document.dispatchEvent(new CustomEvent("crowdwright:stale", { detail: { position } }));
}

/** The page shows an answer that does not count. */
function outdated() {
  tell(say("You changed this answer later in another tab or on another device. The later answer counts."), "dismiss");
  document.dispatchEvent(new CustomEvent("crowdwright:outdated"));
}

/** Once a minute a save asks, so that no page that is kept shows a text withdrawn long ago. */
function isTimeToAsk() {
  if (Date.now() - asked < ASKING) return false;
  asked = Date.now();
  return true;
}

/** A storage of the browser; null where it forbids it. */
function storage(name) {
  try {
    return window[name];
  } catch {
    return null;
  }
}

const tab = await tabId();
export const queue = createQueue({ storage: storage("localStorage"), token, tab, numbers });
const recent = createRecent({ storage: storage("sessionStorage"), token });
const outbox = answersOutbox({
  queue,
  refused(change, sentence) {
    takeBack(change);
    tell(sentence, "dismiss");
    if (!positions().has(change.position)) stale(change.position);
  },
  asks: isTimeToAsk,
  withdrawn: () => stale(),
  known: Number(document.body.dataset.withdrawn) || 0,
  saved: (entries) => entries.length && recent.add(entries),
  late(entry) {
    recent.drop(entry);
    if (!positions().has(entry.change.position)) stale();
    else if (!isOutdated(entry.change)) outdated();
  },
});
export const sender = createSender({
  outbox,
  numbers,
  tab,
  urls: { here: hereUrl, send: answersUrl },
  post,
  later,
  report,
});

// -- Fields -----------------------------------------------------------------------------------

const item = () => document.querySelector("[data-item]");
const position = () => Number(item()?.dataset.item); // of the first instrument that is asked here

/** All positions of this page: it may ask several instruments about its texts. */
function positions() {
  const fields = [...document.querySelectorAll("[data-field]")];
  return new Set([position(), ...fields.map(({ dataset }) => Number(dataset.position))]);
}

function put(field) {
  const raw = rawOf(field);
  const reasons = field.querySelector("[data-reason-block]");
  if (reasons) reasons.hidden = !raw;
  if (!raw && !("optional" in field.dataset)) return;
  field.dataset.number = queue.put({
    position: Number(field.dataset.position),
    question: field.dataset.question,
    slot: field.dataset.slot,
    raw,
    milliseconds: clock.elapsed(),
    comment: field.querySelector("[data-reason]")?.value ?? "",
  });
}

function take(target) {
  const field = target.closest("[data-field]");
  if (field) put(field);
  else if (target.matches("[data-remark]")) {
    target.dataset.number = queue.put({ position: position(), text: target.value });
  }
}

document.addEventListener("input", ({ target }) => {
  if (!target.closest("[data-questions]")) return;
  take(target);
  if (!queue.size) return;
  clearTimeout(typing);
  if (target.type === "radio") sender.pump();
  else typing = setTimeout(sender.pump, TYPING);
});

document.addEventListener("change", ({ target }) => {
  const typed = target.closest("[data-questions]") && target.type !== "radio";
  if (!typed) return;
  const wrong = target.parentElement.querySelector("[data-wrong]");
  if (wrong) {
    wrong.hidden = target.validity.valid;
    target.setAttribute("aria-invalid", String(!target.validity.valid));
  }
  sender.pump();
});

function fieldOf(change) {
  return [...document.querySelectorAll("[data-field]")].find(
    ({ dataset }) =>
      Number(dataset.position) === change.position &&
      dataset.question === change.question &&
      dataset.slot === (change.slot || ""),
  );
}

const placeOf = (change) => ("text" in change ? document.querySelector("[data-remark]") : fieldOf(change));

/** Does the page show something newer than this change? */
function isOutdated(change) {
  return Number(placeOf(change)?.dataset.number) > change.number;
}

/** Show an answer that was given, and may not be saved yet. */
function restore(change) {
  if (isOutdated(change)) return;
  if ("text" in change) {
    const remark = document.querySelector("[data-remark]");
    remark.value = change.text;
    remark.dataset.number = change.number;
    remark.closest("details").open = Boolean(change.text);
    return;
  }
  const field = fieldOf(change);
  if (!field) return;
  field.dataset.number = change.number;
  show(field, change.raw);
  const reason = field.querySelector("[data-reason]");
  if (!reason) return;
  reason.value = change.comment;
  field.querySelector("[data-reason-block]").hidden = !change.raw;
}

/** Is something typed here that is no answer yet, such as a number out of range? */
function isHalfTyped(change) {
  const typed = placeOf(change)?.querySelector("[data-answer]:not([type=radio])");
  return Boolean(typed && (typed.value.trim() || typed.validity.badInput) && !typed.validity.valid);
}

/** Show the answers of the server that are newer than what the page shows. */
export function showNewer(changes) {
  const newer = changes.filter((change) => {
    const place = placeOf(change);
    return place && change.number > (Number(place.dataset.number) || 0) && !isHalfTyped(change);
  });
  newer.forEach(restore);
  document.dispatchEvent(new CustomEvent("crowdwright:answers"));
}

/** An answer was refused: do not show it as if it counted. */
function takeBack(change) {
  if ("text" in change) return;
  const field = fieldOf(change);
  const chosen = field?.querySelector("input[type=radio]:checked, input[type=range]:not([data-unset])");
  if (chosen?.value !== change.raw) return;
  show(field, "");
  field.dataset.number = 0;
  document.dispatchEvent(new CustomEvent("crowdwright:answers"));
}

/** What was answered or typed before this module was there, on a slow connection. */
function catchUp() {
  for (const input of document.querySelectorAll("[data-answer], [data-reason], [data-remark]")) {
    const isNew =
      input.type === "radio"
        ? input.checked && !input.defaultChecked
        : input.value !== input.defaultValue;
    if (isNew) take(input);
  }
}

/** An item appeared. */
function begin() {
  clock.restart();
  if (!item()) return;
  for (const at of positions()) {
    for (const change of [...recent.of(at), ...queue.of(at)]) restore(change);
  }
  document.dispatchEvent(new CustomEvent("crowdwright:answers"));
}

document.addEventListener("crowdwright:item", begin);

// -- The connection, and the page's coming and going ------------------------------------------

/**
 * Send what there is, and say that this tab is the one that saves. The last page has nothing to
 * send, and its form works before the module that sends it is there: with a number that is lower
 * than that of such a wish, so that the work would not be handed in.
 */
function goOn(send = sender.pump) {
  if (item() || queue.size) send();
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    clock.pause();
    sender.flush();
  } else {
    clock.resume();
    goOn();
  }
});
addEventListener("pagehide", () => sender.flush());
addEventListener("online", () => goOn(sender.reconnected));
addEventListener("beforeunload", (event) => {
  if (queue.size && !sender.halted) event.preventDefault();
});

note?.addEventListener("click", ({ target }) => {
  if (target.closest("[data-dismiss], [data-continue-here]")) note.hidden = true;
  if (target.closest("[data-continue-here]")) sender.begin();
});
note?.querySelector("[data-leave]").setAttribute("href", workUrl);

if (item()) catchUp();
begin();
if (document.hidden) clock.pause();
goOn();
