// The texts side by side: both scroll together if wished, and keys scroll those that are longer
// than their place.

import { keep, kept } from "./preferences.js";

const texts = () => [...document.querySelectorAll("[data-text]")];
const wide = matchMedia("(min-width: 68.75rem) and (min-height: 34rem)");
let leading = null; // the text that is being scrolled; the others follow

/** The boxes that scroll: the texts, and the list of documents. */
const boxes = () => [
  ...texts().filter((text) => !text.closest("[data-documents]")),
  ...document.querySelectorAll("[data-documents]"),
];

/** A box with more than it shows is a stop for the keyboard. */
function measure() {
  const long = boxes().filter((text) => wide.matches && text.scrollHeight > text.clientHeight + 1);
  for (const text of boxes()) {
    if (long.includes(text)) text.tabIndex = 0;
    else text.removeAttribute("tabindex");
  }
  const option = document.querySelector("[data-sync]");
  if (option) option.hidden = !long.some((box) => texts().includes(box)) || texts().length < 2;
}

/** Move the others by the same share of their way, so that all reach the end together. */
function follow(leader) {
  const way = leader.scrollHeight - leader.clientHeight;
  for (const text of texts()) {
    if (text === leader || way < 1) continue;
    text.scrollTop = (leader.scrollTop / way) * (text.scrollHeight - text.clientHeight);
  }
}

function lead({ target }) {
  leading = target.closest?.("[data-text]") ?? leading;
}

for (const type of ["pointerover", "focusin", "touchstart", "wheel"]) {
  document.addEventListener(type, lead, { passive: true });
}

document.addEventListener(
  "scroll",
  ({ target }) => {
    if (target !== leading || !kept("sync", false)) return;
    follow(target);
  },
  { capture: true, passive: true },
);

document.addEventListener("change", ({ target }) => {
  if (target.matches("[data-sync-box]")) keep("sync", target.checked);
});

const sizes = new ResizeObserver(measure);

function begin() {
  sizes.disconnect();
  for (const text of boxes()) sizes.observe(text);
  const box = document.querySelector("[data-sync-box]");
  if (box) box.checked = kept("sync", false);
  measure();
}

document.addEventListener("crowdwright:item", begin);
document.fonts.ready.then(measure); // a text grows or shrinks with its font, its box does not
begin();
