// Where to go on: what the server has, and what browsers kept that it has not. Pure.

import { rebuilt } from "./text.js";

/**
 * @typedef {{number: number, seq: number, text: string}} Position  of the next chunk and event
 * @typedef {{tab: string, number: number, events: object[]}} Kept  a chunk without acknowledgement
 * @typedef {{tab: string, text: string, ms: number, at: number, caret: number}} Draft
 */

/** The chunks of a tab that continue what the server has; null if there are none or a gap. */
function continuing(server, chunks) {
  const later = chunks
    .filter((chunk) => chunk.number >= server.number && chunk.events.length)
    .sort((one, other) => one.number - other.number);
  if (!later.length) return null;
  let { number, seq } = server;
  for (const chunk of later) {
    if (chunk.number !== number || chunk.events[0].seq !== seq) return null;
    number += 1;
    seq += chunk.events.length;
  }
  try {
    const text = rebuilt(server.text, later.flatMap((chunk) => chunk.events));
    return { chunks: later, number, seq, text };
  } catch {
    return null; // they belong to another text
  }
}

/** Two texts, one below the other; once where the one holds the other. */
function both(before, newer) {
  if (before.includes(newer)) return before;
  return newer.includes(before) ? newer : `${before}\n\n${newer}`;
}

/**
 * Decide which text is the text.
 *
 * The server's, continued by the kept chunks of one tab where they follow on it. Whatever else was
 * kept belongs to a text that went on elsewhere: the newest of those that says something else is
 * offered as `stranded`, never dropped in silence; below one that nobody has decided upon yet.
 *
 * @param {Position} server
 * @param {{chunks: Kept[], drafts: Draft[]}} kept
 */
export function resumed(server, { chunks, drafts }) {
  const tabs = [...new Set(chunks.map((chunk) => chunk.tab))];
  const draftOf = (tab) => drafts.find((draft) => draft.tab === tab);
  const found = tabs
    .map((tab) => {
      const way = continuing(server, chunks.filter((chunk) => chunk.tab === tab));
      return way && { ...way, tab, at: draftOf(tab)?.at ?? 0 };
    })
    .filter(Boolean)
    .sort((one, other) => other.at - one.at || other.seq - one.seq);
  const best = found[0] ?? { chunks: [], number: server.number, seq: server.seq, tab: null, text: server.text };
  const newest = drafts.filter((draft) => draft.tab !== "stranded").sort((one, other) => other.at - one.at);
  const before = drafts.find((draft) => draft.tab === "stranded"); // not dealt with yet
  const stranded = newest.find(
    ({ tab, text }) =>
      tab !== best.tab && tabs.includes(tab) && text !== best.text && text !== server.text && text.trim(),
  );
  const known = newest.find((draft) => draft.tab === best.tab) ?? newest[0];
  return {
    chunks: best.chunks.map(({ number, events }) => ({ number, events })),
    number: best.number,
    seq: best.seq,
    text: best.text,
    stranded: both(before?.text ?? "", stranded?.text ?? ""),
    caret: known && known.text === best.text ? known.caret : best.text.length,
    ms: Math.max(0, ...drafts.map((draft) => draft.ms), ...best.chunks.map((chunk) => chunk.events.at(-1).ms)),
    at: Math.max(0, ...drafts.map((draft) => draft.at)),
  };
}
