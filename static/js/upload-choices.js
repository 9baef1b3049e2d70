// What a choice on the page of an upload does at once. Without this module every choice waits for
// its button, or for that of the check.
//   <input data-then="check">            the server checks on its own where no question is open
//   <button data-applies="ID ID">        pressed as soon as one of these fields is settled; not seen
//   <table data-columns>                 a field is read from one column: the other one gives it up

import { settled } from "./settled.js";

for (const input of document.querySelectorAll("[data-then]")) input.value = input.dataset.then;

for (const button of document.querySelectorAll("[data-applies]")) {
  button.hidden = true;
  for (const id of button.dataset.applies.split(/\s+/)) {
    const field = document.getElementById(id);
    if (field) settled(field, () => setTimeout(() => button.click())); // after what a table does
  }
}

for (const table of document.querySelectorAll("[data-columns]")) {
  settled(table, (target) => {
    if (!target.name.startsWith("column-") || target.value === "" || target.value.endsWith(":")) return;
    for (const select of table.querySelectorAll("select[name^='column-']")) {
      if (select !== target && select.value === target.value) select.value = "";
    }
  });
}
