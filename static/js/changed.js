// Shows what goes on with choices only once one of them was changed:
// <div data-changes>…<button data-when-changed>. Without this module it is always there.

function isChanged(select) {
  const first = [...select.options].findIndex((option) => option.defaultSelected);
  return select.selectedIndex !== Math.max(first, 0);
}

for (const part of document.querySelectorAll("[data-changes]")) {
  const shown = part.querySelector("[data-when-changed]");
  const show = () => {
    shown.hidden = ![...part.querySelectorAll("select")].some(isChanged);
  };
  part.addEventListener("change", show);
  show(); // what was chosen before this module was there
}
