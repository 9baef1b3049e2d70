// Records a microphone in chunks, which are sent while it records and kept until they have arrived.

import { Refused } from "./sending.js";

const SLICE = 2000; // milliseconds of a chunk

/** Return the stream of the microphone, null if the browser denies it. */
export async function microphone() {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch {
    return null;
  }
}

/**
 * Record until the button `stop` is selected, then wait for the last chunk.
 * @param {object} options
 * @param {MediaStream} options.stream
 * @param {ReturnType<typeof import("./sending.js").createSending>} options.sending
 * @param {HTMLElement} options.stop
 * @param {() => void} options.begun  when the recording begins
 * @param {() => void} options.ended  when it has ended and the rest is sent
 */
export async function record({ stream, sending, stop, begun, ended }) {
  const recorder = new MediaRecorder(stream, { mimeType: "audio/webm;codecs=opus" });
  let refused = null;
  try {
    const hasStopped = new Promise((resolve) => recorder.addEventListener("stop", resolve));
    const refuse = (error) => {
      refused ??= error;
      if (recorder.state !== "inactive") recorder.stop();
    };
    recorder.addEventListener("dataavailable", ({ data }) => {
      if (data.size && !refused) sending.add(data).catch(refuse);
    });
    recorder.start(SLICE);
    const start = performance.now();
    sending.begin(() => performance.now() - start).catch(refuse);
    begun();
    stop.hidden = false;
    stop.addEventListener("click", () => recorder.state !== "inactive" && recorder.stop(), { once: true });
    await hasStopped;
  } finally {
    stop.hidden = true;
    for (const track of stream.getTracks()) track.stop();
  }
  ended();
  if (refused) throw refused;
  await sending.finish();
}

const leaving = (event) => event.preventDefault(); // the browser asks before chunks are lost

/**
 * Run what saves a recording, then reload the page; a refusal is shown and can be tried again.
 * @param {HTMLElement} state  with the sentences
 * @param {HTMLElement[]} buttons  that start another one
 * @param {() => Promise<void>} run
 */
export async function saveAndReload(state, buttons, run) {
  const busy = (is) => {
    for (const button of buttons) button.disabled = is;
    if (is) addEventListener("beforeunload", leaving);
    else removeEventListener("beforeunload", leaving);
  };
  busy(true);
  state.textContent = state.dataset.saving;
  try {
    await run();
    busy(false);
    location.reload();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    busy(false);
    state.textContent = error.message || state.dataset.failed;
  }
}
