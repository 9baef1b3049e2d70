// Which keys are ours: those that no field, dialog or shortcut of the browser wants.

const TYPING = "textarea, select, [contenteditable], input:not([type=checkbox], [type=range])";

/** Whether a key was pressed where it does nothing else. */
export function isFree(event) {
  if (event.defaultPrevented || event.isComposing) return false;
  if (event.altKey || event.ctrlKey || event.metaKey) return false;
  return !event.target.matches(TYPING) && !document.querySelector("dialog[open]");
}
