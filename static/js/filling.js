// Whoever tries a draft has the rest of the pages answered: what they answered themselves is sent
// first, so that it counts as theirs. Without a connection they read so, and may ask again.

import { sender } from "./saving.js";
import { say } from "./words.js";

const PATIENCE = 5_000; // ms for what is not saved yet
const TIMEOUT = 20_000; // ms for the answers

const form = () => document.querySelector("[data-fill-rest]"); // each page brings its own

function free() {
  form()?.querySelector("button").removeAttribute("aria-disabled");
}

function tell(sentence) {
  const said = form()?.querySelector("[data-fill-said]");
  if (said) said.textContent = sentence;
}

/** Rejects where it takes longer. */
function inTime(promise) {
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error("no connection")), PATIENCE);
  });
  return Promise.race([promise, late]);
}

async function fill(url) {
  await inTime(sender.drained());
  const signal = AbortSignal.timeout?.(TIMEOUT);
  const response = await fetch(url, { method: "POST", headers: { Accept: "text/html" }, signal });
  if (response.status >= 500) throw new Error(`status ${response.status}`);
  location.assign(response.redirected ? response.url : location.href);
}

document.addEventListener("submit", async (event) => {
  const asked = event.target.closest("[data-fill-rest]");
  if (!asked) return;
  event.preventDefault();
  const button = asked.querySelector("button");
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  tell("");
  try {
    await fill(asked.action);
  } catch {
    tell(say("No connection. Try again when you are back online. Your answers are kept on this device."));
    free();
  }
});

addEventListener("online", () => tell(""));
addEventListener("pageshow", free); // back by the browser's history
