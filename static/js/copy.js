// Copies: data-copy="words", or data-copy-address="/path/" for an address of this site.

async function copy(button) {
  const { copy: words, copyAddress: path, copied } = button.dataset;
  try {
    await navigator.clipboard.writeText(words ?? new URL(path, location.href).href);
  } catch {
    return; // not allowed here: the words stand on the page
  }
  const before = button.textContent;
  button.textContent = copied;
  button.setAttribute("role", "status");
  setTimeout(() => {
    button.textContent = before;
    button.removeAttribute("role");
  }, 2000);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-copy], [data-copy-address]");
  if (button && !button.hasAttribute("role")) copy(button);
});
