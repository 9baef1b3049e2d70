// Listens to a <textarea> and records what happens in it.
//
// Whatever the browser says an input was, the edit is what changed between two values: so typing,
// pasting, dragging, undo, input methods, corrections and dictation are all exact.

import { asField, difference, spaced, wellFormed } from "./text.js";

// Inputs that happen where the caret is; others (undo, corrections) may happen anywhere.
const AT_CARET = /^(insert(Text|LineBreak|Paragraph|FromPaste|Citation|Space)|delete)/;
// An input method replaces its whole word at every letter, and selects it for that. Neither is
// something that the writer did: the edit is the letter that changed.
const COMPOSED = /Composition/;
const NOT_ALLOWED = /[\0\ud800-\udfff]/;
const SELECTING = 100; // ms without a change before a selection counts
const CODE = 100; // characters that the format takes

/**
 * @param {HTMLTextAreaElement} field
 * @param {object} session  record(type, fields), edit(edit, input), text
 * @param {ReturnType<import("./clipboard.js").createClipboard>} clipboard
 */
export function createRecorder(field, session, clipboard) {
  let before = null; // the selection when an input began
  let selected = [0, 0]; // the selection that the log knows
  let selecting = 0;
  let ours = ""; // the input type while a script inserts
  let dropping = null;
  let composing = false;
  let halved = false; // was half a surrogate pair left where it stood

  const selection = () => [field.selectionStart, field.selectionEnd];

  // -- The text -------------------------------------------------------------------------------

  function changed(type) {
    const now = field.value;
    const after = selection();
    const at = before && !composing && AT_CARET.test(type) && !COMPOSED.test(type) ? before : undefined;
    before = null;
    const edit = difference(session.text, now, { before: at, after });
    if (edit && NOT_ALLOWED.test(edit.inserted) && wellFormed(edit.inserted) !== edit.inserted) {
      if (edit.inserted.includes("\0")) repair();
      return; // half a surrogate pair: the other half comes with the next input
    }
    const dropped = dropping && type === "insertFromDrop";
    if (dropped) {
      session.record("drop", { at: edit?.at ?? after[0], ...dropping });
      dropping = null;
    }
    if (edit) session.edit(edit, type);
    if (dropped && edit) setTimeout(space, 0, edit.at, edit.inserted); // once this input is over
    clearTimeout(selecting);
    selecting = 0;
    selected = after;
  }

  /** Put spaces around what was dropped between two words; each can be undone. */
  function space(at, piece) {
    if (field.readOnly || field.value.slice(at, at + piece.length) !== piece) return;
    const rest = field.value.slice(0, at) + field.value.slice(at + piece.length);
    const wanted = spaced(rest, piece, at);
    const ends = [];
    if (wanted.endsWith(" ") && !piece.endsWith(" ")) ends.push(at + piece.length);
    if (wanted.startsWith(" ") && !piece.startsWith(" ")) ends.push(at);
    for (const place of ends) {
      field.setSelectionRange(place, place);
      insert(" ", "insertSpace");
    }
    const end = at + wanted.length;
    if (ends.length) field.setSelectionRange(end, end);
  }

  /** Put a text at the caret, as if it were typed: it can be undone. */
  function insert(text, type = "insertCitation") {
    field.focus();
    settle();
    before = selection();
    ours = type;
    if (!document.execCommand("insertText", false, text)) {
      field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
      changed(type); // a script's change is no input
    }
    ours = "";
  }

  /**
   * Take out what no server takes, where it stands; who `waits` leaves half a surrogate pair once:
   * its other half may just be coming.
   */
  function repair({ waits = false } = {}) {
    const [start, end] = selection();
    const value = wellFormed(field.value);
    const left = waits && !halved && value !== field.value && !field.value.includes("\0");
    halved = left;
    if (left || value === field.value) return;
    field.value = value;
    field.setSelectionRange(start, end);
    before = null;
    changed("repair");
  }

  function onInput(event) {
    changed(ours || event.inputType || "");
  }

  // -- The selection --------------------------------------------------------------------------

  function settle() {
    clearTimeout(selecting);
    selecting = 0;
    const [start, end] = selection();
    if (composing || (start === selected[0] && end === selected[1])) return;
    selected = [start, end];
    session.record("select", { start, end });
  }

  function onSelection() {
    if (document.activeElement !== field) return;
    const [start, end] = selection();
    if (start === selected[0] && end === selected[1]) return;
    clearTimeout(selecting);
    selecting = setTimeout(settle, SELECTING);
  }

  function onBeforeInput(event) {
    settle();
    before = selection();
    // Some browsers tell only here what is dragged.
    if (event.inputType === "insertFromDrop" && !dropping) dropping = carried(event.dataTransfer);
  }

  /** The selection that the writer made counts; those within the composition do not. */
  function onComposition({ type }) {
    if (type === "compositionstart") settle();
    composing = type === "compositionstart";
  }

  // -- Keys and the clipboard -----------------------------------------------------------------

  function onKey({ code, type, repeat, key }) {
    const modifier = /^(Shift|Control|Alt|Meta)/.test(key);
    if (!code || code.length > CODE || (repeat && modifier)) return;
    if (type === "keydown") settle();
    session.record("key", { code, down: type === "keydown" });
  }

  function onCopy({ type }) {
    settle();
    const [start, end] = selection();
    if (start === end) return;
    clipboard.remember(field.value.slice(start, end), { source: "own" });
    if (type === "cut") session.record("cut", { at: start, length: end - start });
    else session.record("copy", { source: "own", length: end - start });
  }

  function carried(data) {
    const text = asField(data?.getData("text/plain") ?? "");
    return { length: text.length, ...clipboard.originOf(text) };
  }

  function onPaste({ clipboardData }) {
    settle();
    session.record("paste", { at: field.selectionStart, ...carried(clipboardData) });
  }

  function onDrop({ dataTransfer }) {
    dropping = carried(dataTransfer);
  }

  function onDragStart() {
    const [start, end] = selection();
    clipboard.remember(field.value.slice(start, end), { source: "own" });
  }

  field.addEventListener("beforeinput", onBeforeInput);
  field.addEventListener("input", onInput);
  for (const type of ["compositionstart", "compositionend"]) field.addEventListener(type, onComposition);
  document.addEventListener("selectionchange", onSelection);
  for (const type of ["keydown", "keyup"]) field.addEventListener(type, onKey);
  for (const type of ["copy", "cut"]) field.addEventListener(type, onCopy);
  field.addEventListener("paste", onPaste);
  field.addEventListener("drop", onDrop);
  field.addEventListener("dragstart", onDragStart);
  for (const type of ["focus", "blur"]) {
    field.addEventListener(type, () => session.record(type, {}));
  }

  return {
    insert,
    /** A citation at the caret, with spaces where it would touch a word. */
    cite(mark) {
      field.focus();
      const [start, end] = selection();
      insert(spaced(field.value, mark, start, end), "insertCitation");
    },
    /** Show a text that the log knows already. */
    show(text, caret) {
      if (field.value !== text) field.value = text;
      field.setSelectionRange(caret, caret);
      if (caret === text.length) field.scrollTop = field.scrollHeight;
      selected = selection();
    },
    repair,
  };
}
