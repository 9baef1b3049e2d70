// Checks again as soon as a choice changes: <form data-rechecks> with a button #ID-again. Arrow keys
// change a list with every press, so that choices by keyboard wait until the field is left, or for
// Enter. Without this module the button does it.

import { settled } from "./settled.js";

for (const form of document.querySelectorAll("[data-rechecks]")) {
  const button = document.getElementById(`${form.id}-again`);
  settled(form, () => button.click());
}
