// A part of a passage or response that somebody selects can become an entry of a bank.

const MOST = 2000; // characters of an entry
const form = document.querySelector("[data-span-form]");

function selectedIn() {
  const selection = document.getSelection();
  const words = selection.toString().trim();
  if (!words || !selection.rangeCount) return null;
  const within = selection.getRangeAt(0).commonAncestorContainer;
  const element = within.nodeType === Node.ELEMENT_NODE ? within : within.parentElement;
  const source = element?.closest("[data-passage], [data-response]");
  return source && { words, source };
}

document.addEventListener("selectionchange", () => {
  if (form.contains(document.activeElement)) return; // it is about to be sent
  const found = selectedIn();
  form.hidden = !found;
  if (!found) return;
  form.elements.selected.value = found.words.slice(0, MOST);
  form.elements.passage.value = found.source.dataset.passage ?? "";
  form.elements.response.value = found.source.dataset.response ?? "";
});
document.documentElement.dataset.spans = "ready";
