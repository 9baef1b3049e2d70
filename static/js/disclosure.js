// A button that shows and hides what it controls: data-disclosure around data-disclosure-button.

const open = () => document.querySelector('[data-disclosure-button][aria-expanded="true"]');

function close(button) {
  button?.setAttribute("aria-expanded", "false");
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-disclosure-button]");
  const before = open();
  if (!target.closest("[data-disclosure]") || button) close(before);
  if (button && button !== before) button.setAttribute("aria-expanded", "true");
});

document.addEventListener("keydown", ({ key }) => {
  const button = open();
  if (key !== "Escape" || !button) return;
  close(button);
  button.focus();
});
