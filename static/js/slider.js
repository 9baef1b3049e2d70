// A slider has no answer until somebody uses it: dragging, a click or tap on its line, the buttons
// beside it, or a key. Its native value always is something, so `data-unset` tells that it is none.

const sliders = () => [...document.querySelectorAll("[data-slider]")];
const inputOf = (slider) => slider.querySelector("[data-answer]");
const KEYS = /^(Enter| |Home|End|Page(Up|Down)|Arrow(Left|Right|Up|Down))$/;

/** Say the value, or that there is none; a screen reader hears it from the slider itself. */
function refresh(slider) {
  const input = inputOf(slider);
  const said = slider.querySelector("[data-slider-value]");
  const unset = "unset" in input.dataset;
  said.textContent = unset ? said.dataset.none : input.value;
  if (unset) input.setAttribute("aria-valuetext", said.dataset.none);
  else input.removeAttribute("aria-valuetext");
  const clear = slider.querySelector("[data-slider-clear]");
  if (clear) clear.hidden = unset;
}

function tellOthers(input) {
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

/** The place where it is becomes the answer: no browser tells of a value that stays. */
function settle(input) {
  if (input.type === "range" && "unset" in input.dataset) tellOthers(input);
}

function step(input, by) {
  if (!("unset" in input.dataset)) input.stepUp(by);
  tellOthers(input);
}

function takeBack(input) {
  input.dataset.unset = "";
  refresh(input.closest("[data-slider]"));
  input.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: "cleared" }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
  input.focus();
}

// Before the other modules read the answer.
document.addEventListener(
  "input",
  (event) => {
    const slider = event.target.closest("[data-slider]");
    if (!slider || event.detail === "cleared") return;
    delete event.target.dataset.unset;
    refresh(slider);
  },
  { capture: true },
);

document.addEventListener("click", ({ target }) => {
  const slider = target.closest("[data-slider]");
  if (!slider) return;
  const button = target.closest("[data-slider-step]");
  if (button) step(inputOf(slider), Number(button.dataset.sliderStep));
  else if (target.closest("[data-slider-clear]")) takeBack(inputOf(slider));
  else if (target.matches("[data-answer]")) settle(target);
});

document.addEventListener("keydown", (event) => {
  if (event.target.type !== "range" || !KEYS.test(event.key)) return;
  if (event.key === "Enter" || event.key === " ") event.preventDefault();
  requestAnimationFrame(() => settle(event.target)); // after the browser has moved it
});

function begin() {
  for (const slider of sliders()) {
    for (const button of slider.querySelectorAll("[data-slider-step]")) button.hidden = false;
    refresh(slider);
  }
}

document.addEventListener("crowdwright:item", begin);
document.addEventListener("crowdwright:answers", () => sliders().forEach(refresh));
// What was moved before this module came is an answer.
for (const input of sliders().map(inputOf)) {
  if (input.value !== input.defaultValue) delete input.dataset.unset;
}
begin();
