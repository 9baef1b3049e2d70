// What criteria and answers mean, also on hover. The fold beside a question shows everything on a
// click, a tap or a key, without this script; hovering over its sign opens it for as long as the
// pointer is there, and an answer shows its own meaning below while it is hovered over or reached
// with the keyboard. Escape closes both (WCAG 1.4.13).

const hovered = () => document.querySelector("[data-definition][data-hovered]");
const tips = () => [...document.querySelectorAll("[data-answer-tip]")];

function close() {
  const fold = hovered();
  if (!fold) return;
  delete fold.dataset.hovered;
  fold.open = false;
}

function hush() {
  for (const tip of tips()) tip.hidden = true;
}

function explain(input) {
  hush();
  const tip = input.closest("[data-field]").querySelector("[data-answer-tip]");
  tip.textContent = document.getElementById(input.getAttribute("aria-describedby")).textContent;
  tip.hidden = false;
}

document.addEventListener("pointerover", ({ target, pointerType }) => {
  if (pointerType !== "mouse") return;
  const fold = target.closest("[data-definition]");
  if (fold !== hovered()) close();
  if (fold && !fold.open && target.closest("summary")) {
    fold.dataset.hovered = "";
    fold.open = true;
  }
  const input = target.closest("label")?.querySelector("[data-explained]");
  if (input) explain(input);
  else if (!target.closest("[data-answer-tip]")) hush();
});

// A click on what hovering opened keeps it open.
document.addEventListener("click", (event) => {
  const fold = event.target.closest("[data-definition] > summary")?.parentElement;
  if (!fold || !("hovered" in fold.dataset)) return;
  event.preventDefault();
  delete fold.dataset.hovered;
});

document.addEventListener("focusin", ({ target }) => {
  if (target.matches("[data-explained]:focus-visible")) explain(target);
});
document.addEventListener("focusout", hush);

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  close();
  hush();
});
