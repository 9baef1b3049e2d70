// Code, tables and formulas that are wider than their place scroll, and the keyboard reaches them.

const PIECES = ".prose pre, .prose .wide, .prose [data-formula='display']";

const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth + 1) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});

function begin() {
  sizes.disconnect();
  for (const piece of document.querySelectorAll(PIECES)) sizes.observe(piece);
}

for (const type of ["crowdwright:item", "htmx:afterSettle"]) document.addEventListener(type, begin);
begin();
