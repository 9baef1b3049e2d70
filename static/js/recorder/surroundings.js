// Records what happens around the editor: the window, the passages, named parts that are clicked.

import { sourceText } from "../source-text.js";
import { asField } from "./text.js";

const SCROLLING = 250; // ms between two records
const SIZING = 500;
const GLANCE = 500; // ms; a passage that was in view for less was scrolled past
const IN_VIEW = 0.5; // of the passage, or of the list
const COVERED = "dialog[open]"; // all of ours lie over the whole page

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

/** Can the list be seen: the page is shown, nothing covers it, and its drawer is open? */
function isSeen(list) {
  return !document.hidden && getComputedStyle(list).visibility === "visible" && !document.querySelector(COVERED);
}

/**
 * How long each passage was really in view, in the tab that has its turn.
 *
 * @param {() => boolean} hasTurn
 */
export function watchDwell(list, passages, record, hasTurn) {
  const since = new Map(); // passage -> when it came into view
  const inView = new Set();
  let counting = false; // what an observer finds in place is not always seen

  function end(passage) {
    const duration = Math.round(performance.now() - since.get(passage));
    since.delete(passage);
    if (duration >= GLANCE) record("dwell", { passage, duration });
  }

  function begin(passage) {
    if (counting) since.set(passage, performance.now());
  }

  function pause() {
    counting = false;
    [...since.keys()].forEach(end);
  }

  /** Count from now on, or no longer, as it is. */
  function look() {
    const seen = hasTurn() && isSeen(list);
    if (seen === counting) return;
    if (!seen) pause();
    counting = seen;
    if (seen) inView.forEach(begin);
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
  // The drawer opens and closes by an attribute, as dialogs do.
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    attributes: true,
    attributeFilter: ["data-open", "open"],
  });
  addEventListener("resize", look);
  look();

  return { pause, look };
}

/**
 * Is the writer in this window? Other parts of our page are no absence; a page that goes, as at a
 * reload or on the way to the last step, is none either.
 */
export function watchPresence(record) {
  let here = null; // nobody has said yet
  let leaving = false;
  const look = () => {
    const now = !document.hidden && document.hasFocus();
    if (leaving || now === here) return;
    here = now;
    record(now ? "back" : "away", {});
  };
  addEventListener("pagehide", () => {
    leaving = true;
  });
  for (const type of ["focus", "blur"]) addEventListener(type, look);
  return {
    look,
    /** The log goes on in this tab: it has to know how it begins. */
    begin() {
      here = null;
      look();
    },
    get leaving() {
      return leaving;
    },
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
  /** Copy a whole passage, by the keyboard; resolves to whether the browser let us. */
  async function copy(passage) {
    const text = asField(sourceText(passage.querySelector("[data-passage-text]")));
    const found = { text, number: Number(passage.dataset.passage) };
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return false;
    }
    remember(found);
    record("copy", { source: "passage", passage: found.number, length: text.length });
    return true;
  }

  document.addEventListener("dragstart", ({ target }) => {
    const found = target.matches?.("textarea, input") ? null : taken();
    if (found) remember(found);
  });
  return copy;
}

/**
 * @param {object} options
 * @param {HTMLTextAreaElement} options.field
 * @param {HTMLElement} options.list  what the passages scroll in
 * @param {HTMLElement[]} options.passages  with data-passage
 * @param {(type: string, fields: object) => void} options.record
 * @param {ReturnType<import("./clipboard.js").createClipboard>} options.clipboard
 * @param {() => boolean} options.hasTurn  is this the tab that writes
 */
export function watchSurroundings({ field, list, passages, record, clipboard, hasTurn }) {
  const dwell = watchDwell(list, passages, record, hasTurn);
  const presence = watchPresence(record);
  const copy = watchCopies(record, clipboard);
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
      if (!presence.leaving) record("hidden", {});
      presence.look();
    },
    shown() {
      record("shown", {});
      presence.look();
      dwell.look();
    },
    /** The page goes, or another tab has its turn. */
    pause: dwell.pause,
    copy,
    /** This tab got its turn, or lost it. */
    turned: dwell.look,
    /** The log begins, or goes on, in this tab. */
    begin() {
      sized();
      presence.begin();
      dwell.look();
    },
  };
}
