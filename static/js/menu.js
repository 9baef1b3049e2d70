// A menu that a summary opens: <details data-menu>. Escape, a click beside it and leaving it with the
// keyboard close it. Without this module it opens and closes by its summary.

const opened = () => document.querySelectorAll("details[data-menu][open]");

function closeBeside(target) {
  for (const menu of opened()) {
    if (!menu.contains(target)) menu.open = false;
  }
}

document.addEventListener("click", ({ target }) => closeBeside(target));
document.addEventListener("focusin", ({ target }) => closeBeside(target));
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const menu of opened()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
