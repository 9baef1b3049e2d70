// Says how it stands with saving, and what can be done about it.

import { say } from "./words.js";
import { keep } from "./writing-backup.js";

const WORDS = {
  opening: say("Opening…"),
  saved: say("Saved"),
  saving: say("Saving…"),
  waiting: say("No connection: kept on this device, trying again"),
  elsewhere: say("Open elsewhere"),
  stopped: say("Closed"),
};
const LONG = 60_000; // ms without a connection until a backup is offered

const state = document.querySelector("[data-save-state]");
const note = document.querySelector("[data-save-note]");
const announcer = document.querySelector("[data-announcer]");
let wish = "";
let troubled = 0; // the timer of the backup, while there is no connection

/** Say something to people who do not see the page. */
export function announce(words) {
  announcer.textContent = words;
}

/** Show a sentence above the page until it is dealt with. `offer`: here, leave, backup or dismiss. */
export function tell(sentence, ...offers) {
  note.querySelector("[data-save-note-words]").textContent = sentence;
  for (const [name, offer] of [
    ["[data-continue-here]", "here"],
    ["[data-leave]", "leave"],
    ["[data-backup]", "backup"],
    ["[data-dismiss]", "dismiss"],
  ]) {
    note.querySelector(name).hidden = !offers.includes(offer);
  }
  note.hidden = false;
}

function offerBackup() {
  tell(
    say("You have been offline for a while. Your text is kept in this browser and sent when you are back online. To be safe, download a copy."),
    "backup",
    "dismiss",
  );
}

function trouble(there) {
  if (there && !troubled) {
    announce(WORDS.waiting);
    troubled = setTimeout(offerBackup, LONG);
  }
  if (there || !troubled) return;
  clearTimeout(troubled);
  troubled = 0;
  note.hidden = true;
  announce(say("Connected again. Everything is saved."));
}

/** What the page is to do as soon as there is a connection, in a sentence; "" for nothing. */
export function wishFor(words) {
  wish = words;
  if (state.dataset.saveState !== "waiting") return;
  show("waiting");
  if (words) announce(words);
}

function show(now) {
  state.dataset.saveState = now;
  state.querySelector("[data-save-words]").textContent = now === "waiting" && wish ? wish : WORDS[now];
}

/** @param {keyof typeof WORDS} now */
export function report(now, sentence) {
  if (now === "waiting") trouble(true);
  if (now === "saved") trouble(false);
  if (now === "saving" && troubled) return; // it still waits
  show(now);
  if (now === "elsewhere") tell(sentence, "here");
  if (now === "stopped") tell(sentence, "leave", "backup");
}

/** @param {{here: () => void, backup: () => object}} acts */
export function wireNote({ here, backup }) {
  note.addEventListener("click", ({ target }) => {
    if (target.closest("[data-dismiss], [data-continue-here]")) note.hidden = true;
    if (target.closest("[data-continue-here]")) here();
    if (target.closest("[data-backup]")) keep(backup());
  });
}
