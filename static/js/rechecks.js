// Repeat the check when a choice changes: <form data-rechecks> with a button #ID-again. Arrow keys
// change a list with every press, so choices by keyboard wait for blur or Enter. Without this
// module, use the button.

import { settled } from "./settled.js";

for (const form of document.querySelectorAll("[data-rechecks]")) {
  const button = document.getElementById(`${form.id}-again`);
  settled(form, () => button.click());
}
