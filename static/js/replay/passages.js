// The passages as the writer saw them: which one is in view at a moment, and for how long so far.

import { inView, spoken, viewedUntil } from "./moments.js";

/** @returns {(ms: number) => void} how to tell it the moment */
export function followPassages({ list, words, shown }) {
  const items = new Map(
    [...list.querySelectorAll("[data-passage]")].map((item) => [Number(item.dataset.passage), item]),
  );
  let before = null;

  function mark(viewing) {
    for (const [number, item] of items) {
      const isViewing = viewing.includes(number);
      item.toggleAttribute("data-viewing", isViewing);
      item.querySelector("[data-badge]").hidden = !isViewing;
    }
    const first = items.get(viewing[0]);
    if (first) list.scrollTop = first.offsetTop;
    const numbers = viewing.map((number) => `[${number}]`).join(", ");
    if (!shown.length) words.textContent = "no record of which were in view";
    else words.textContent = numbers ? `in view: ${numbers}` : "none in view";
  }

  return (ms) => {
    const viewing = inView(shown, ms).sort((a, b) => a - b);
    if (viewing.join() !== before) mark(viewing);
    before = viewing.join();
    const times = viewedUntil(shown, ms);
    for (const [number, item] of items) {
      const time = times.get(number);
      const said = time ? `viewed ${spoken(time)}` : "";
      const place = item.querySelector("[data-viewed]");
      if (place.textContent !== said) place.textContent = said;
    }
  };
}
