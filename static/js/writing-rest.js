// Whoever tries a draft has the rest of the text written, to see how the work ends. It is put into
// the text as a citation is, so that the log has it; in a study there is no such button.

import { post } from "./network.js";
import { announce } from "./writing-state.js";
import { countWords } from "./writing-words.js";
import { say } from "./words.js";

/**
 * @param {HTMLTextAreaElement} field
 * @param {{insert: (text: string, type: string) => void}} recorder
 */
export function wireRest(field, recorder) {
  const button = document.querySelector("[data-write-rest]");
  button?.addEventListener("click", async () => {
    if (button.ariaDisabled === "true" || field.readOnly) return;
    button.ariaDisabled = "true";
    try {
      const { status, body } = await post(button.dataset.writeRest, { words: countWords(field.value) });
      if (status === 200 && body.text && !field.readOnly) {
        field.setSelectionRange(field.value.length, field.value.length);
        recorder.insert(body.text, "insertFilled");
      }
    } catch {
      announce(say("No connection. Try again when you are back online."));
    }
    button.removeAttribute("aria-disabled");
  });
}
