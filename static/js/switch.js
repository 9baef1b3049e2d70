// The switch at the foot of narrow pages: shows which part is in view, and brings a worker back to
// the line of a part that they left.

/** @type {Map<string, number>} where a part was left, from its upper end */
const left = new Map();

/** Side by side the texts are one part, so that of the links some are hidden. */
const links = () =>
  [...document.querySelectorAll("[data-switch] a")].filter((link) => link.offsetParent);
const partOf = (link) => document.querySelector(link.hash);
const shown = () => links().find((link) => link.hasAttribute("aria-current"));

function mark(link) {
  for (const each of document.querySelectorAll("[data-switch] a")) {
    each.removeAttribute("aria-current");
  }
  link?.setAttribute("aria-current", "true");
}

/** The part that the middle of the window is in; at the upper end the first, however short. */
function inView() {
  if (scroller().scrollTop < 1) return links()[0];
  const middle = innerHeight / 2;
  return links().findLast((link) => partOf(link).getBoundingClientRect().top <= middle);
}

const scroller = () => document.querySelector("[data-parts]");

let waiting = false;
let jumped = -Infinity; // where the last jump ended: a short part may not reach the middle there

function look() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    if (Math.abs(scroller().scrollTop - jumped) > 24) mark(inView() ?? links()[0]);
  });
}

document.addEventListener("scroll", look, { capture: true, passive: true });
addEventListener("resize", look);

/** Go to where the part was left, or to its beginning. */
function goTo(link) {
  const part = partOf(link);
  const top = part.getBoundingClientRect().top;
  const from = shown();
  if (from && from !== link) left.set(from.hash, -partOf(from).getBoundingClientRect().top);
  const again = left.get(link.hash);
  left.delete(link.hash);
  if (again > 0) scroller().scrollBy(0, top + again);
  else part.scrollIntoView();
  jumped = scroller().scrollTop;
  mark(link);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-switch] a");
  if (!link) return;
  event.preventDefault();
  goTo(link);
});

document.addEventListener("crowdwright:item", () => {
  left.clear();
  jumped = -Infinity;
  look();
});

/** A link taken before this script was there has moved the page: its part is the one in view. */
const early = links().find((link) => link.hash === location.hash);
if (early) goTo(early);
else look();
