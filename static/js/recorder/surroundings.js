// Records what happens around the editor: the window, the passages, named parts that are clicked.

import { asField } from "./text.js";

const SCROLLING = 250; // ms between two records
const SIZING = 500;
const GLANCE = 500; // ms; a passage that was in view for less was scrolled past
const IN_VIEW = 0.5; // of the passage, or of the list

/** At most one call each `wait` ms, the last one included. */
function throttled(run, wait) {
  let timer = 0;
  return () => {
    timer ||= setTimeout(() => {
      timer = 0;
      run();
    }, wait);
  };
}

/** How long each passage was in view; time while the page is hidden does not count. */
export function watchDwell(list, passages, record) {
  const since = new Map(); // passage -> when it came into view
  const inView = new Set();

  function end(passage) {
    const duration = Math.round(performance.now() - since.get(passage));
    since.delete(passage);
    if (duration >= GLANCE) record("dwell", { passage, duration });
  }

  function begin(passage) {
    if (!document.hidden) since.set(passage, performance.now());
  }

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, intersectionRatio, intersectionRect, rootBounds } of entries) {
        const passage = Number(target.dataset.passage);
        const much = intersectionRect.height >= IN_VIEW * (rootBounds?.height ?? Infinity);
        const seen = isIntersecting && (intersectionRatio >= IN_VIEW || much);
        if (seen && !inView.has(passage)) begin(passage);
        if (!seen && since.has(passage)) end(passage);
        if (seen) inView.add(passage);
        else inView.delete(passage);
      }
    },
    { root: list, threshold: [0, 0.25, 0.5, 0.75, 1] },
  );
  for (const passage of passages) observer.observe(passage);

  return {
    pause: () => [...since.keys()].forEach(end),
    resume: () => inView.forEach(begin),
  };
}

/** Copies out of a passage: remembered, so that a paste can be told from one from outside. */
function watchCopies(record, clipboard) {
  const inPassage = (node) => node && (node.nodeType === 1 ? node : node.parentElement)?.closest("[data-passage]");
  const taken = () => {
    const chosen = document.getSelection();
    const passage = inPassage(chosen?.anchorNode) ?? inPassage(chosen?.focusNode);
    const text = asField(String(chosen ?? ""));
    return passage && text ? { text, number: Number(passage.dataset.passage) } : null;
  };
  const remember = ({ text, number }) => clipboard.remember(text, { source: "passage", passage: number });
  document.addEventListener("copy", ({ target }) => {
    const found = target.matches?.("textarea, input") ? null : taken();
    if (!found) return;
    remember(found);
    record("copy", { source: "passage", passage: found.number, length: found.text.length });
  });
  document.addEventListener("dragstart", ({ target }) => {
    const found = target.matches?.("textarea, input") ? null : taken();
    if (found) remember(found);
  });
}

/**
 * @param {object} options
 * @param {HTMLTextAreaElement} options.field
 * @param {HTMLElement} options.list  what the passages scroll in
 * @param {HTMLElement[]} options.passages  with data-passage
 * @param {(type: string, fields: object) => void} options.record
 * @param {ReturnType<import("./clipboard.js").createClipboard>} options.clipboard
 */
export function watchSurroundings({ field, list, passages, record, clipboard }) {
  const dwell = watchDwell(list, passages, record);
  watchCopies(record, clipboard);
  for (const [part, element] of [["editor", field], ["passages", list]]) {
    const scrolled = () => record("scroll", { part, top: Math.max(0, Math.round(element.scrollTop)) });
    element.addEventListener("scroll", throttled(scrolled, SCROLLING), { passive: true });
  }
  const sized = () => record("resize", { width: innerWidth, height: innerHeight });
  addEventListener("resize", throttled(sized, SIZING));
  document.addEventListener("click", ({ target }) => {
    const part = target.closest("[data-part]");
    if (part) record("click", { target: part.dataset.part });
  });
  return {
    /** Call before the page's last events are sent. */
    hidden() {
      dwell.pause();
      record("hidden", {});
    },
    shown() {
      record("shown", {});
      dwell.resume();
    },
    pause: dwell.pause,
    sized,
  };
}
