// The page where somebody writes: wires the recorder to the editor and to the server.

import { sourceText } from "./source-text.js";
import { numbersOf } from "./numbers.js";
import { keep } from "./preferences.js";
import { createClipboard } from "./recorder/clipboard.js";
import { createRecorder } from "./recorder/recorder.js";
import { createSession } from "./recorder/session.js";
import { openStore } from "./recorder/store.js";
import { wellFormed } from "./recorder/text.js";
import { watchSurroundings } from "./recorder/surroundings.js";
import { tabId } from "./tab.js";
import { say } from "./words.js";
import { recount } from "./writing-counting.js";
import { wireKeys } from "./writing-keys.js";
import { later, post } from "./network.js";
import { wirePassages } from "./writing-passages.js";
import { wireRest } from "./writing-rest.js";
import { announce, report, wireNote, wishFor } from "./writing-state.js";

const TICK = 2000; // ms
const TURN = 4000; // ms between two looks at whose turn it is, while nothing is sent
const ELSEWHERE = say("Your text is open in another tab. Choose “Continue here” to go on in this one.");

const { token, hereUrl, logUrl, turnUrl } = document.body.dataset;
const field = document.querySelector("[data-text]");
const finish = document.querySelector("[data-finish]");
const stranded = document.querySelector("[data-stranded]");
const passages = [...document.querySelectorAll("[data-passage]")];
const tabs = globalThis.BroadcastChannel ? new BroadcastChannel(`crowdwright.writing.${token}`) : null;

const tab = await tabId();
const session = createSession({
  token,
  tab,
  numbers: numbersOf(document.body.dataset),
  agent: navigator.userAgent.slice(0, 500),
  store: await openStore(),
  urls: { here: hereUrl, log: logUrl, turn: turnUrl },
  post,
  later,
  now: () => performance.now(),
  wall: () => Date.now(),
  page: {
    report(state, sentence) {
      report(state, sentence);
      if (state !== "elsewhere" && state !== "stopped") return;
      field.readOnly = true;
      around.turned();
    },
    show(text, caret) {
      recorder.show(text, caret); // also where it is the same: a new page has its caret at 0
      field.readOnly = false;
      recount();
    },
    stranded(text) {
      stranded.querySelector("[data-stranded-text]").textContent = text;
      stranded.showModal();
    },
    field: () => ({ text: wellFormed(field.value), caret: field.selectionEnd }),
  },
});

const clipboard = createClipboard(
  passages.map((passage) => ({
    number: Number(passage.dataset.passage),
    text: sourceText(passage.querySelector("[data-passage-text]")),
  })),
);
const recorder = createRecorder(field, session, clipboard);
const around = watchSurroundings({
  field,
  list: document.querySelector("[data-passages-list]"),
  passages,
  record: session.record,
  clipboard,
  hasTurn: () => session.live,
});
wireKeys(async (passage) => {
  const number = passage.dataset.passage;
  announce((await around.copy(passage)) ? say("Passage {number} copied", { number }) : say("This browser could not copy the passage. Select the text and copy it yourself."));
});
wirePassages(recorder, session.record);
wireRest(field, recorder);

async function here() {
  tabs?.postMessage(tab);
  await session.begin();
  around.begin();
  field.focus({ preventScroll: true });
}

wireNote({ here, backup: () => ({ token, ...session.backup() }) });

// -- Another tab, another text --------------------------------------------------------------------

tabs?.addEventListener("message", ({ data }) => {
  if (data === tab) return;
  around.pause(); // what was read here until now still counts
  session.yield(ELSEWHERE);
});

stranded.addEventListener("cancel", (event) => event.preventDefault()); // it has to be decided
stranded.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-stranded-keep], [data-stranded-use]")) return;
  stranded.close();
  if (target.closest("[data-stranded-use]")) {
    field.focus();
    field.select();
    recorder.insert(stranded.querySelector("[data-stranded-text]").textContent, "insertReplacementText");
  }
  session.strandedDone();
});

// -- The page's coming and going --------------------------------------------------------------------

setInterval(() => {
  recorder.repair({ waits: true });
  session.tick();
}, TICK);

setInterval(() => {
  if (!document.hidden) session.check();
}, TURN);

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    around.hidden();
    session.leave();
  } else {
    around.shown();
    session.pump();
  }
});
addEventListener("pagehide", () => {
  around.pause();
  session.leave();
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload(); // another page may have gone on meanwhile
});
addEventListener("online", () => session.reconnected());
addEventListener("beforeunload", (event) => {
  if (session.stuck && session.live) event.preventDefault();
});

/** To the last step, once the server has the whole text. */
finish.addEventListener("click", async (event) => {
  event.preventDefault();
  if (finish.getAttribute("aria-disabled") || field.readOnly) return;
  finish.setAttribute("aria-disabled", "true");
  announce(say("Sending your text"));
  wishFor(say("No connection. “{name}” opens when you are back online.", { name: finish.textContent.trim() }));
  recorder.repair();
  if (await session.drained()) {
    keep(`last.${token}`, session.number);
    location.assign(finish.href);
  }
  wishFor("");
  finish.removeAttribute("aria-disabled");
});

await here();
