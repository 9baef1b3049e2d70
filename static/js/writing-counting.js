// Counts the words and looks at the citations while somebody writes; it never stands in their way.

import { say, sayCount } from "./words.js";
import { citationsOf, countWords, faultsOf, lengthOf } from "./writing-words.js";

const PAUSE = 150; // ms after an input
const ROOM = 1.25; // the meter goes on a little behind the range

const { low, target, high } = document.body.dataset;
const range = { low: Number(low), target: Number(target), high: Number(high) };
const field = document.querySelector("[data-text]");
const part = (name) => document.querySelector(`[data-${name}]`);
const meter = part("words");
const passages = new Set(
  [...document.querySelectorAll("[data-passage]")].map(({ dataset }) => Number(dataset.passage)),
);
let timer = 0;

function showWords(text) {
  const count = countWords(text);
  const { place, words } = lengthOf(count, range);
  part("words-count").textContent = count;
  part("words-noun").textContent = sayCount("word", "words", count);
  if (part("words-aim").textContent !== words) part("words-aim").textContent = words;
  meter.dataset.place = place;
  const end = range.high * ROOM;
  meter.style.setProperty("--filled", Math.min(1, count / end));
  meter.style.setProperty("--low", range.low / end);
  meter.style.setProperty("--high", range.high / end);
}

function showCited(citations) {
  const times = new Map();
  for (const number of citations.flatMap((each) => each.numbers)) {
    times.set(number, (times.get(number) ?? 0) + 1);
  }
  for (const passage of document.querySelectorAll("[data-passage]")) {
    const count = times.get(Number(passage.dataset.passage)) ?? 0;
    const mark = passage.querySelector("[data-cited]");
    mark.hidden = !count;
    mark.textContent = count > 1 ? say("cited {count} times", { count }) : say("cited");
    passage.toggleAttribute("data-is-cited", count > 0);
  }
  const count = [...passages].filter((number) => times.has(number)).length;
  part("drawer-count").textContent = count ? say("{count} cited", { count }) : "";
}

/** A list of the citations that name no passage; each button shows where it stands. */
function showFaults(citations) {
  const faults = faultsOf(citations, passages);
  part("faults").hidden = !faults.length;
  part("faults-list").replaceChildren(
    ...faults.map(({ words, start, end }) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: words });
      button.ariaLabel = say("{citation}: show in text", { citation: words });
      button.addEventListener("click", () => {
        field.focus();
        field.setSelectionRange(start, end);
      });
      const item = document.createElement("li");
      item.append(button);
      return item;
    }),
  );
}

let shown = "";

/** Show how it stands with the text of the editor. */
export function recount() {
  const text = field.value;
  showWords(text);
  const citations = citationsOf(text);
  const now = JSON.stringify(citations);
  if (now === shown) return;
  shown = now;
  showCited(citations);
  showFaults(citations);
}

field.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(recount, PAUSE);
});
recount();
