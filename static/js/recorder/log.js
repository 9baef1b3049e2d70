// Numbers events and puts them into numbered chunks. Pure: docs/interaction-log.md is the format.

import { edited, pieces } from "./text.js";

export const VERSION = 1;
const MOST_UNITS = 100_000; // of text in one edit
const MOST_WEIGHT = 200_000; // about as many bytes; the server takes a chunk up to a million
const WEIGHT = 60; // of an event without its texts

/** @typedef {{seq: number, ms: number, type: string}} Event  and the fields of its type */
/** @typedef {{number: number, events: Event[]}} Chunk */

/** About how many bytes an event takes to send. */
function weightOf({ inserted = "", text = "", query = "" }) {
  return WEIGHT + 3 * (inserted.length + text.length + query.length);
}

/**
 * @param {object} options
 * @param {number} options.number  of the next chunk
 * @param {number} options.seq  of the next event
 * @param {string} options.text  what the events so far rebuild
 * @param {() => number} options.time
 */
export function createLog({ number, seq, text, time }) {
  /** @type {Event[]} */
  let open = [];
  /** @type {Chunk[]} */
  let sealed = [];
  let weight = 0;
  let last = 0;

  function close() {
    if (!open.length) return;
    sealed.push({ number, events: open });
    number += 1;
    open = [];
    weight = 0;
  }

  function add(type, fields = {}) {
    last = time();
    const event = { seq, ms: last, type, ...fields };
    seq += 1;
    open.push(event);
    weight += weightOf(event);
    if (weight > MOST_WEIGHT) close();
    return event;
  }

  return {
    /** The text that the events rebuild, edit by edit. */
    get text() {
      return text;
    },
    /** The number of the chunk that is being filled, and of the next event. */
    get next() {
      return { number, seq };
    },
    get ms() {
      return last;
    },
    /** The chunk that is being filled; null while it has no event. */
    get open() {
      return open.length ? { number, events: [...open] } : null;
    },
    /**
     * The chunks that were not taken, the one that is being filled last. With a text, as if they
     * ended with that text: the log itself has it not yet.
     *
     * @param {string} [whole]
     * @returns {Chunk[]}
     */
    untaken(whole = text) {
      const events = whole === text ? [...open] : [...open, { seq, ms: last, type: "snapshot", text: whole }];
      return events.length ? [...sealed, { number, events }] : [...sealed];
    },
    /** @param {string} type  any type but edit and snapshot */
    add,
    /** @param {import("./text.js").Edit} edit */
    edit(edit, input) {
      text = edited(text, edit); // throws before anything is recorded
      for (const piece of pieces(edit, MOST_UNITS)) add("edit", { ...piece, input });
    },
    /** The whole text: where the events do not tell how it came about. */
    snapshot(whole) {
      text = whole;
      add("snapshot", { text: whole });
    },
    /** The chunks that are full; with `all` also the one that is being filled. */
    take({ all }) {
      if (all) close();
      const chunks = sealed;
      sealed = [];
      return chunks;
    },
  };
}
