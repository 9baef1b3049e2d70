// What changed between two texts, as one edit, and texts rebuilt from edits. Pure. Positions count
// UTF-16 code units, as JavaScript does.

/** @typedef {{at: number, deleted: number, inserted: string}} Edit */

/** Where the caret or selection stands: [start, end]. @typedef {[number, number]} Range */

const isHigh = (code) => code >= 0xd800 && code <= 0xdbff;
const isLow = (code) => code >= 0xdc00 && code <= 0xdfff;

/** Is there a surrogate pair around this position? An edit must not begin or end there. */
export function splitsPair(text, at) {
  return at > 0 && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
}

function commonPrefix(one, other, most) {
  let length = 0;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

function commonSuffix(one, other, most) {
  let length = 0;
  const [a, b] = [one.length - 1, other.length - 1];
  while (length < most && one.charCodeAt(a - length) === other.charCodeAt(b - length)) length += 1;
  return length;
}

/** Widen an edit until it holds whole surrogate pairs only. */
function whole(old, now, prefix, suffix) {
  if (splitsPair(old, prefix) || splitsPair(now, prefix)) prefix -= 1;
  if (splitsPair(old, old.length - suffix) || splitsPair(now, now.length - suffix)) suffix -= 1;
  return [prefix, suffix];
}

/**
 * The edit that makes `now` of `old`; null if they are equal.
 *
 * Several edits may make the same text: of "aaa" any a may have been deleted. The carets say which.
 *
 * @param {string} old
 * @param {string} now
 * @param {{before?: Range, after?: Range}} carets  `before`: what was selected when the input
 *   began, if the input was there; `after`: where the caret stands now
 * @returns {Edit | null}
 */
export function difference(old, now, { before, after } = {}) {
  if (old === now) return null;
  const least = Math.min(old.length, now.length);
  let prefix = commonPrefix(old, now, least);
  let suffix = commonSuffix(old, now, least);
  if (before && after) {
    prefix = Math.min(prefix, before[0], after[0]);
    suffix = Math.min(suffix, old.length - before[1], now.length - after[1]);
  } else if (after && prefix + suffix > least) {
    suffix = Math.min(suffix, Math.max(now.length - after[1], least - prefix));
    prefix = least - suffix;
  }
  prefix = Math.max(0, Math.min(prefix, least));
  suffix = Math.max(0, Math.min(suffix, least - prefix));
  [prefix, suffix] = whole(old, now, prefix, suffix);
  return {
    at: prefix,
    deleted: old.length - prefix - suffix,
    inserted: now.slice(prefix, now.length - suffix),
  };
}

/** The text after an edit. Throws if the edit reaches outside of it. */
export function edited(text, { at, deleted, inserted }) {
  if (at < 0 || deleted < 0 || at + deleted > text.length) {
    throw new RangeError(`An edit at ${at} of ${deleted} in a text of ${text.length}.`);
  }
  return text.slice(0, at) + inserted + text.slice(at + deleted);
}

/** The text after some events. */
export function rebuilt(text, events) {
  for (const event of events) {
    if (event.type === "edit") text = edited(text, event);
    if (event.type === "snapshot") text = event.text;
  }
  return text;
}

/** One large edit in pieces of at most `most` units, so that none is too large to send. */
export function pieces(edit, most) {
  const parts = [];
  let from = 0;
  do {
    let to = Math.min(from + most, edit.inserted.length);
    if (to < edit.inserted.length && splitsPair(edit.inserted, to)) to -= 1;
    const deleted = from === 0 ? edit.deleted : 0;
    parts.push({ at: edit.at + from, deleted, inserted: edit.inserted.slice(from, to) });
    from = to;
  } while (from < edit.inserted.length);
  return parts;
}

/** Without what no server takes: NUL, and halves of surrogate pairs. Of the same length. */
export function wellFormed(text) {
  if (!/[\0\ud800-\udfff]/.test(text)) return text;
  return text
    .replaceAll("\0", "\ufffd")
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

// Scripts that put no space between words.
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** A piece with a space where it would touch a word or a mark. */
export function spaced(text, piece, start, end = start) {
  const before = text.slice(Math.max(0, start - 2), start);
  const after = text.slice(end, end + 2);
  if (UNSPACED.test(before) || UNSPACED.test(after)) return piece;
  const touches = /[\p{L}\p{N}.,;:!?)\]»”’"'%]$/u.test(before) && /^[\p{L}\p{N}[(«“]/u.test(piece);
  const cites = before.endsWith("]") && piece.startsWith("["); // [1][2] belong together
  const follows = /^[\p{L}\p{N}]/u.test(after) && /[\p{L}\p{N}.,;:!?)\]]$/u.test(piece);
  return `${touches && !cites ? " " : ""}${piece}${follows ? " " : ""}`;
}

/** Text as a <textarea> holds it. */
export function asField(text) {
  return text.replaceAll(/\r\n?/g, "\n");
}
