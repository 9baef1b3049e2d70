/** The text of an element as it was written: a typeset formula counts as its source. */
export function sourceText(element) {
  const copy = element.cloneNode(true);
  for (const formula of copy.querySelectorAll("[data-typeset]")) formula.textContent = formula.title;
  return copy.textContent.trim();
}
