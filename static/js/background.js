// The background that is pinned beside the texts stays folded, or open, from page to page.

import { keep, kept } from "./preferences.js";

const box = () => document.querySelector("[data-background]");

document.addEventListener("toggle", ({ target }) => target === box() && keep("background", target.open), true);

function begin() {
  if (box()) box().open = kept("background", true);
}

document.addEventListener("crowdwright:item", begin);
begin();
