// A part of the page that is being pressed is replaced after the release: a click needs the same
// element under the pointer at both of its ends.

let pressed = null;
const waiting = new Map(); // part -> its replacement

addEventListener("pointerdown", ({ target }) => (pressed = target), true);
for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => setTimeout(release), true);

function release() {
  pressed = null;
  const replacements = [...waiting.values()];
  waiting.clear();
  for (const replace of replacements) replace();
}

/** Replace the part now, or once the pointer is released; of several replacements the last one counts. */
export function whenReleased(part, replace) {
  if (pressed && part.contains(pressed)) waiting.set(part, replace);
  else replace();
}

// A part that htmx asks for again and again waits for its next turn.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const isPolled = detail.elt.getAttribute("hx-trigger")?.startsWith("every");
  if (isPolled && pressed && detail.target.contains(pressed)) detail.shouldSwap = false;
});
