// The list of moments: a link to each mark, by kind.

import { addressOf, clock, targetOf } from "./moments.js";

const NAMES = { paste: "Pastes", jump: "Jumps", deletion: "Deletions", away: "Away", redo: "Redo" };

function signOf(kind) {
  const sign = document.createElement("span");
  sign.dataset.sign = kind;
  return sign;
}

function item(mark) {
  const [, , kind, what] = mark;
  const element = document.createElement("li");
  const link = document.createElement("a");
  link.href = addressOf(targetOf(mark));
  const time = document.createElement("time");
  time.textContent = clock(targetOf(mark));
  link.append(time, signOf(kind), ` ${what}`);
  element.append(link);
  element.dataset.kind = kind;
  return element;
}

/** Fill the list and its switches; returns how to tell it the moment. */
export function listMarks({ card, list, switches, marks, snapshots }) {
  const items = marks.map(item);
  list.replaceChildren(...items);
  card.hidden = marks.length === 0;
  for (const [kind, usual] of Object.entries(NAMES)) {
    const name = kind === "paste" && snapshots ? "At once" : usual;
    const number = marks.filter((mark) => mark[2] === kind).length;
    if (number) switches.append(toggle(kind, `${name} ${number}`, items));
  }
  let current = null;
  return (ms) => {
    const now = items[marks.findLastIndex((mark) => targetOf(mark) <= ms)] ?? null;
    if (now === current) return;
    current?.firstChild.removeAttribute("aria-current");
    now?.firstChild.setAttribute("aria-current", "true");
    if (now) list.scrollTop = now.offsetTop - list.clientHeight / 2;
    current = now;
  };
}

function toggle(kind, words, items) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "chip";
  button.append(signOf(kind), ` ${words}`);
  button.setAttribute("aria-pressed", "true");
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    for (const each of items) if (each.dataset.kind === kind) each.hidden = !on;
  });
  return button;
}
