// The text at a moment, each piece marked by where it came from, and the legend's shares.

import { kindOf, pieces, shares } from "./player.js";

const HUES = 6; // static/css/replay.css has as many
const WORDS = { own: "moved or repeated from the own text", foreign: "from elsewhere" };

function marked(piece, code) {
  const kind = kindOf(code);
  if (kind === "typed") return document.createTextNode(piece);
  const element = document.createElement("mark");
  element.className = `from-${kind}`;
  element.dataset.origin = kind;
  element.title = WORDS[kind] ?? `from passage ${code}`;
  if (kind === "passage") {
    element.classList.add(`hue-${code % HUES}`);
    element.dataset.from = code;
  }
  element.textContent = piece;
  return element;
}

/** The nodes of a moment; the caret stands where the last change ended. */
function nodesOf(moment, caret) {
  const nodes = [];
  let start = 0;
  for (const { text, code } of pieces(moment)) {
    const cut = moment.caret - start;
    if (cut >= 0 && cut < text.length && !caret.isConnected && !nodes.includes(caret)) {
      if (cut) nodes.push(marked(text.slice(0, cut), code));
      nodes.push(caret, marked(text.slice(cut), code));
    } else nodes.push(marked(text, code));
    start += text.length;
  }
  if (!nodes.includes(caret)) nodes.push(caret);
  return nodes;
}

/** Show moments in a box and their shares in the legend. */
export function createText({ box, legend }) {
  const caret = document.createElement("span");
  caret.className = "replay-caret";
  caret.setAttribute("aria-hidden", "true");
  let shown = -1;

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
    box.replaceChildren(...nodesOf(moment, caret));
    follow();
    for (const [kind, share] of Object.entries(shares(moment))) {
      const rest = share > 0 && share < 0.005 ? "<1" : Math.round(100 * share);
      legend.querySelector(`[data-share="${kind}"]`).textContent = `${rest} %`;
    }
  };
}
