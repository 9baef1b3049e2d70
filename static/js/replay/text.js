// The text at a moment, each piece marked by where it came from, and the legend's shares.

import { span } from "./moments.js";
import { kindOf, pieces, shares, suddenness } from "./player.js";

const HUES = 6; // static/css/review.css has as many
const WORDS = {
  own: "moved or repeated from the writer's own text",
  foreign: "from elsewhere",
  unpasted: "inserted without paste, such as dictation",
};

/** Where a piece is from, in words. */
function wordsOf(code, steps) {
  const kind = kindOf(code);
  if (kind !== "sudden") return WORDS[kind] ?? `from passage ${code}`;
  const { size, gap, pace } = suddenness(steps, code);
  if (gap === null) return `${size} characters present when the recording begins`;
  const words = pace < 1.5 ? "a word or less" : `${Math.round(pace).toLocaleString("en")} words`;
  const after = gap < 10_000 ? `${(gap / 1000).toFixed(1)} s` : span(gap);
  return `${size} characters appeared at once, ${after} after the previous snapshot; if typed, ${words} a minute`;
}

function marked(piece, code, steps) {
  const kind = kindOf(code);
  if (kind === "typed") return document.createTextNode(piece);
  const element = document.createElement("mark");
  element.dataset.origin = kind;
  element.title = wordsOf(code, steps);
  if (kind === "passage") {
    element.dataset.hue = code % HUES;
    element.dataset.from = code;
  }
  element.textContent = piece;
  return element;
}

/** The nodes of a moment; the caret stands where the last change ended. */
function nodesOf(moment, caret, steps) {
  const nodes = [];
  let start = 0;
  for (const { text, code } of pieces(moment)) {
    const cut = moment.caret - start;
    if (cut >= 0 && cut < text.length && !caret.isConnected && !nodes.includes(caret)) {
      if (cut) nodes.push(marked(text.slice(0, cut), code, steps));
      nodes.push(caret, marked(text.slice(cut), code, steps));
    } else nodes.push(marked(text, code, steps));
    start += text.length;
  }
  if (!nodes.includes(caret)) nodes.push(caret);
  return nodes;
}

/** Show moments in a box and their shares in the legend. */
export function createText({ box, legend, steps, snapshots }) {
  const caret = document.createElement("span");
  caret.className = "replay-caret";
  caret.setAttribute("aria-hidden", "true");
  let shown = -1;
  legend.querySelector("[data-of-snapshots]").hidden = !snapshots;
  for (const row of legend.querySelectorAll("[data-of-recorder]")) row.hidden = snapshots;

  /** Bring the caret into view without moving the page. */
  function follow() {
    const at = caret.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    if (at.top < frame.top + 24) box.scrollTop += at.top - frame.top - 48;
    else if (at.bottom > frame.bottom - 24) box.scrollTop += at.bottom - frame.bottom + 48;
  }

  return function show(moment) {
    if (moment.count === shown) return;
    shown = moment.count;
    caret.remove();
    box.replaceChildren(...nodesOf(moment, caret, steps));
    follow();
    for (const [kind, share] of Object.entries(shares(moment))) {
      const rest = share > 0 && share < 0.005 ? "<1" : Math.round(100 * share);
      legend.querySelector(`[data-share="${kind}"]`).textContent = `${rest}%`;
    }
  };
}
