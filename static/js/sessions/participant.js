// A participant records the session in their own browser, in a tab that stays open.

import { microphone, record, saveAndReload } from "./recording.js";
import { createSending } from "./sending.js";

const start = document.querySelector("[data-record]");
const stop = document.querySelector("[data-stop]");
const state = document.querySelector("[data-state]");
let isRecording = false;

const say = (name) => (state.textContent = state.dataset[name]);

const sending = createSending({
  url: location.pathname,
  token: () => "", // the address is the authority
  wait: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  report: (isWaiting) => say(isWaiting ? "waiting" : isRecording ? "recordingNow" : "saving"),
});

start.addEventListener("click", async () => {
  const stream = await microphone();
  if (!stream) {
    say("denied");
    return;
  }
  const begun = () => {
    isRecording = true;
    say("recordingNow");
  };
  const ended = () => {
    isRecording = false;
    say("saving");
  };
  saveAndReload(state, [start], () => record({ stream, sending, stop, begun, ended }));
});
