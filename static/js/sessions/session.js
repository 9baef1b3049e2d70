// A moderated session: upload or record its audio, seek by utterance, show the page at that time.

import { microphone, record, saveAndReload } from "./recording.js";
import { createSending } from "./sending.js";

const TIMEOUT = 30_000; // milliseconds
const root = document.querySelector("[data-session]");
const audio = root.querySelector("[data-audio]");
const visits = JSON.parse(document.getElementById("session-visits").textContent);
const state = root.querySelector("[data-state]");
const stop = root.querySelector("[data-stop]");
const starts = [root.querySelector("[data-send]"), root.querySelector("[data-record]")];
let shown = null; // the position of the page that is shown
let begun = 0; // when the recording here began, by the clock of this page

const offset = () => Number(root.dataset.offset);

// -- The page at a time ----------------------------------------------------------------------------

const visitAt = (seconds) =>
  visits.find((visit) => visit.start <= seconds && (visit.end === null || seconds < visit.end));

async function show(visit) {
  if (shown === (visit?.position ?? null)) return;
  shown = visit?.position ?? null;
  root.querySelector("[data-page-number]").textContent = shown ?? "";
  const link = root.querySelector("[data-page-link]");
  const place = root.querySelector("[data-page-shown]");
  link.hidden = !visit;
  place.replaceChildren();
  if (!visit) return;
  link.href = `${root.dataset.items.replace("/0/", `/${visit.item}/`)}?work=${root.dataset.work}`;
  const response = await fetch(link.href);
  if (!response.ok || shown !== visit.position) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const texts = page.querySelector("[data-judged-texts]");
  if (texts) place.replaceChildren(document.adoptNode(texts));
}

function seek(seconds) {
  if (audio) audio.currentTime = Math.max(0, seconds);
  show(visitAt(seconds + offset()));
}

const clock = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n) => String(n).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
};

function label(part) {
  for (const button of part.querySelectorAll("[data-seek]")) button.textContent = clock(Number(button.dataset.seek));
}

label(root);
root.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-seek]");
  if (button) seek(Number(button.dataset.seek));
});

audio?.addEventListener("timeupdate", () => show(visitAt(audio.currentTime + offset())));

root.querySelector("[data-appears]")?.addEventListener("change", (event) => {
  if (!event.target.value) return;
  const seconds = Number(event.target.value) - audio.currentTime;
  root.querySelector("#offset").value = seconds.toFixed(3);
});

// A note is saved without leaving the page, which may be recording.
root.querySelector("[data-note-form]").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const button = form.querySelector("button");
  const report = form.querySelector("[data-note-state]");
  if (button.disabled) return;
  const at = form.querySelector("[data-note-at]");
  at.value = begun ? ((performance.now() - begun) / 1000).toFixed(3) : audio ? audio.currentTime.toFixed(3) : "";
  const body = new FormData(form, event.submitter);
  button.disabled = true;
  let problem = report.dataset.failed;
  try {
    const response = await fetch(location.href, { method: "POST", body, signal: AbortSignal.timeout?.(TIMEOUT) });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const notes = page.querySelector("[data-notes]");
    if (response.ok && notes) {
      const list = root.querySelector("[data-notes]");
      list.replaceChildren(...document.adoptNode(notes).childNodes);
      label(list);
      form.reset();
      problem = "";
    } else problem = page.querySelector("[data-refused]")?.textContent || problem;
  } catch {
    // There is no connection: the note stays in its field.
  }
  report.textContent = problem;
  button.disabled = false;
});

// -- The recording ---------------------------------------------------------------------------------

const say = (name) => (state.textContent = name ? state.dataset[name] : "");

const sending = createSending({
  url: root.dataset.recording,
  token: () => root.querySelector("[name=csrfmiddlewaretoken]").value,
  wait: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  report: (isWaiting) => say(isWaiting ? "waiting" : begun ? "recordingNow" : "saving"),
});

const sent = (run) => saveAndReload(state, starts, run);

starts[0].addEventListener("click", () => {
  const file = root.querySelector("#audio").files[0];
  if (!file) return;
  const chunk = Number(root.dataset.chunk);
  sent(async () => {
    await sending.begin();
    for (let at = 0; at < file.size; at += chunk) await sending.add(file.slice(at, at + chunk));
    await sending.finish();
  });
});

starts[1].addEventListener("click", async () => {
  const stream = await microphone();
  if (!stream) {
    say("denied");
    return;
  }
  const start = () => {
    begun = performance.now();
    say("recordingNow");
  };
  const ended = () => {
    begun = 0;
    say("saving");
  };
  sent(() => record({ stream, sending, stop, begun: start, ended }));
});
