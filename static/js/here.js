// A row of links that scrolls sideways begins with the one that leads here in sight.

for (const link of document.querySelectorAll("nav [aria-current]")) {
  const row = link.closest(".rail-row") ?? link.closest(".tabs, .rail, .places ul");
  if (!row || row.scrollWidth <= row.clientWidth) continue;
  const { left, width } = link.getBoundingClientRect();
  row.scrollLeft += left + width / 2 - row.getBoundingClientRect().left - row.clientWidth / 2;
}
