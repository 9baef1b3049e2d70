// Opens a <dialog> by a button with data-opens="id"; a click beside it closes it.

document.addEventListener("click", ({ target }) => {
  const opener = target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
  if (target.matches("dialog[open]")) closeBeside(target);
});

let pressed = null;
document.addEventListener("pointerdown", ({ target }) => {
  pressed = target;
});

/** A click on the dialog element itself is one on its backdrop, unless a drag ended there. */
function closeBeside(dialog) {
  if (pressed === dialog) dialog.close();
}
